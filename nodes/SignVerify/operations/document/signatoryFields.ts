import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { textField } from '../../form/texts';
import { rolesField } from '../../templateForm/roles';

export const signatorySources = [
	{
		name: 'By Role',
		value: 'byRole',
		description: "Enter one person for each of the template's roles",
	},
	{
		name: 'One by One',
		value: 'oneByOne',
		description: "Add the people yourself, in the order of the template's roles",
	},
	{
		name: 'Using an Expression',
		value: 'expression',
		description: "Use this if the number of signatories isn't known until the workflow runs",
	},
] as const satisfies INodePropertyOptions[];

export const signatoryFields: INodeProperties[] = [
	{
		displayName: 'Specify Signatories',
		name: 'specifySignatories',
		type: 'options',
		noDataExpression: true,
		options: [...signatorySources],
		default: 'byRole',
		builderHint: {
			propertyHint:
				'If the template\'s roles are known, use "byRole" and fill in signatoryRoles. Otherwise, use "oneByOne". Version 1 templates have no roles.',
		},
	},
	rolesField,
	{
		displayName: 'Signatories',
		name: 'signatories',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			// n8n 2.41.1 shows this title only to users for whom its new collections (experiment 048) are
			// enabled.
			fixedCollection: {
				itemTitle:
					'={{ $collection.item.value.name || `Signatory ${$collection.item.index + 1}` }}',
			},
		},
		placeholder: 'Add signatory',
		default: { signatory: [{ email: '', name: '' }] },
		required: true,
		displayOptions: { show: { specifySignatories: ['oneByOne'] } },
		description: 'Who signs. Everyone gets an email with their own signing link.',
		options: [
			{
				displayName: 'Signatory',
				name: 'signatory',
				values: [
					textField({
						displayName: 'Name',
						name: 'name',
						placeholder: 'e.g. Nathan Smith',
						description: 'Full name, as it appears in the document',
					}),
					textField({
						displayName: 'Email',
						name: 'email',
						placeholder: 'e.g. name@email.com',
						description: 'Where the signing link is sent',
					}),
				],
			},
		],
	},
	{
		displayName: 'Signatories',
		name: 'signatoriesList',
		type: 'json',
		default: '={{ [{ "name": $json.name, "email": $json.email }] }}',
		required: true,
		displayOptions: { show: { specifySignatories: ['expression'] } },
		description:
			"A list of people in the order of the template's roles, each with an email and a name",
	},
];
