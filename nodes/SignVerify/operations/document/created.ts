import type { IDataObject } from 'n8n-workflow';

import type { CreateDocumentBody, Envelope } from '../../api/types';
import { firstText } from '../../reading/firstText';
import { placesIn } from '../../reading/places';
import { signatoriesOf } from '../../reading/signatory';
import { isoTime } from '../../reading/time';
import { isObject, readEnvelope } from '../../transport/envelope';
import type { Template } from '../template/templates';

/** Where an answer may hold the document, in lower case. */
const wrappers = ['responsedata', 'document', 'documents', 'data', 'result'];

/**
 * The objects in an answer that may describe the created document, innermost first. The answer is
 * not documented (docs/service.md#seen-documents): the document may stand one or two objects
 * or lists of one below the top.
 * @param answer The envelope, its `responseData`, or an output made from it.
 */
function documentsIn(answer: unknown): IDataObject[] {
	return placesIn(answer, (name) => wrappers.includes(name)).filter(
		// An envelope's own `status` or `id` is about the answer.
		(each) => readEnvelope(each) === undefined || idNamedIn(each) !== undefined,
	);
}

function idNamedIn(document: IDataObject): string | undefined {
	return firstText(document.documentID, document.documentId);
}

/**
 * The ID of a created document, under the names that the interface uses, or `id`.
 * @param answer The envelope, its `responseData`, or an output made from it.
 * @returns '' if there is none.
 */
export function createdDocumentId(answer: unknown): string {
	const documents = documentsIn(answer);
	const general = documents.map((each) => firstText(each._id, each.id));
	return firstText(...documents.map(idNamedIn), ...general) ?? '';
}

/**
 * The output of a creation, which may answer with the document, or with nothing but `success`.
 * @param simplify false gives the answer's `responseData` as it came, or the whole envelope where
 * it has none.
 */
export function createdDocument(
	envelope: Envelope,
	body: CreateDocumentBody,
	template: Template,
	simplify: boolean,
): IDataObject {
	const answered = isObject(envelope.responseData) ? envelope.responseData : {};
	if (!simplify) return Object.keys(answered).length ? answered : (envelope as IDataObject);
	const documents = documentsIn(envelope);
	const valueOf = (name: string) =>
		documents.map((each) => each[name]).find((value) => !isMissing(value));
	const documentId = createdDocumentId(envelope);
	const status = valueOf('status');
	const addedOn = valueOf('addedOn');
	const listed = signatoriesOf({ signatory: valueOf('signatory') });
	return {
		...(documentId === '' ? {} : { documentId }),
		title: valueOf('title') ?? template.name,
		...(status === undefined ? {} : { status }),
		templateId: body.templateID,
		country: body.country,
		signatories: listed.length
			? listed
			: body.signatories.map((each) => ({ ...each, signed: false })),
		...(addedOn === undefined ? {} : { addedOn: isoTime(addedOn) }),
	};
}

function isMissing(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Names a created document in the report of a run that failed later. */
export function nameOfCreated(output: IDataObject): string {
	const id = createdDocumentId(output);
	return id ? `document ${id}` : 'a document';
}
