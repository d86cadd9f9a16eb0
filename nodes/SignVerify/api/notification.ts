import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { firstText, isObject, isoTime, readMoment, textOf } from '../util/values';
import { type Person, readPerson, signatoriesOf, type SignatoryStatus } from './documents';

/** The files of a document, by the names that they have on an item. */
export type DocumentFile = 'document' | 'certificate' | 'pscCertificate';

/** The addresses of a document's files; null where the notification carries none. */
type FileUrls = Record<DocumentFile, string | null>;

/** The document of a notification. */
export interface NotifiedDocument {
	/** All IDs that it may be known by; its creation may have answered with any of them. */
	ids: string[];
	documentId?: string | undefined;
	title?: string;
	status?: string;
	templateId?: string;
	/** When it was created (epoch-ms); undefined where it does not say so. */
	addedOn: number | undefined;
	signatories: SignatoryStatus[];
}

/**
 * A notification of the service, read once (docs/service.md#notification-body). What the interface
 * does not show is only in `body`.
 */
export interface Notification {
	/** The event that it is of: its own type, or the one that its address was registered for. */
	event: string;
	/** As it came. */
	body: IDataObject;
	/** Whether the interface shows what notifications of this event hold, and this one holds that. */
	isDocumented: boolean;
	/** The same whenever the same event is delivered, and another for every other event. */
	id: string;
	document?: NotifiedDocument;
	/** The one signatory that it is about. */
	signatory?: Person;
	/** Everybody that it is about: that one signatory, else all; and who was to be verified. */
	emails: string[];
	files: FileUrls;
	/** The identity request that it is about. */
	validationId?: string | undefined;
	/** When it was sent (ISO 8601). */
	addedOn?: string | undefined;
}

/** Events whose bodies are known; those of the other four are not. */
const documentedEvents = ['sendDocument', 'signDocument', 'completedDocument'];

/**
 * Reads a notification.
 * @param event The event type that it is of.
 * @param body As received and parsed.
 */
export function readNotification(event: string, body: IDataObject): Notification {
	const source = isObject(body.Document) ? body.Document : undefined;
	const { signatory } = webhookDataOf(source);
	const document = source && readDocument(source);
	const people = isObject(signatory) ? [readPerson(signatory)] : (document?.signatories ?? []);
	const emails = [...people.map(({ email }) => email), textOf(body.emailId)];
	return {
		event,
		body,
		isDocumented: source !== undefined && documentedEvents.includes(event),
		id: hashOf(partsOf(event, body) ?? [event, body]),
		...(document ? { document } : {}),
		...(signatory === undefined ? {} : { signatory: readPerson(signatory) }),
		emails: emails.map((email) => (email ?? '').trim().toLowerCase()).filter(Boolean),
		files: fileUrls(source),
		validationId: validationIdIn(body),
		addedOn: isoTime(body.addedOn),
	};
}

/**
 * The addresses of a document's files: beside the document's fields (`completedDocument`) or in its
 * `webhookData` (`sendDocument`). Some notifications lack one, or carry an empty text.
 */
export function fileUrls(document: unknown): FileUrls {
	const source = isObject(document) ? document : {};
	const data = webhookDataOf(source);
	return {
		document: firstText(source.documentURL, data.documentURL) ?? null,
		certificate: firstText(source.certificateURL, data.certificateURL) ?? null,
		pscCertificate: firstText(source.pscCertificateURL, data.pscUrl) ?? null,
	};
}

function readDocument(source: IDataObject): NotifiedDocument {
	const { documentID, _id, documentId, id, title, status, templateID } = source;
	return {
		ids: [documentID, _id, documentId, id].map(textOf).filter((text) => text !== ''),
		documentId: firstText(documentID, _id),
		...(title === undefined ? {} : { title: textOf(title) }),
		...(status === undefined ? {} : { status: textOf(status) }),
		...(templateID === undefined ? {} : { templateId: textOf(templateID).trim() }),
		addedOn: readMoment(source.addedOn),
		signatories: signatoriesOf(source.signatory),
	};
}

/** Who has just signed, or to whom it was sent, and sometimes the files (docs/service.md#notification-body). */
function webhookDataOf(document: IDataObject | undefined): IDataObject {
	return isObject(document?.webhookData) ? document.webhookData : {};
}

/**
 * Made of type, document, signatory and moment. Where one of these is missing, and where the
 * interface does not show the body, the ID is made of the whole body: rather the same event twice
 * than two events as one.
 */
function partsOf(event: string, body: IDataObject): string[] | undefined {
	const { Document: document } = body;
	if (!documentedEvents.includes(event) || !isObject(document)) return undefined;
	const { signatory } = webhookDataOf(document);
	const one = isObject(signatory) ? signatory : {};
	const who = firstText(one.signatoryID, one._id, one.emailID);
	const parts = [
		event,
		firstText(document.documentID, document._id),
		event === 'completedDocument' ? (who ?? '') : who,
		firstText(body.addedOn),
	];
	return parts.every((part) => part !== undefined) ? parts : undefined;
}

function hashOf(parts: unknown): string {
	const text = JSON.stringify(parts, sortedKeys);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The order of fields is no part of an event. */
function sortedKeys(_name: string, value: unknown): unknown {
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
	return Object.fromEntries(entries);
}

/**
 * The body of an identity event is not documented, so the names that the interface uses elsewhere
 * count, at the top or one level below it.
 */
function validationIdIn(body: IDataObject): string | undefined {
	for (const part of [body, ...Object.values(body).filter(isObject)]) {
		const { validationId, validationID, sessionId, sessionID } = part;
		const id = firstText(validationId, validationID, sessionId, sessionID);
		if (id !== undefined) return id;
	}
	return undefined;
}
