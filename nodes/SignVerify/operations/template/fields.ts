import type { INodeProperties } from 'n8n-workflow';

/** Which generation of templates an operation works with. */
export const templateVersionField: INodeProperties = {
	displayName: 'Template Version',
	name: 'templateVersion',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Version 2',
			value: 'v2',
			description: 'Templates with signature slots and questions to the signatories',
		},
		{ name: 'Version 1', value: 'v1', description: 'Templates with variables only' },
	],
	default: 'v2',
	description: 'Which of the two generations of templates to use',
};

/** A template, chosen from a list or given by its ID. */
export const templateLocator: INodeProperties = {
	displayName: 'Template',
	name: 'templateId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The template to use',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a template…',
			typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
		},
	],
};

/** An option of operations with a template: the rest of the list. */
export const includeInactiveOption: INodeProperties = {
	displayName: 'List Inactive Templates',
	name: 'includeInactive',
	type: 'boolean',
	default: false,
	description: 'Whether the list of templates also shows those whose status is not ACTIVE',
};
