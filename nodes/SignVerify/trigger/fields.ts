import type { INodeProperties } from 'n8n-workflow';

import { events } from '../api/events';
import { includeOption, outputField } from '../webhooks/output';
import { filterFields, moreFiltersField } from './filters';

const words = Object.fromEntries(events.map(({ name, value }) => [value, name.toLowerCase()]));

/** The line under the trigger on the canvas: its events, in the words of the form. */
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(words)})[event] ?? event).join(", ") }}`;

/** The trigger's form. */
export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: events,
		default: ['completedDocument'],
		description: 'What to start the workflow for',
		builderHint: {
			propertyHint:
				'completedDocument comes once, when everybody has signed. signDocument comes for each signature.',
		},
	},
	{
		displayName:
			'The workflow starts for every document of the account, unless you choose a template, a signatory or a sender. The service must be able to call n8n: if the webhook URL has localhost or a private address, no event comes from the internet.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	...filterFields,
	{
		displayName: 'Download Files',
		name: 'downloadFiles',
		type: 'boolean',
		default: false,
		description:
			'Whether to attach the document and its certificates to the item. Their links expire, so this is the moment to take them. The event comes without a file that takes longer than 10 seconds.',
		builderHint: {
			propertyHint: 'The binary fields are called document, certificate and pscCertificate.',
		},
	},
	outputField,
	moreFiltersField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [includeOption],
	},
];
