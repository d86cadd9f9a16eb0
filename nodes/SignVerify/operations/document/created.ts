import type { IDataObject } from 'n8n-workflow';

import { createdDocumentId, documentsIn, readSignatories } from '../../api/documents';
import type { Template } from '../../api/templates';
import type { CreateDocumentBody, Envelope } from '../../api/types';
import { isObject, isoTime } from '../../util/values';

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
	const listed = readSignatories(valueOf('signatory'));
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
