import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { comparedEmail } from '../util/comparedEmail';
import { isoTime } from '../util/times';
import { firstText, isEmpty, isFalse, isObject, objectOf, textOf } from '../util/values';
import {
	type DocumentSummary,
	identifiersOf,
	isInvalid,
	samePersonAs,
	signatoriesOf,
	signatoryEntries,
	type SignatoryStatus,
	summaryOf,
} from './documents';
import { type DocumentMeaning, eventRow, isEvent, type SignatoryAction } from './events';
import { passedOf } from './identities';

/** A document's files. Each name is also the name of the file's binary field on the item. */
export type DocumentFile = 'document' | 'certificate' | 'pscCertificate';

export interface NotifiedDocument {
	source: IDataObject;
	/** The document's two IDs. The response to the create call may have contained either one. */
	ids: string[];
	summary: DocumentSummary;
	/** The sender's email address, in lowercase; '' if unknown. */
	sentBy: string;
	signatories: SignatoryStatus[];
	/**
	 * A document is open unless the notification clearly reports something else. `disputed` means that everyone
	 * has signed, but the service marks a signature as invalid and doesn't call the document completed.
	 */
	state: DocumentMeaning | 'disputed';
}

/** Whether an event is about a document, of which it may contain several IDs. */
export function isAboutDocument({ ids }: NotifiedDocument, documentId: string): boolean {
	return ids.includes(documentId);
}

/** A parsed notification (docs/dev/service.md#notification-body). Undocumented fields are only in `body`. */
export interface Notification {
	/** The event that the called URL is registered for. Each URL is registered for one event. */
	event: string;
	body: IDataObject;
	/**
	 * An ID that is the same for every delivery of an event, and different for every other event. The time is
	 * part of the ID only for events that can happen several times, such as sending a document.
	 */
	id: string;
	document?: NotifiedDocument;
	/**
	 * The document's signatory entries as the service sent them, but with the signatures that the event
	 * reports.
	 */
	entries: IDataObject[];
	/**
	 * The signatory that this event is about, in the format of an entry; undefined if the event isn't about a
	 * single signatory, or doesn't say which one.
	 */
	signatory?: IDataObject | undefined;
	/** That signatory's element in `entries`; undefined if the list doesn't contain exactly one for this person. */
	signatoryEntry?: IDataObject | undefined;
	files: Record<DocumentFile, string | null>;
	/** All values in the body that may be the ID of an identity request. */
	validationIds: string[];
	verified: VerifiedPerson;
	/** When the service sent the notification, that is, when the event happened (ISO 8601). */
	happenedAt?: string | undefined;
}

/**
 * What an identity event says about the person, named as in the identity operations' outputs. What it doesn't say is
 * null.
 */
export type VerifiedPerson = {
	/** null if there's no clear verdict. */
	passed: boolean | null;
	/** null if the event contains several that differ. */
	validationId: string | null;
	email: string | null;
	status: string | null;
	customerId: string | null;
};

/**
 * Matches the statuses that say that the signing process ended without a completed document. The service
 * documents none of them, so this only ends waits (as not completed), and never makes a document completed.
 */
const endedStatus = /^(?:void|cancel|revok|refus|reject|declin|expir|withdr|rechaz|anul)/i;

/**
 * Whether a URL registered for an event accepts notifications of this type. If the service doesn't document
 * the event's body, the URL also accepts unknown types, such as "FACE" (docs/dev/service.md#seen-webhooks).
 */
export function isTypeOf(event: string, type: unknown): boolean {
	if (isEmpty(type) || type === event) return true;
	return !hasDocumentedBody(event) && !isEvent(type);
}

/** Whether the service documents the event's body, which then always contains a document. */
export function hasDocumentedBody(event: string): boolean {
	return eventRow(event)?.body !== undefined;
}

/**
 * @param event The event that the URL is registered for.
 * @param body {@link isTypeOf} must have accepted its type.
 */
export function readNotification(event: string, body: IDataObject): Notification {
	const source = isObject(body.Document) ? body.Document : undefined;
	const data = objectOf(source?.webhookData);
	const document = source && readDocument(source, body.type);
	// The service doesn't document every event's body, so search its top two levels, apart from the document,
	// for the field names that the service uses in other responses. A response has a verification's results one
	// level deeper.
	const topLevels = [body, ...Object.values(body).filter(isObject)].filter(
		(level) => level !== source,
	);
	const levels = [...topLevels, ...topLevels.map(({ results }) => results).filter(isObject)];
	const textsNamed = (name: string) =>
		levels.map((level) => textOf(level[name]).trim()).filter(Boolean);
	const people = peopleOf(event, body, levels, document?.state === 'completed');
	const emails = emailNames.flatMap(textsNamed);
	const namedIds = textsNamed('validationId');
	const validationIds = [...new Set(namedIds.length > 0 ? namedIds : textsNamed('sessionId'))];
	const idParts = document && idPartsOf(event, document, firstText(body.addedOn));
	const statuses = textsNamed('status');
	const verdictOf = (word: string) => passedOf(undefined, word);
	const verdicts = [...statuses.map(verdictOf), ...levels.map(({ score }) => passedOf(score))];
	// An envelope can have a status of its own.
	const status = statuses.find((word) => verdictOf(word) !== null) ?? statuses[0] ?? null;
	const [customerId = null] = textsNamed('customerId');
	const hasFiles = eventRow(event)?.body?.files !== 'none';
	const linkIn = (first: unknown, second: unknown) =>
		(hasFiles && firstText(first, second)) || null;
	return {
		event,
		body,
		id: hashOfParts(idParts ?? [event, body]),
		...(document ? { document } : {}),
		...people,
		// The links are fields of the document (`completedDocument`) or of its `webhookData`
		// (`sendDocument`).
		files: {
			document: linkIn(source?.documentURL, data.documentURL),
			certificate: linkIn(source?.certificateURL, data.certificateURL),
			pscCertificate: linkIn(source?.pscCertificateURL, data.pscUrl),
		},
		validationIds,
		verified: {
			// One failure is enough, wherever it is.
			passed: [false, true].find((verdict) => verdicts.includes(verdict)) ?? null,
			validationId: onlyOne(validationIds) ?? null,
			email: new Set(emails.map(comparedEmail)).size === 1 ? (emails[0] ?? null) : null,
			status,
			customerId,
		},
		happenedAt: isoTime(body.addedOn),
	};
}

/** The names that the service uses for an email address. */
const emailNames = ['emailID', 'emailId', 'email'];

/**
 * Reads a document's signatories, and finds the one that the event is about. The event names this person in
 * `webhookData.signatory`, as documented, or in an object with the same name beside the document. If it does
 * neither, the person is taken from the document's list, but only if the event leaves no doubt about the
 * entry, because a wrong name would reach the wrong person.
 *
 * The list can be older than the signature that the event reports. If a document is completed, everyone has signed
 * about whom the list says nothing.
 */
function peopleOf(
	event: string,
	body: IDataObject,
	levels: IDataObject[],
	isCompleted: boolean,
): Pick<Notification, 'entries' | 'signatory' | 'signatoryEntry'> {
	const { signatory: list, webhookData } = objectOf(body.Document);
	const withSignature = (entry: IDataObject) =>
		isCompleted && isEmpty(entry.isSigned) ? { ...entry, isSigned: 1 } : entry;
	const entries = signatoryEntries(list).map(withSignature);
	const row = eventRow(event);
	const named = [objectOf(webhookData).signatory, body.signatory]
		.filter(isObject)
		.find((person) => identifiersOf(person).length > 0);
	const entry = named
		? onlyOne(entries.filter(samePersonAs(named)))
		: row?.signatory && entryOfEvent(row.signatory, entries, levels);
	if (!named && !entry) return { entries };
	const update = row?.signatory === 'signed' ? { isSigned: 1 } : {};
	const signatoryEntry = entry && { ...entry, ...update };
	return {
		entries: entries.map((one) => (signatoryEntry && one === entry ? signatoryEntry : one)),
		signatoryEntry,
		// What the event says about its signatory is the newest, but can be just an address.
		signatory: withSignature({ ...entry, ...withoutEmpty(named), ...update }),
	};
}

function entryOfEvent(
	action: SignatoryAction,
	entries: IDataObject[],
	levels: IDataObject[],
): IDataObject | undefined {
	return (
		onlyOne(entries) ??
		onlyOne(entries.filter(mentionedIn(levels))) ??
		(action === 'failed' ? onlyOne(entries.filter(isInvalid)) : undefined)
	);
}

/**
 * Returns a function that decides like {@link samePersonAs} whether one of the objects names an entry. It looks up
 * the entry instead of comparing it with each object, because a body can contain thousands of both.
 */
function mentionedIn(levels: IDataObject[]): (entry: IDataObject) => boolean {
	const ids = new Set<string>();
	const emailsWithId = new Set<string>();
	const emailsWithoutId = new Set<string>();
	for (const level of levels) {
		const id = textOf(level.signatoryID);
		const email = comparedEmail(
			emailNames.map((name) => level[name]).find((value) => !isEmpty(value)),
		);
		if (id) ids.add(id);
		if (email) (id ? emailsWithId : emailsWithoutId).add(email);
	}
	return (entry) => {
		const identifiers = identifiersOf(entry);
		if (identifiers.some((text) => emailsWithoutId.has(text))) return true;
		const id = textOf(entry.signatoryID);
		if (id) return ids.has(id);
		return identifiers.some((text) => ids.has(text) || emailsWithId.has(text));
	};
}

function onlyOne<Element>(list: Element[]): Element | undefined {
	return list.length === 1 ? list[0] : undefined;
}

function withoutEmpty(source: IDataObject = {}): IDataObject {
	return Object.fromEntries(Object.entries(source).filter(([, value]) => !isEmpty(value)));
}

function readDocument(source: IDataObject, type: unknown): NotifiedDocument {
	const signatories = signatoriesOf(source.signatory);
	const ids = [source.documentID, source._id].map(textOf).filter(Boolean);
	return {
		source,
		ids,
		summary: summaryOf(source, ids[0]),
		sentBy: comparedEmail(objectOf(source.createdBy).emailID),
		signatories,
		state: stateOfDocument(source, type, signatories),
	};
}

/**
 * Determines a document's state, as defined in the table in
 * docs/dev/behavior.md#how-a-document-event-is-interpreted. Only a status that is known to be good, or none at
 * all, makes a document completed.
 */
function stateOfDocument(
	{ status, isCanceled, isDeleted, signatory }: IDataObject,
	type: unknown,
	signatories: SignatoryStatus[],
): NotifiedDocument['state'] {
	const statusWord = textOf(status).trim().toUpperCase();
	// A flag is treated as set unless it's empty or clearly means "no".
	const isSet = (flag: unknown) => !isEmpty(flag) && !isFalse(flag);
	if (isSet(isCanceled) || isSet(isDeleted) || endedStatus.test(statusWord)) return 'canceled';
	if (statusWord === 'COMPLETED') return 'completed';
	const row = eventRow(type);
	const means = row?.about === 'document' ? row.means : 'open';
	const endsDocument = means !== 'open' && means !== 'completed';
	if (endsDocument) return means;
	// Some events arrive before the service has updated the status.
	const isPending =
		isEmpty(status) || (typeof status === 'string' && /^(?:PENDING)?$/.test(statusWord));
	const haveAllSigned = signatories.length > 0 && signatories.every(({ signed }) => signed);
	if (means !== 'completed' || !isPending || !haveAllSigned) return 'open';
	return signatoryEntries(signatory).some(isInvalid) ? 'disputed' : 'completed';
}

/**
 * Returns the values that together identify an event, or undefined if one of them is missing. In that case,
 * only the entire body identifies the event.
 */
function idPartsOf(
	event: string,
	{ source, ids: [id], state }: NotifiedDocument,
	happenedAt: string | undefined,
): unknown[] | undefined {
	const { signatoryID, _id, emailID } = objectOf(objectOf(source.webhookData).signatory);
	const parts = { document: id, signatory: firstText(signatoryID, _id, emailID), happenedAt };
	const { body, means } = eventRow(event) ?? {};
	const values = body?.idParts.map((name) => parts[name]);
	if (!values?.every(Boolean)) return undefined;
	// After a review, the service may report the same document as completed, which is another event.
	return [event, ...values, ...(means === 'completed' && state === 'disputed' ? [state] : [])];
}

function hashOfParts(parts: unknown): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
