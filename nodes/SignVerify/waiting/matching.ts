import type { IDataObject } from 'n8n-workflow';

import { isSignatory } from '../reading/signatory';
import { readMoment } from '../reading/time';
import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';

/** How the document that an execution waits for is told from all others of the account. */
export interface AwaitedDocument extends IDataObject {
	/** From the creation's answer, which is not documented; '' where it carries none. */
	documentId: string;
	templateId: string;
	emails: string[];
	/** When its creation was asked for, and when the answer came (epoch-ms, by this machine's clock). */
	since: number;
	until: number;
}

/** How far the clocks of the service and of n8n may be apart (ms). */
const clockTolerance = 5 * 60_000;

/** All IDs of a notification's document; the creation may have answered with any of them. */
export function idsOf({ Document: document }: IDataObject): string[] {
	if (!isObject(document)) return [];
	const { documentID, _id, documentId, id } = document;
	return [documentID, _id, documentId, id].map(textOf).filter((text) => text !== '');
}

/**
 * Whether a notification is about the awaited document. This is decided by its ID. If its creation
 * gave none, the document must say that it was made from the same template, while the creation was
 * under way, and for exactly the same signatories; what it does not say does not match.
 */
export function isAwaited(body: IDataObject, awaited: AwaitedDocument): boolean {
	const document = body.Document;
	if (!isObject(document)) return false;
	if (awaited.documentId) return idsOf(body).includes(awaited.documentId);
	const template = textOf(document.templateID).trim();
	if (template === '' || template !== awaited.templateId.trim()) return false;
	const addedOn = readMoment(document.addedOn);
	if (addedOn === undefined) return false;
	const { since, until } = awaited;
	const isInTime = addedOn >= since - clockTolerance && addedOn <= until + clockTolerance;
	return isInTime && sameEmails(emailsOf(document), awaited.emails);
}

function emailsOf(document: IDataObject): string[] {
	const list = Array.isArray(document.signatory) ? (document.signatory as unknown[]) : [];
	return list.filter(isSignatory).map((each) => textOf(each.emailID));
}

function sameEmails(left: string[], right: string[]): boolean {
	const normal = (list: string[]) =>
		[...new Set(list.map((each) => each.trim().toLowerCase()))].sort().join('\n');
	return normal(left) !== '' && normal(left) === normal(right);
}
