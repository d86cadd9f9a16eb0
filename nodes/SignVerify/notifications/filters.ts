import type { IDataObject } from 'n8n-workflow';

import { isSignatory } from '../reading/signatory';
import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';

/**
 * Whether a notification passes the "Filters" of the form. A filter looks only at what a
 * notification carries: an event without a document passes those on template and title, and one
 * without an e-mail address that on signatories. Better one event too many than one lost.
 * @param filters `templateIds`, `titleContains` and `signatoryEmails`, as the form gives them.
 */
export function passesFilters(filters: unknown, body: IDataObject): boolean {
	if (!isObject(filters)) return true;
	const document = isObject(body.Document) ? body.Document : undefined;
	const templates = listOf(filters.templateIds);
	const title = textOf(filters.titleContains).trim().toLowerCase();
	const emails = listOf(filters.signatoryEmails).map(lowerCase);
	const given = emailsOf(body, document);
	return (
		(!document || templates.length === 0 || templates.includes(textOf(document.templateID))) &&
		(!document || lowerCase(textOf(document.title)).includes(title)) &&
		(given.length === 0 || emails.length === 0 || given.some((each) => emails.includes(each)))
	);
}

/** Of whom the event tells: the one signatory it names, else all of the document's. */
function emailsOf(body: IDataObject, document: IDataObject | undefined): string[] {
	const data = isObject(document?.webhookData) ? document.webhookData : {};
	const all = Array.isArray(document?.signatory) ? (document.signatory as unknown[]) : [];
	const candidates = isObject(data.signatory) ? [data.signatory] : all.filter(isSignatory);
	return [...candidates.map((each) => each.emailID), body.emailId]
		.map((email) => lowerCase(textOf(email).trim()))
		.filter((email) => email !== '');
}

/** A list from the form, or from an expression that gives text with commas. */
function listOf(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value) ? value : textOf(value).split(',');
	return list.map((each) => textOf(each).trim()).filter((each) => each !== '');
}

function lowerCase(text: string): string {
	return text.toLowerCase();
}
