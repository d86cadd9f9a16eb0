import type { INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { type EventType, events, isEvent } from '../api/events';
import { includeOption } from '../events/output';
import { outputField } from '../input/form';
import { InputError, readAll } from '../input/inputError';
import { checkDigits, chosenIn, readEmails, trimUnseen } from '../input/parameters';
import { normalName, textOf } from '../util/values';

const words = Object.fromEntries(events.map(({ name, value }) => [value, name.toLowerCase()]));

/** The line under the trigger on the canvas: its events, in the words of the form. */
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(words)})[event] ?? event).join(", ") }}`;

const addresses = 'Several are separated by commas, semicolons or lines.';

/** The trigger's form, which {@link readEvents} and {@link readFilters} read. */
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
			'Without a filter, the workflow starts for every document of the account. The service must be able to call n8n: if the webhook URL has localhost or a private address, no event comes from the internet.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: [
			{
				displayName: 'Template Names or IDs',
				name: 'templates',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getTemplates' },
				default: [],
				description:
					'Only documents made from one of these templates. If the list says "No data", the account has none. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName: 'Signatory',
				name: 'signatory',
				type: 'string',
				default: '',
				placeholder: 'e.g. ana@example.com, ben@example.com',
				description: `Only events about this person, by email address. ${addresses} If the event names one signatory, it must be this person. Otherwise, one of the signatories must be this person.`,
			},
			{
				displayName: 'Sent By',
				name: 'sentBy',
				type: 'string',
				default: '',
				placeholder: 'e.g. people@example.com',
				description: `Only documents that this user of the account sent, by email address. ${addresses} An event that does not say who sent the document does not start the workflow.`,
			},
			{
				displayName: 'Title Contains',
				name: 'titleContains',
				type: 'string',
				default: '',
				placeholder: 'e.g. Lease',
				description: 'Only documents with this text in their title, in capitals or not',
			},
		],
	},
	{
		displayName: 'Download Files',
		name: 'downloadFiles',
		type: 'boolean',
		default: false,
		description:
			'Whether to attach the document and its certificates to the item. Later, their links may have expired. The event comes without a file that takes longer than 10 seconds.',
		builderHint: {
			propertyHint: 'The binary fields are called document, certificate and pscCertificate.',
		},
	},
	outputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [includeOption],
	},
];

/** @throws InputError if there is no event, or one that does not exist. */
export function readEvents(value: unknown): EventType[] {
	const list = chosenIn(value);
	if (list.length > 0 && list.every(isEvent)) return [...new Set(list)];
	const wrong = textOf(list.find((event) => !isEvent(event)));
	const reason = list.length > 0 ? `there is no event "${wrong}"` : 'none is chosen';
	throw new InputError('Events', reason, 'Choose at least one event from the list.', 'the-trigger');
}

/** The filters of the form. An empty one lets all pass; addresses and title are in lower case. */
export interface Filters {
	templates: string[];
	signatory: string[];
	sentBy: string[];
	title: string;
}

/**
 * Reads the filters of the form.
 * @throws InputError for what is not an e-mail address: it could match no event.
 */
export function readFilters(context: Pick<IWebhookFunctions, 'getNodeParameter'>): Filters {
	const given = (name: string): unknown => context.getNodeParameter(`filters.${name}`, '');
	const emails = (name: string, field: string) => () =>
		readEmails(given(name), field).map((email) => email.toLowerCase());
	const templates = given('templates');
	return readAll({
		templates: () => {
			// An expression may give text with commas.
			const ids: unknown[] =
				typeof templates === 'string' ? templates.split(',') : [templates].flat();
			for (const id of ids) checkDigits(id, 'Template Names or IDs');
			return ids.map(trimUnseen).filter(Boolean);
		},
		signatory: emails('signatory', 'Signatory'),
		sentBy: emails('sentBy', 'Sent By'),
		title: () => normalName(textOf(given('titleContains'))),
	});
}
