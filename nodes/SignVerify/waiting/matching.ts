import type { IDataObject } from 'n8n-workflow';

import { firstText } from '../reading/firstText';
import { isSignatory } from '../reading/signatory';
import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';

/** How the document that an execution waits for is told from all others of the account. */
export interface AwaitedDocument extends IDataObject {
	/** From the creation's answer, which is not documented; '' where it carries none. */
	documentId: string;
	templateId: string;
	emails: string[];
	/** When its creation was asked for (epoch-ms, by this machine's clock). */
	since: number;
}

/** How far the clocks of the service and of n8n may be apart (ms). */
const clockTolerance = 5 * 60_000;

/**
 * Whether a notification is about the awaited document: by its ID, or, where creating it gave none,
 * by its template and exactly its signatories, among the documents made since.
 */
export function isAwaited(body: IDataObject, awaited: AwaitedDocument): boolean {
	const document = body.Document;
	if (!isObject(document)) return false;
	if (awaited.documentId) {
		return [document.documentID, document._id].map(textOf).includes(awaited.documentId);
	}
	const template = textOf(document.templateID);
	if (template && template !== awaited.templateId) return false;
	const addedOn = Number(firstText(document.addedOn) ?? NaN);
	if (addedOn < awaited.since - clockTolerance) return false;
	return sameEmails(emailsOf(document), awaited.emails);
}

function emailsOf(document: IDataObject): string[] {
	const list = Array.isArray(document.signatory) ? (document.signatory as unknown[]) : [];
	return list.filter(isSignatory).map((each) => textOf(each.emailID));
}

function sameEmails(left: string[], right: string[]): boolean {
	const normal = (list: string[]) => [...new Set(list.map((each) => each.toLowerCase()))].sort();
	return left.length > 0 && normal(left).join('\n') === normal(right).join('\n');
}
