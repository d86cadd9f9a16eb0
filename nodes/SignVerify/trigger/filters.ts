import type { INodeProperties } from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { type Field, fieldOf } from '../form/field';
import { readList, type SavedForm } from '../form/savedForm';
import { enteredIn, searchTextKind, readEntered, textKinds } from '../form/texts';
import { checkAddressAlone } from '../form/values';
import { readAll } from '../text/inputError';
import { comparedEmail } from '../util/email';
import { nameFilter } from '../util/values';
import { filtersName, readTemplateIds, templatesField } from './templateFilter';

/** Decides whether an event passes a filter. A filter without a value lets every event pass. */
export type EventFilter = (notification: Notification) => boolean;

interface FilterRow {
	field: INodeProperties;
	/**
	 * @throws InputError for a value that can't match any event, and for an expression that doesn't return a
	 * usable value.
	 */
	read(form: SavedForm, field: Field): EventFilter;
}

const addresses = 'these addresses, separated by commas, semicolons, or line breaks';

/**
 * All filters. If a notification lacks the template, title, or signatories that a filter compares, it passes
 * that filter, because one event too many is better than a lost event. For instance, notifications about
 * identities contain no template and no title.
 */
const filterRows: FilterRow[] = [
	{
		field: templatesField,
		read(form) {
			const templates = readTemplateIds(form);
			return ({ document }) => {
				const id = document?.summary.templateId;
				// A missing ID means that the template is unknown, so the event passes. An empty ID means
				// that the document was created without a template, so the filter applies.
				return id === undefined || hasOneOf(templates, [id]);
			};
		},
	},
	{
		field: {
			displayName: 'Signatory',
			name: 'signatory',
			type: 'string',
			default: '',
			placeholder: 'e.g. ana@example.com, ben@example.com',
			description: `Only events about people with ${addresses}`,
		},
		read(form, field) {
			const wanted = readEmails(form, field);
			return ({ emails }) => emails.length === 0 || hasOneOf(wanted, emails);
		},
	},
	{
		field: {
			displayName: 'Sent By',
			name: 'sentBy',
			type: 'string',
			default: '',
			placeholder: 'e.g. people@example.com',
			description: `Only documents sent by users with ${addresses}`,
		},
		read(form, field) {
			const senders = readEmails(form, field);
			return ({ document }) => hasOneOf(senders, document?.sentBy ? [document.sentBy] : []);
		},
	},
	{
		field: {
			displayName: 'Title Contains',
			name: 'titleContains',
			type: 'string',
			default: '',
			placeholder: 'e.g. Lease',
			description: "Only documents whose title contains this text. Case and accents don't matter.",
		},
		read(form, field) {
			const isWanted = nameFilter(readEntered(form, enteredIn(form, field), searchTextKind));
			return ({ document }) => {
				const title = document?.summary.title;
				return title === undefined || isWanted(title);
			};
		},
	},
];

export const filterFields: INodeProperties[] = filterRows.map(({ field }) => field);

/**
 * @throws InputError for a filter that can't match any event.
 * @throws InputError for a filter whose expression doesn't return a usable value. Ignoring that filter would
 * start the workflow for every document in the account.
 */
export function readFilters(form: SavedForm): EventFilter[] {
	const readers = filterRows.map((row) => {
		const field = fieldOf(row.field, filtersName);
		return [row.field.name, () => row.read(form, field)] as const;
	});
	return Object.values(readAll(Object.fromEntries(readers)));
}

function readEmails(form: SavedForm, field: Field): string[] {
	const { name, label } = field;
	// Refuse a name next to an address before splitting at spaces. Otherwise, the name and the address would
	// become separate entries.
	for (const entry of [form.parameter(name)].flat()) checkAddressAlone(entry, label);
	return readList(
		form,
		field,
		(value) =>
			comparedEmail(readEntered(form, { label, value, saved: undefined }, textKinds.knownEmail())),
		/[,;\s]+/,
	);
}

export function passesFilters(filters: EventFilter[], notification: Notification): boolean {
	return filters.every((filter) => filter(notification));
}

/** An empty filter lets every value pass. */
function hasOneOf(wanted: string[], values: string[]): boolean {
	return wanted.length === 0 || values.some((value) => wanted.includes(value));
}
