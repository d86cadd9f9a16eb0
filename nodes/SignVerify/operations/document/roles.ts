import type { INodeProperties } from 'n8n-workflow';

import { slotsOf, type Template } from '../../api/templates';
import { type ItemContext, readSwitch } from '../../input/item';
import { isBlank } from '../../input/parameters';
import { checkNames, loadedWithTemplate } from '../template/fields';

/** The form for who signs in which role of a template. */
export const rolesField: INodeProperties = {
	displayName: 'Signatories',
	name: 'signatoryRoles',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	description: 'Who signs in which role. Each gets an e-mail with a link of their own.',
	builderHint: { propertyHint: 'For each slot of the template, "<key>.name" and "<key>.email".' },
	displayOptions: {
		show: { signatoriesFrom: ['role'] },
		hide: { templateId: [''] },
	},
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			...loadedWithTemplate,
			resourceMapperMethod: 'getSignatoryRoles',
			valuesLabel: 'Signatories',
			supportAutoMap: false,
			addAllFields: true,
		},
	},
};

/** Beside the signatories: whether there may be fewer of them than roles. */
export const lastRolesField: INodeProperties = {
	displayName: 'Leave Last Roles Empty',
	name: 'leaveLastRolesEmpty',
	type: 'boolean',
	default: false,
	displayOptions: { hide: { templateId: [''] } },
	description:
		'Whether the last roles of the template may have nobody. If it is off, each role needs a person.',
};

/** @throws InputError for a value that is neither on nor off. */
export function mayLeaveRolesEmpty(item: ItemContext): boolean {
	return readSwitch(item, lastRolesField.name, lastRolesField.displayName);
}

/** How many people the form offers to enter if the template does not say how many sign. */
const unnamedRoles = 5;

/** The roles of the form: those of the template, or numbered ones, of which only the first needs a person. */
export function rolesOf(template: Template) {
	const slots = slotsOf(template).map((slot) => ({ ...slot, isNeeded: true }));
	if (slots.length > 0) return slots;
	return Array.from({ length: unnamedRoles }, (_, index) => ({
		id: String(index + 1),
		label: `Signatory ${index + 1}`,
		isNeeded: index === 0,
	}));
}

/** The ID of an entry of a role in the form. */
export function roleEntryId(role: string, entry: 'name' | 'email'): string {
	return `${role}.${entry}`;
}

/**
 * The people of the form, in the order of the template's roles. They are not checked yet.
 * @throws InputError for a role that the template does not have.
 */
export function peopleByRole(item: ItemContext, template: Template) {
	const roles = rolesOf(template);
	const mayBeFewer = mayLeaveRolesEmpty(item);
	const given = item.mapped('signatoryRoles', 'Signatories');
	const ids = roles.flatMap(({ id }) => [roleEntryId(id, 'name'), roleEntryId(id, 'email')]);
	checkNames('Signatories', given, ids, template);
	const people = roles.map(({ id, label, isNeeded }) => ({
		name: given.get(roleEntryId(id, 'name')),
		email: given.get(roleEntryId(id, 'email')),
		who: label,
		isNeeded: isNeeded && !mayBeFewer,
	}));
	// Only the last ones: the service gets no roles, only their order, so a gap would move those behind it.
	const isWanted = people.map(
		({ name, email, isNeeded }) => isNeeded || !isBlank(name) || !isBlank(email),
	);
	return people.slice(0, isWanted.lastIndexOf(true) + 1);
}
