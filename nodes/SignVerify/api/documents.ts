import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import type { Envelope } from '../http/response';
import {
	isEmpty,
	isObject,
	isoTime,
	isTrue,
	listOf,
	objectOf,
	optionalText,
	readMoment,
	textOf,
} from '../util/values';
import type { CreateDocumentBody, TemplateVersion } from './types';

const creationPaths: Record<TemplateVersion, string> = {
	v1: '/templates/createDocumentByTemplate',
	v2: '/templates/createDocumentByTemplateV2',
};

/**
 * Creates a document; the service mails its signatories
 * (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2).
 * @throws ServiceError; its `mayHaveCreated` says whether the document may exist.
 */
export async function createDocument(
	service: ServiceClient,
	version: TemplateVersion,
	body: CreateDocumentBody,
): Promise<Envelope> {
	return await service.call({
		kind: 'creating',
		noun: 'the document',
		path: creationPaths[version],
		body: body as unknown as IDataObject,
	});
}

/**
 * The ID of a document in its `responseData`. The answer to a creation is not
 * documented: a Document was seen, or no `responseData` (docs/dev/service.md#seen-documents). Anything
 * else counts as sent without an ID, because a wrong ID would wait for another document.
 * @returns '' if there is none.
 */
export function documentIdOf(document: unknown): string {
	const { documentID, _id } = objectOf(document);
	return textOf(documentID) || textOf(_id);
}

/** The first fields of an output about a Document, in this order. */
export type DocumentSummary = Partial<
	Record<'documentId' | 'title' | 'status' | 'templateId' | 'country', string>
>;

/**
 * Summarizes a Document without its people (docs/dev/service.md#document), under the names that the form uses.
 * @param documentId The ID of the document; undefined if the service returned none.
 * @returns The summary. A field that the document doesn't have is missing here as well.
 */
export function summaryOf(
	{ title, status, templateID, country }: IDataObject,
	documentId: string | undefined,
): DocumentSummary {
	return {
		...optionalText('documentId', documentId),
		...optionalText('title', title),
		...optionalText('status', status),
		...(templateID === undefined ? {} : { templateId: textOf(templateID).trim() }),
		...(isEmpty(country) ? {} : { country: textOf(country) }),
	};
}

/** Facts about a Document that the node knows from elsewhere. */
export interface KnownOfDocument {
	documentId?: string | undefined;
	country?: string | undefined;
	roles?: Role[] | undefined;
}

/**
 * Builds the part that all simplified outputs of a Document share: the output of sending it, of each event, and of a
 * wait.
 * @param source The Document as the service returned it.
 * @param known Facts that the node knows better than the source, because it may have sent the document itself.
 * @returns What is missing in both is missing here.
 */
export function outputOfDocument(
	source: IDataObject,
	{ documentId, country, roles }: KnownOfDocument,
): DocumentSummary & { signatories: SignatoryStatus[] } {
	return {
		...summaryOf({ ...source, country: country ?? source.country }, documentId),
		signatories: signatoriesOf(source.signatory).map((signatory) => withRole(signatory, roles)),
	};
}

/** A person whom a document names, without the links, which are as good as a signature. */
export interface Person extends IDataObject {
	email?: string | null;
	name?: string | null;
}

/** A signatory, and whether they have signed. */
export interface SignatoryStatus extends Person {
	signed: boolean;
}

/**
 * The signatories in a document's list, as received. Its last entry can be the document's creator
 * (docs/dev/service.md#document).
 */
export function signatoryEntries(list: unknown): IDataObject[] {
	return listOf(list)
		.filter(isObject)
		.filter((entry) => entry.signatoryID !== undefined || entry.userID === undefined);
}

/** Who signs a document, and whether they have. */
export function signatoriesOf(list: unknown): SignatoryStatus[] {
	return signatoryEntries(list).map(readSignatory);
}

/** @param entry Its `isSigned` is a number or a text (docs/dev/service.md#seen-documents). */
export function readSignatory(entry: IDataObject): SignatoryStatus {
	return { ...readPerson(entry), signed: isTrue(entry.isSigned) };
}

/** Who signs in which role of a template. */
export interface Role extends IDataObject {
	email: string;
	role: string;
}

/** A person with the role, if it is known. In a document, each email address is there only once. */
export function withRole<Someone extends Person>(person: Someone, roles: Role[] = []): Someone {
	const address = comparedEmail(person.email);
	const entry = roles.find(({ email }) => comparedEmail(email) === address);
	return entry ? { ...person, role: entry.role } : person;
}

/** When a signatory's link ends (epoch-ms); undefined if it does not end. */
export function expiryOf({ signing }: IDataObject): number | undefined {
	return readMoment(objectOf(signing).expiry);
}

/** What a log or an event can name a signatory by: the IDs, and the address as it is compared. */
export function namesOf({ signatoryID, _id, emailID }: IDataObject): string[] {
	return [textOf(signatoryID), textOf(_id), comparedEmail(emailID)].filter(Boolean);
}

/** An address as it is compared; '' if there is none. */
export function comparedEmail(email: unknown): string {
	return textOf(email).trim().toLowerCase();
}

/**
 * Reads from a document's log who signed when (docs/dev/service.md#logentry). It is read once, because log and
 * signatories can be thousands.
 * @returns A function that gives the time for a signatory (ISO 8601), or null if the log does not say so.
 */
export function signingTimes({ logsStatus }: IDataObject) {
	const times = new Map<string, string | undefined>();
	for (const entry of listOf(logsStatus).map(objectOf)) {
		if (entry.operationType !== 'SIGNED') continue;
		const id = textOf(objectOf(entry.operationData).signatoryID);
		const who = id || comparedEmail(objectOf(entry.operationBy).emailID);
		times.set(who, times.get(who) ?? isoTime(entry.addedOn));
	}
	return (signatory: IDataObject): string | null =>
		namesOf(signatory).flatMap((name) => times.get(name) ?? [])[0] ?? null;
}

/** The person behind a signatory. */
export function readPerson(signatory: unknown): Person {
	const { emailID, name } = objectOf(signatory);
	return {
		...optionalText('email', emailID),
		...optionalText('name', name),
	};
}
