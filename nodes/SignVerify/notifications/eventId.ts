import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { firstText } from '../reading/firstText';
import { isObject } from '../transport/envelope';
import { hasShownBody } from './events';

/**
 * An ID that is the same whenever the same event is delivered, and another for every other event:
 * made of type, document, signatory and moment. Where one of these is missing, and where the
 * interface does not show the body, it is made of the whole body: rather the same event twice than
 * two events as one.
 */
export function eventIdOf(event: string, body: IDataObject): string {
	const parts = partsOf(event, body) ?? [event, body];
	const text = JSON.stringify(parts, sortedKeys);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function partsOf(event: string, body: IDataObject): string[] | undefined {
	const { Document: document } = body;
	if (!hasShownBody(event) || !isObject(document)) return undefined;
	const data = isObject(document.webhookData) ? document.webhookData : {};
	const signatory = isObject(data.signatory) ? data.signatory : {};
	const who = firstText(signatory.signatoryID, signatory._id, signatory.emailID);
	const parts = [
		event,
		firstText(document.documentID, document._id),
		event === 'completedDocument' ? (who ?? '') : who,
		firstText(body.addedOn),
	];
	return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** The order of fields is no part of an event. */
function sortedKeys(_name: string, value: unknown): unknown {
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
	return Object.fromEntries(entries);
}
