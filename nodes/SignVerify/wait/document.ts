import type { IDataObject } from 'n8n-workflow';

import type { NotifiedDocument } from '../api/notification';

/** How to recognize the document that an execution waits for. */
export interface AwaitedDocument extends IDataObject {
	/** From the creation's answer, which is not documented; '' if it has none. */
	documentId: string;
	templateId: string;
	emails: string[];
	/** When its creation was sent, and when the answer arrived (epoch-ms, by this machine's clock). */
	since: number;
	until: number;
}

/** How far the clocks of the service and of n8n may be apart (ms). */
const clockTolerance = 5 * 60_000;

/**
 * Whether a notification is about the awaited document. Its ID decides. If the answer to its creation had
 * no ID, the document must have the same template, a date during the creation, and exactly the same
 * signatories. What is missing does not match.
 */
export function isAwaited(
	document: NotifiedDocument | undefined,
	awaited: AwaitedDocument,
): boolean {
	if (!document) return false;
	const { ids, summary, addedOn, signatories } = document;
	const { templateId } = summary;
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
