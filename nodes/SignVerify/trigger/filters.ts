import type { INodeProperties } from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { readEmails, trimUnseen } from '../operations/parameters';
import { isObject, objectOf, textOf } from '../util/values';

/** The form for which events start the workflow; {@link passesFilters} reads it. */
export const filtersField: INodeProperties = {
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
			placeholder: 'e.g. ana@example.com, ben@example.com',
			description:
				'Only events about one of these people, separated by commas, semicolons or lines. If the event names one signatory, this person has to be in the list. Otherwise it is enough that one of the signatories is.',
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
			placeholder: 'e.g. Lease',
			description: 'Only documents with this text in their title, in capitals or not',
		},
	],
};

/**
 * Whether a notification passes the "Filters" of the form. A filter is ignored if the notification has
 * no such field, as one about an identity has no template. One event too many is better than a lost
 * one. An empty `templateID` is no absent one: the document was made from no template.
 * @param filters `templateIds`, `titleContains` and `signatoryEmails`, as the form gives them.
 * @throws InputError as {@link readSignatories}.
 */
export function passesFilters(filters: unknown, { document, emails }: Notification): boolean {
	if (!isObject(filters)) return true;
	const { templateIds: ids } = filters;
	// An expression may give text with commas.
	const templates = (Array.isArray(ids) ? ids : textOf(ids).split(','))
		.map(trimUnseen)
		.filter(Boolean);
	const titlePart = textOf(filters.titleContains).trim().toLowerCase();
	const wanted = readSignatories(filters).map((each) => each.toLowerCase());
	const { templateId, title } = document?.summary ?? {};
	return (
		(templateId === undefined || templates.length === 0 || templates.includes(templateId)) &&
		(title === undefined || title.toLowerCase().includes(titlePart)) &&
		(emails.length === 0 || wanted.length === 0 || emails.some((each) => wanted.includes(each)))
	);
}

/** @throws InputError for what is not an e-mail address: it could match no event. */
export function readSignatories(filters: unknown): string[] {
	return readEmails(objectOf(filters).signatoryEmails, 'Signatory Emails');
}
