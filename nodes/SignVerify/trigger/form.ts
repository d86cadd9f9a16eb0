import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { eventChoices, type EventType, isEvent } from '../api/events';
import { downloadFilesFields, readDownloadFiles } from '../events/files';
import { includeOption, readInclude, type OutputChoice } from '../events/output';
import { describeError } from '../http/errors';
import { outputField } from '../input/form';
import { InputError, readAll } from '../input/inputError';
import { checkAddressAlone, readEmail, readId } from '../input/parameters';
import {
	readList,
	readOptionalText,
	readOutput,
	type SavedForm,
	savedParameters,
} from '../input/savedForm';
import { attempt } from '../util/async';
import { normalName, textOf } from '../util/values';

const subtitles = Object.fromEntries(
	eventChoices.map(({ name, value }) => [value, name.toLowerCase()]),
);

/** The trigger's subtitle on the canvas: its events, worded as in the form. */
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(subtitles)})[event] ?? event).join(", ") }}`;

const addresses = 'Separate several addresses with commas, semicolons or line breaks.';

/** The trigger's form, for {@link readEvents} and {@link readFilters} to read. */
export const triggerFields: INodeProperties[] = [
	{
		// n8n's own name for such a field. n8n's list of triggers looks for this name.
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: eventChoices,
		default: ['completedDocument'],
		description: 'Which events start the workflow',
		builderHint: {
			propertyHint:
				'completedDocument comes once, when everybody has signed. signDocument comes for each signature.',
		},
	},
	{
		displayName:
			"This workflow starts for every document in your account, unless you add a filter. Your provider must be able to reach n8n: events from the internet can't arrive at localhost or a private address.",
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
		// n8n's lint wants five or more options in alphabetical order.
		options: [
			{
				displayName: 'Template Names or IDs',
				name: 'templates',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getTemplates' },
				default: [],
				description:
					'Only documents made from one of these templates. If the list shows "No data", your account has no templates. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName: 'Signatory',
				name: 'signatory',
				type: 'string',
				default: '',
				placeholder: 'e.g. ana@example.com, ben@example.com',
				description: `Only events about these people, by email address. ${addresses} If an event is about one signatory, that person must be on this list. Otherwise, any signatory of the document must be on it.`,
			},
			{
				displayName: 'Sent By',
				name: 'sentBy',
				type: 'string',
				default: '',
				placeholder: 'e.g. people@example.com',
				description: `Only documents that these users of your account sent, by email address. ${addresses} Events that don't say who sent the document don't start the workflow.`,
			},
			{
				displayName: 'Title Contains',
				name: 'titleContains',
				type: 'string',
				default: '',
				placeholder: 'e.g. Lease',
				description: 'Only documents whose title contains this text. Not case-sensitive.',
			},
		],
	},
	...downloadFilesFields(
		'Whether to download the document or its certificates right away, before their links expire. Files that take longer than 10 seconds are left out.',
		{
			builderHint: {
				propertyHint: 'The binary fields are called document, certificate and pscCertificate.',
			},
		},
	),
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

/**
 * Provides the values of the trigger's form, both when its workflow is published and when an event arrives. `parameter`
 * throws InputError if an expression fails, because n8n's own error does not name the field.
 */
export function triggerForm(context: IHookFunctions | IWebhookFunctions): SavedForm {
	return {
		...savedParameters(() => context.getNode().parameters),
		parameter(name) {
			// Without a fallback, n8n throws if the workflow lacks the parameter.
			const value = attempt<unknown>(() => context.getNodeParameter(name, null) ?? undefined);
			if (value.ok) return value.value;
			const problem = `the expression fails (${describeError(value.error).message})`;
			const remedy =
				"n8n evaluates it without an item, so it can't read $json. Use $vars, or enter the value.";
			throw new InputError(labelOf(name), problem, remedy, 'the-expression-fails');
		},
	};
}

/** Returns a parameter's label in the form. */
function labelOf(path: string): string {
	let label = path;
	let fields: INodeProperties[] = triggerFields;
	for (const part of path.split('.')) {
		const field = fields.find(({ name }) => name === part);
		label = field?.displayName ?? label;
		fields = (field?.options ?? []) as INodeProperties[];
	}
	return label;
}

/**
 * Reads the form's event types, without duplicates.
 * @throws InputError if no event is chosen, or for an event that does not exist.
 */
export function readEvents(form: SavedForm): EventType[] {
	const wrongEvents = (problem: string) =>
		new InputError(
			'Trigger On',
			problem,
			'Choose at least one event from the list.',
			'the-trigger',
		);
	const types = readList(form, 'events', 'Trigger On', (event) => {
		if (isEvent(event)) return event;
		throw wrongEvents(`"${textOf(event)}" isn't a known event`);
	});
	if (types.length === 0) throw wrongEvents('nothing is selected');
	return [...new Set(types)];
}

/** The form's filters. An empty filter lets every event pass. Addresses and the title are in lowercase. */
export interface Filters {
	templates: string[];
	signatory: string[];
	sentBy: string[];
	title: string;
}

/**
 * Reads the form's filters.
 * @throws InputError for a filter that could match no event, and for a filter whose expression returns nothing usable:
 * without the filter, the workflow would start for every document of the account.
 */
export function readFilters(form: SavedForm): Filters {
	const emails = (name: string, field: string) => () => {
		// Check for names before splitting at spaces, because a name next to an address would become separate entries.
		for (const entry of [form.parameter(name)].flat()) checkAddressAlone(entry, field);
		return readList(form, name, field, (entry) => readEmail(entry, field).toLowerCase(), /[,;\s]+/);
	};
	const templates = 'Template Names or IDs';
	const source = 'Choose templates from the list.';
	return readAll({
		templates: () =>
			readList(form, 'filters.templates', templates, (id) => readId(id, templates, source)),
		signatory: emails('filters.signatory', 'Signatory'),
		sentBy: emails('filters.sentBy', 'Sent By'),
		title: () => normalName(readOptionalText(form, 'filters.titleContains', 'Title Contains')),
	});
}

/** The choices in the trigger's form besides its event types: the filters, and the item for an event. */
interface TriggerChoices {
	filters: Filters;
	output: OutputChoice;
}

/**
 * Reads the whole form except the event types.
 * @throws InputError for a choice that does not exist, or for the same reasons as {@link readFilters}.
 */
export function readTriggerChoices(form: SavedForm): TriggerChoices {
	return readAll({
		filters: () => readFilters(form),
		output: () =>
			readAll({
				output: () => readOutput(form),
				files: () => readDownloadFiles(form),
				include: () => readInclude(form),
			}),
	});
}
