import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { endpointPaths } from '../http/endpoints';
import type { Envelope } from '../http/response';
import { comparedEmail } from '../util/comparedEmail';
import { cutText, onOneLine } from '../util/text';
import { isoTime, readTime } from '../util/times';
import {
	groupBy,
	isEmpty,
	isObject,
	isTrue,
	listOf,
	objectOf,
	optionalText,
	textOf,
} from '../util/values';
import { ProcessMemory } from '../util/processMemory';
import { nounOf } from './events';
import type { CreateDocumentBody, TemplateVersion } from './types';

/**
 * The accounts that returned no ID for a document that an execution was going to wait for. Until a response
 * contains an ID again, the node doesn't send any further documents to wait for (wait/documentIds.ts).
 */
export const accountsWithoutIds = new ProcessMemory<true>({
	bound: 200,
});

/**
 * Creates a document. The service then emails the signatories
 * (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2).
 * @throws ServiceError. Its `mayHaveCreated` is true if the document may have been created anyway.
 */
export async function createDocument(
	service: ServiceClient,
	version: TemplateVersion,
	body: CreateDocumentBody,
): Promise<Envelope> {
	// Read the account before the call, because no error may hide that the document was created.
	const { id: account } = await service.account();
	const envelope = await service.call({
		purpose: 'creating',
		noun: nounOf.document,
		path: endpointPaths.newDocument[version],
		body,
	});
	if (documentIdOf(envelope.responseData)) accountsWithoutIds.delete(account);
	return envelope;
}

/**
 * The service doesn't document the response to a create call (docs/dev/service.md#seen-documents). If it contains no
 * Document, don't guess the ID, because a wrong ID would make an execution wait for the wrong document.
 * @returns The ID; '' if it's unknown.
 */
export function documentIdOf(document: unknown): string {
	const { documentID, _id } = objectOf(document);
	return [documentID, _id].map(textOf).find((id) => id.trim()) ?? '';
}

/** The fields that every simplified Document output begins with, in this order. */
export type DocumentSummary = Partial<
	Record<'documentId' | 'title' | 'status' | 'templateId' | 'country', string>
>;

/** A document about which nothing is known, for outputs that always contain all fields. */
export const unknownDocument: Record<keyof (DocumentSummary & DocumentTimes), null> = {
	documentId: null,
	title: null,
	status: null,
	templateId: null,
	country: null,
	createdAt: null,
	sentAt: null,
};

/**
 * Summarizes a Document without its people (docs/dev/service.md#document). Fields that the document doesn't have are
 * left out.
 */
export function summaryOf(
	{ title, status, templateID, country }: IDataObject,
	documentId: string | undefined,
): DocumentSummary {
	return {
		...optionalText('documentId', documentId),
		...optionalText('title', title),
		...optionalText('status', status),
		...optionalText('templateId', templateID && textOf(templateID).trim()),
		...(isEmpty(country) ? {} : { country: textOf(country) }),
	};
}

/**
 * Reads when a Document was created, and when it was first sent to a signatory. The second time comes from the
 * document's log (docs/dev/service.md#logentry), because nothing else says that the document was sent.
 * @returns The times in ISO 8601 format. A time that is unknown is left out.
 */
export function timesOf({ addedOn, logsStatus }: IDataObject): DocumentTimes {
	const firstSent = firstOf(sentEntries(logsStatus).map(({ time }) => time));
	return {
		...optionalText('createdAt', isoTime(addedOn)),
		...optionalText('sentAt', isoTime(firstSent)),
	};
}

/** The times are epoch-ms. */
function sentEntries(logsStatus: unknown): Array<{ signatoryId: string; time: number }> {
	return listOf(logsStatus)
		.map(objectOf)
		.filter(({ operationType }) => operationType === 'SENT_FOR_SIGNATURE')
		.flatMap(({ operationData, addedOn }) => {
			const time = readTime(addedOn);
			if (time === undefined) return [];
			return [{ signatoryId: textOf(objectOf(operationData).signatoryID), time }];
		});
}

function firstOf(times: number[]): number | undefined {
	return times.reduce<number | undefined>(
		(first, time) => (first === undefined ? time : Math.min(first, time)),
		undefined,
	);
}

/**
 * Reads from a document's log when it was first sent to each of its signatories. With a signing order, that's a
 * different time for each of them. An entry that names none of them is about all of them.
 * @returns A function that returns the time (epoch-ms) for a signatory; undefined if the log doesn't contain it.
 */
export function sentTimes({ logsStatus }: IDataObject, signatories: IDataObject[]) {
	const known = new Set(signatories.flatMap(identifiersOf));
	const times = groupBy(sentEntries(logsStatus), ({ signatoryId }) =>
		known.has(signatoryId) ? signatoryId : '',
	);
	const firstTimes = new Map(
		[...times].map(([who, entries]) => [who, firstOf(entries.map(({ time }) => time))]),
	);
	return (signatory: IDataObject): number | undefined =>
		firstOf(['', ...identifiersOf(signatory)].flatMap((who) => firstTimes.get(who) ?? []));
}

export type DocumentTimes = Partial<Record<'createdAt' | 'sentAt', string>>;

/**
 * A person in a document, without the signing link. Anyone who has this link can sign as this person.
 */
export type Person = {
	email?: string | null;
	name?: string | null;
};

export type SignatoryStatus = Person & {
	signed: boolean;
};

/**
 * Returns a document's signatory entries, without the document's creator, whom the service may list as the last entry
 * (docs/dev/service.md#document).
 */
export function signatoryEntries(list: unknown): IDataObject[] {
	return listOf(list)
		.filter(isObject)
		.filter((entry) => entry.signatoryID !== undefined || entry.userID === undefined);
}

export function signatoriesOf(list: unknown): SignatoryStatus[] {
	return signatoryEntries(list).map(readSignatory);
}

/** The service sends `isSigned` as a number or as a string (docs/dev/service.md#seen-documents). */
export function readSignatory(entry: IDataObject): SignatoryStatus {
	return { ...readPerson(entry), signed: isTrue(entry.isSigned) };
}

/** Whether the service marks a signatory's signature, or its identity check, as invalid. */
export function isInvalid(entry: IDataObject): boolean {
	return isTrue(entry.isInvalidSignature);
}

/** A person, and the template role they sign as. */
export type Role = {
	email: string;
	role: string;
};

export function withRole<Someone extends Person>(person: Someone, roles: Role[] = []): Someone {
	const address = comparedEmail(person.email);
	const entry = roles.find(({ email }) => comparedEmail(email) === address);
	return entry ? { ...person, role: entry.role } : person;
}

/** Returns the time (epoch-ms) when a signatory's link expires; undefined if it doesn't expire. */
export function expiryOf({ signing }: IDataObject): number | undefined {
	return readTime(objectOf(signing).expiry);
}

/**
 * Returns every identifier that a log or an event may use for a signatory: the IDs and the normalized email
 * address.
 */
export function identifiersOf({ signatoryID, _id, emailID }: IDataObject): string[] {
	return [textOf(signatoryID), textOf(_id), comparedEmail(emailID)].filter(Boolean);
}

/**
 * Returns a function that decides whether an entry is about the same signatory as another one. The entries may
 * contain different kinds of IDs, so one shared identifier is enough. However, if both entries have a
 * `signatoryID`, only that ID is compared, because two people can share an email address.
 */
export function samePersonAs(person: IDataObject): (entry: IDataObject) => boolean {
	const personId = textOf(person.signatoryID);
	const identifiers = new Set(identifiersOf(person));
	return (entry) => {
		const id = textOf(entry.signatoryID);
		if (id && personId) return id === personId;
		return identifiersOf(entry).some((text) => identifiers.has(text));
	};
}

/** A time or an IP address is shorter. One log entry can be shown for thousands of signatories, so cut its text. */
const maxLogText = 100;

/**
 * Reads the signatures from a document's log (docs/dev/service.md#logentry). Reads the log only once, because
 * a log can have thousands of entries, and a document can have thousands of signatories.
 * @returns A function that returns the `addedOn` and the `sourceIP` of the log's entry for a signatory's signature,
 * or an empty object if the log has no such entry with a time.
 */
export function signatureEntries({ logsStatus }: IDataObject) {
	const entries = new Map<string, IDataObject>();
	for (const entry of listOf(logsStatus).map(objectOf)) {
		if (entry.operationType !== 'SIGNED' || !isoTime(entry.addedOn)) continue;
		const id = textOf(objectOf(entry.operationData).signatoryID);
		const who = id || comparedEmail(objectOf(entry.operationBy).emailID);
		if (entries.has(who)) continue;
		const [addedOn, sourceIP] = [entry.addedOn, entry.sourceIP].map((value) =>
			textOf(value).slice(0, maxLogText),
		);
		entries.set(who, { addedOn, sourceIP });
	}
	return (signatory: IDataObject): IDataObject =>
		identifiersOf(signatory)
			.map((text) => entries.get(text))
			.find((entry) => entry !== undefined) ?? {};
}

export function readPerson(signatory: unknown): Person {
	const { emailID, name } = objectOf(signatory);
	return {
		...optionalText('email', emailID),
		...optionalText('name', name),
	};
}

/**
 * Names people in one line of text, each by their name, or else by their address. People with neither are left out.
 * @param maxLength How long the names can be, not counting the words about those that are left out.
 * @returns "Ana, Ben, and 12 more" if the names are too long for a line.
 */
export function namesOf(people: Person[], maxLength: number): string {
	const names = people.map(({ name, email }) => onOneLine(textOf(name)) || textOf(email).trim());
	const known = names.filter(Boolean);
	const shown: string[] = [];
	let length = 0;
	for (const name of known) {
		length += name.length + (shown.length > 0 ? ', '.length : 0);
		if (length > maxLength && shown.length > 0) break;
		shown.push(cutText(name, maxLength));
	}
	const leftOut = known.length - shown.length;
	return [...shown, ...(leftOut > 0 ? [`and ${leftOut} more`] : [])].join(', ');
}
