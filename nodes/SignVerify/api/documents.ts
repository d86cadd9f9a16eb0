import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { readEnvelope } from '../http/response';
import { firstText, isObject, listOf, objectOf, placesIn, textOf } from '../util/values';
import { type FormLabels, labelFor } from './labels';
import type { TemplateVersion } from './templates';
import type { CreateDocumentBody, Envelope } from './types';

const creationPaths: Record<TemplateVersion, string> = {
	v1: '/templates/createDocumentByTemplate',
	v2: '/templates/createDocumentByTemplateV2',
};

/**
 * Creates a document; the service mails its signatories
 * (docs/dev/service.md#create-a-document-version-1, #create-a-document-version-2).
 * @param labels What the form calls the values, if the service refuses one.
 * @throws ServiceError; its `mayHaveCreated` says whether the document may exist.
 */
export async function createDocument(
	service: ServiceClient,
	version: TemplateVersion,
	body: CreateDocumentBody,
	labels: FormLabels = {},
): Promise<Envelope> {
	return await service.call({
		method: 'POST',
		path: creationPaths[version],
		body: body as unknown as IDataObject,
		creates: 'the document',
		labelFor: (path) => labelFor('document', path, labels),
	});
}

/** Members of an answer that may have the document, in lower case. */
const wrappers = ['responsedata', 'document', 'documents', 'data', 'result'];

/**
 * The objects in an answer that may describe the created document, innermost first. The answer is not
 * documented: the document may be in one or two objects or lists of one (docs/dev/service.md#seen-documents).
 * @param answer The envelope, its `responseData`, or an output made from it.
 */
export function documentsIn(answer: unknown): IDataObject[] {
	return placesIn(answer, (name) => wrappers.includes(name)).filter(
		// An envelope's own `status` or `id` is about the answer.
		(each) => readEnvelope(each) === undefined || idNamedIn(each) !== undefined,
	);
}

/** The ID of a created document in an answer, or in an output made from it; '' if there is none. */
export function createdDocumentId(answer: unknown): string {
	const documents = documentsIn(answer);
	const general = documents.map((each) => firstText(each._id, each.id));
	return firstText(...documents.map(idNamedIn), ...general) ?? '';
}

function idNamedIn(document: IDataObject): string | undefined {
	return firstText(document.documentID, document.documentId);
}

/** A person whom a document names, without the links, which are as good as a signature. */
export interface Person extends IDataObject {
	email?: string;
	name?: string;
}

/** A signatory, and whether they have signed. */
export interface SignatoryStatus extends Person {
	signed: boolean;
}

/**
 * Who signs a document, and whether they have. The last entry of the list can be the document's creator
 * (docs/dev/service.md#document). `isSigned` is a number or a text (docs/dev/service.md#seen-documents).
 */
export function signatoriesOf(list: unknown): SignatoryStatus[] {
	return listOf(list)
		.filter(isObject)
		.filter((each) => each.signatoryID !== undefined || each.userID === undefined)
		.map((each) => ({
			...readPerson(each),
			signed: ['1', 'true'].includes(textOf(each.isSigned).toLowerCase()),
		}));
}

/** The person behind a signatory. */
export function readPerson(signatory: unknown): Person {
	const { emailID, name } = objectOf(signatory);
	return {
		...(emailID === undefined ? {} : { email: textOf(emailID) }),
		...(name === undefined ? {} : { name: textOf(name) }),
	};
}
