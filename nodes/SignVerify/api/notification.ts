import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import {
	firstText,
	isEmpty,
	isFalse,
	isObject,
	isoTime,
	objectOf,
	readMoment,
	textOf,
} from '../util/values';
import {
	comparedEmail,
	type DocumentSummary,
	type Person,
	readPerson,
	signatoriesOf,
	type SignatoryStatus,
	summaryOf,
} from './documents';
import { isEvent } from './events';
import { passedOf } from './identity';

/** The files of a document, by the names of their fields on an item. */
export type DocumentFile = 'document' | 'certificate' | 'pscCertificate';

/** The document of a notification. */
export interface NotifiedDocument {
	/** As received. */
	source: IDataObject;
	/** Both its IDs; the answer to its creation may have had either of them. */
	ids: string[];
	/** What outputs show, and what filters read. */
	summary: DocumentSummary;
	/** When it was created (epoch-ms); undefined if it does not say so. */
	addedOn: number | undefined;
	/** The address of the user who sent it, in lower case; '' if it does not say so. */
	sentBy: string;
	signatories: SignatoryStatus[];
	/** Anything that does not certainly say an end is open. */
	state: 'completed' | 'canceled' | 'open';
}

/** A notification, read once (docs/dev/service.md#notification-body). Undocumented fields are only in `body`. */
export interface Notification {
	/** The event for which its URL was registered. */
	event: string;
	/** As received. */
	body: IDataObject;
	/** Whether the fields of this event are documented, and this notification has them. */
	isDocumented: boolean;
	/**
	 * The same each time the same event is delivered, and different for every other event. The time is only a part
	 * of what can happen several times.
	 */
	id: string;
	document?: NotifiedDocument;
	/** The one signatory who signed, or to whom it was sent. */
	signatory?: Person;
	/** Of that one signatory, otherwise of all; and those outside of the document, as of the person to verify. */
	emails: string[];
	/** The URLs of the document's files; null if it has none, or an empty one. */
	files: Record<DocumentFile, string | null>;
	/** All that it gives as the ID of the identity request. */
	validationIds: string[];
	/** Whether the person passed; null if it does not certainly say so. */
	passed: boolean | null;
	/** When the service sent it, at the moment of the event (ISO 8601). */
	sentAt?: string | undefined;
}

/** The bodies of the other four are not known. */
const documentedEvents = ['sendDocument', 'signDocument', 'completedDocument'];

/**
 * Whether an event can bring links to files. When one person signs, there are none
 * (docs/dev/service.md#notification-body).
 */
export function hasFiles(event: string): boolean {
	return event !== 'signDocument';
}

/** Statuses of a document that nobody can complete any more. None is documented. */
const canceledStatuses = ['CANCELED', 'CANCELLED', 'REJECTED', 'DECLINED', 'EXPIRED', 'VOIDED'];

/**
 * Whether the type in a body allows the event of the URL to which it was sent. In the four events without a
 * documented body, it may also be an unknown word, such as "FACE" (docs/dev/service.md#seen-webhooks).
 */
export function isTypeOf(event: string, type: unknown): boolean {
	if (isEmpty(type) || type === event) return true;
	return !documentedEvents.includes(event) && !isEvent(type);
}

/**
 * Reads a notification.
 * @param event The event of its URL.
 * @param body As received and parsed. Its type must allow the event (see {@link isTypeOf}).
 */
export function readNotification(event: string, body: IDataObject): Notification {
	const source = isObject(body.Document) ? body.Document : undefined;
	const data = objectOf(source?.webhookData);
	// Who has just signed, or to whom it was sent.
	const { signatory } = data;
	const document = source && readDocument(source, body.type);
	const people = isObject(signatory) ? [readPerson(signatory)] : (document?.signatories ?? []);
	// The body of an identity event is not documented. So the names that the interface uses elsewhere are
	// looked for, at the top and one level below it.
	const parts = [body, ...Object.values(body).filter(isObject)];
	const texts = (name: string) => parts.map((part) => textOf(part[name]).trim()).filter(Boolean);
	const named = [texts('validationId'), texts('sessionId')].find((ids) => ids.length > 0);
	const subject = document && subjectOf(event, document, firstText(body.addedOn));
	const score = parts.map((part) => part.score).find(isObject);
	const link = (first: unknown, second: unknown) =>
		(hasFiles(event) && firstText(first, second)) || null;
	const emails = [
		...people.map(({ email }) => email ?? ''),
		...['emailId', 'emailID', 'email'].flatMap(texts),
	];
	return {
		event,
		body,
		isDocumented: source !== undefined && documentedEvents.includes(event),
		id: hashOfParts(subject ?? [event, body]),
		...(document ? { document } : {}),
		...(signatory === undefined ? {} : { signatory: readPerson(signatory) }),
		emails: emails.map(comparedEmail).filter(Boolean),
		// Among the document's fields (`completedDocument`) or in its `webhookData` (`sendDocument`).
		files: {
			document: link(source?.documentURL, data.documentURL),
			certificate: link(source?.certificateURL, data.certificateURL),
			pscCertificate: link(source?.pscCertificateURL, data.pscUrl),
		},
		validationIds: [...new Set(named)],
		passed: passedOf(score, body.status),
		sentAt: isoTime(body.addedOn),
	};
}

function readDocument(source: IDataObject, type: unknown): NotifiedDocument {
	const signatories = signatoriesOf(source.signatory);
	const ids = [source.documentID, source._id].map(textOf).filter(Boolean);
	return {
		source,
		ids,
		summary: summaryOf(source, ids[0]),
		addedOn: readMoment(source.addedOn),
		sentBy: comparedEmail(objectOf(source.createdBy).emailID),
		signatories,
		state: stateOfDocument(source, type, signatories),
	};
}

/** The table of docs/dev/architecture.md#what-a-document-says. */
function stateOfDocument(
	{ status, isCanceled, isDeleted }: IDataObject,
	type: unknown,
	signatories: SignatoryStatus[],
): NotifiedDocument['state'] {
	const word = textOf(status).trim().toUpperCase();
	// What does not certainly say "no" counts as "yes".
	const isSet = (value: unknown) => !isEmpty(value) && !isFalse(value);
	if (isSet(isCanceled) || isSet(isDeleted) || canceledStatuses.includes(word)) return 'canceled';
	if (word === 'COMPLETED') return 'completed';
	const allSigned = signatories.length > 0 && signatories.every(({ signed }) => signed);
	return type === 'completedDocument' && allSigned ? 'completed' : 'open';
}

/** What tells an event from all others. If a part is missing, only the whole body does. */
function subjectOf(
	event: string,
	{ source, ids: [id] }: NotifiedDocument,
	sentAt: string | undefined,
): unknown[] | undefined {
	const { signatoryID, _id, emailID } = objectOf(objectOf(source.webhookData).signatory);
	const who = firstText(signatoryID, _id, emailID);
	const partsOf = new Map<string, unknown[]>([
		['completedDocument', [id]],
		['signDocument', [id, who]],
		['sendDocument', [id, who, sentAt]],
	]);
	const parts = partsOf.get(event);
	return parts?.every(Boolean) ? [event, ...parts] : undefined;
}

function hashOfParts(parts: unknown): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
