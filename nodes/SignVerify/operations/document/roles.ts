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
		'Whether to leave out the roles that are empty. If it is off, each role of the template needs a person.',
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
	const given = item.mapped('signatoryRoles');
	const ids = slots.flatMap(({ id }) => [roleEntryId(id, 'name'), roleEntryId(id, 'email')]);
	checkNames('Signatories', given, ids, template);
	return slots
		.map(({ id, label }) => ({
			name: given.get(roleEntryId(id, 'name')),
			email: given.get(roleEntryId(id, 'email')),
			who: label,
		}))
		.filter(({ name, email }) => !mayBeFewer || !isBlank(name) || !isBlank(email));
}
