import type { IDataObject } from 'n8n-workflow';

import type { NotifiedDocument } from '../api/notification';

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

/**
 * Whether a notification is about the awaited document. This is decided by its ID. If its creation
 * gave none, the document must say that it was made from the same template, while the creation was
 * under way, and for exactly the same signatories; what it does not say does not match.
 */
export function isAwaited(
	document: NotifiedDocument | undefined,
	awaited: AwaitedDocument,
): boolean {
	if (!document) return false;
	const { ids, templateId, addedOn, signatories } = document;
	if (awaited.documentId) return ids.includes(awaited.documentId);
	if (!templateId || templateId !== awaited.templateId.trim()) return false;
	if (addedOn === undefined) return false;
	const { since, until } = awaited;
	const isInTime = addedOn >= since - clockTolerance && addedOn <= until + clockTolerance;
	const emails = signatories.map(({ email }) => email ?? '');
	return isInTime && sameEmails(emails, awaited.emails);
}

function sameEmails(left: string[], right: string[]): boolean {
	const normal = (list: string[]) =>
		[...new Set(list.map((each) => each.trim().toLowerCase()))].sort().join('\n');
	return normal(left) !== '' && normal(left) === normal(right);
}
