import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { firstText, isObject, isoTime, objectOf, readMoment, textOf } from '../util/values';
import { type Person, readPerson, signatoriesOf, type SignatoryStatus } from './documents';

/** The files of a document, by the names of their fields on an item. */
export type DocumentFile = 'document' | 'certificate' | 'pscCertificate';

/** The URLs of a document's files; null if the notification has none. */
type FileUrls = Record<DocumentFile, string | null>;

/** What outputs show of a document, in this order, and what filters read. Missing in the document, missing here. */
export interface DocumentSummary {
	documentId?: string | undefined;
	title?: string;
	status?: string;
	templateId?: string;
}

/** The document of a notification. */
export interface NotifiedDocument {
	/** Both its IDs; the answer to its creation may have had either of them. */
	ids: string[];
	summary: DocumentSummary;
	/** When it was created (epoch-ms); undefined if it does not say so. */
	addedOn: number | undefined;
	signatories: SignatoryStatus[];
}

/** A notification, read once (docs/dev/service.md#notification-body). Undocumented fields are only in `body`. */
export interface Notification {
	/** Its own type, or the event for which its URL was registered. */
	event: string;
	/** As received. */
	body: IDataObject;
	/** Whether the fields of this event are documented, and this notification has them. */
	isDocumented: boolean;
	/** The same each time the same event is delivered, and different for every other event. */
	id: string;
	document?: NotifiedDocument;
	/** The one signatory who signed, or to whom it was sent. */
	signatory?: Person;
	/** Of that one signatory, otherwise of all; and of the person to verify. */
	emails: string[];
	files: FileUrls;
	/** The ID of the identity request. */
	validationId?: string | undefined;
	/** When it was sent (ISO 8601). */
	addedOn?: string | undefined;
}

/** The bodies of the other four are not known. */
const documentedEvents = ['sendDocument', 'signDocument', 'completedDocument'];

/**
 * Reads a notification.
 * @param event Its event type.
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
 * The URLs of a document's files: among the document's fields (`completedDocument`) or in its
 * `webhookData` (`sendDocument`). A URL may be missing or empty.
 */
export function fileUrls(document: unknown): FileUrls {
	const source = objectOf(document);
	const data = webhookDataOf(source);
	return {
		document: firstText(source.documentURL, data.documentURL) ?? null,
		certificate: firstText(source.certificateURL, data.certificateURL) ?? null,
		pscCertificate: firstText(source.pscCertificateURL, data.pscUrl) ?? null,
	};
}

function readDocument(source: IDataObject): NotifiedDocument {
	const { documentID, _id, title, status, templateID } = source;
	return {
		ids: [documentID, _id].map(textOf).filter((text) => text !== ''),
		summary: {
			documentId: firstText(documentID, _id),
			...(title === undefined ? {} : { title: textOf(title) }),
			...(status === undefined ? {} : { status: textOf(status) }),
			...(templateID === undefined ? {} : { templateId: textOf(templateID).trim() }),
		},
		addedOn: readMoment(source.addedOn),
		signatories: signatoriesOf(source.signatory),
	};
}

/** Who has just signed, or to whom it was sent, and sometimes the files (docs/dev/service.md#notification-body). */
function webhookDataOf(document: IDataObject | undefined): IDataObject {
	return objectOf(document?.webhookData);
}

/**
 * The event, document, signatory and moment. If one of them is missing, or the body is not documented,
 * the ID is made from the whole body: two events must not be taken for one.
 */
function partsOf(event: string, body: IDataObject): string[] | undefined {
	const { Document: document } = body;
	if (!documentedEvents.includes(event) || !isObject(document)) return undefined;
	const { signatory } = webhookDataOf(document);
	const { signatoryID, _id, emailID } = objectOf(signatory);
	const who = firstText(signatoryID, _id, emailID);
	const parts = [
		event,
		firstText(document.documentID, document._id),
		event === 'completedDocument' ? (who ?? '') : who,
		firstText(body.addedOn),
	];
	return parts.every((part) => part !== undefined) ? parts : undefined;
}

function hashOf(parts: unknown): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/**
 * The body of an identity event is not documented. So the names that the interface uses elsewhere are
 * looked for, at the top and one level below it.
 */
function validationIdIn(body: IDataObject): string | undefined {
	for (const part of [body, ...Object.values(body).filter(isObject)]) {
		const id = firstText(part.validationId, part.sessionId);
		if (id !== undefined) return id;
	}
	return undefined;
}
