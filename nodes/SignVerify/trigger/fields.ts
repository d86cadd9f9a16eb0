import type { INodeProperties } from 'n8n-workflow';

import { defaultFileSeconds } from '../notifications/downloadFiles';
import { events } from '../notifications/events';

const words = Object.fromEntries(events.map(({ name, value }) => [value, name.toLowerCase()]));

/** What stands under the trigger on the canvas: its events, in the words of the form. */
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
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Download Files',
		name: 'downloadFiles',
		type: 'boolean',
		default: false,
		description:
			'Whether to attach the document and its certificates to the item. Their links expire, so this is the moment to take them.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description: 'Start the workflow only for some documents',
		options: [
			{
				displayName: 'Signatory Emails',
				name: 'signatoryEmails',
				type: 'string',
				default: '',
				placeholder: 'ana@example.com, ben@example.com',
				description:
					'Only events about one of these people, separated by commas. When somebody signs it is that person who counts, otherwise everybody who signs the document.',
			},
			{
				displayName: 'Template Names or IDs',
				name: 'templateIds',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getTemplates' },
				default: [],
				description:
					'Only documents made from one of these templates. Where the list says "No data", the account has none. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName: 'Title Contains',
				name: 'titleContains',
				type: 'string',
				default: '',
				placeholder: 'Lease',
				description: 'Only documents with this text in their title, in capitals or not',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'File Time Limit',
				name: 'fileSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 60 },
				default: defaultFileSeconds,
				description:
					'How many seconds "Download Files" may take. The event comes without a file that is not there by then.',
			},
		],
	},
];
