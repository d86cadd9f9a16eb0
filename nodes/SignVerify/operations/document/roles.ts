import type { INodeProperties } from 'n8n-workflow';

import { nameOf, slotsOf, type Template } from '../../api/templates';
import { InputError } from '../inputError';
import { isBlank, readSwitch } from '../parameters';
import { checkNames, loadedWithTemplate } from '../template/fields';
import type { ItemContext } from '../types';

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

/** Beside the roles: whether some of them can be empty. */
export const otherCountField: INodeProperties = {
	displayName: 'Allow Other Number of Signatories',
	name: 'allowOtherCount',
	type: 'boolean',
	default: false,
	displayOptions: { show: { signatoriesFrom: ['role'] } },
	description:
		'Whether the last roles may be empty, and are left out. If it is off, each role of the template needs a person.',
};

/** The ID of an entry of a role in the form. */
export function roleEntryId(role: string, entry: 'name' | 'email'): string {
	return `${role}.${entry}`;
}

/**
 * The people of the form, in the order of the template's roles. They are not checked yet.
 * @throws InputError for a role that the template does not have, and if it has none.
 */
export function peopleByRole(item: ItemContext, template: Template) {
	const slots = slotsOf(template);
	if (slots.length === 0) {
		throw new InputError(
			'Signatories',
			`the template "${nameOf(template)}" names no roles`,
			'Set Specify Signatories to "One by One".',
		);
	}
	const mayBeFewer = readSwitch(item, otherCountField.name, otherCountField.displayName);
	const given = item.mapped('signatoryRoles', 'Signatories');
	const ids = slots.flatMap(({ id }) => [roleEntryId(id, 'name'), roleEntryId(id, 'email')]);
	checkNames('Signatories', given, ids, template);
	const people = slots.map(({ id, label }) => ({
		name: given.get(roleEntryId(id, 'name')),
		email: given.get(roleEntryId(id, 'email')),
		who: label,
	}));
	if (!mayBeFewer) return people;
	// The service gets no roles, only their order: a gap would move the people behind it.
	const isNamed = people.map(({ name, email }) => !isBlank(name) || !isBlank(email));
	return people.slice(0, isNamed.lastIndexOf(true) + 1);
}
