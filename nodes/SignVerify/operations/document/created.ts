import type { IDataObject } from 'n8n-workflow';

import type { CreateDocumentBody, Envelope } from '../../interface';
import { signatoriesOf } from '../../reading/signatory';
import { isoTime } from '../../reading/time';
import { isObject } from '../../transport/envelope';
import { textOf } from '../../transport/text';
import type { Template } from '../template/templates';

/**
 * The output of a creation. The answer is not documented (interface: "Response body: not shown"):
 * it may hold the document, or nothing but `success`.
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
	const listed = signatoriesOf(answered);
	return {
		...(answered.documentID === undefined ? {} : { documentId: answered.documentID }),
		title: answered.title ?? template.name,
		...(answered.status === undefined ? {} : { status: answered.status }),
		templateId: body.templateID,
		country: body.country,
		signatories: listed.length
			? listed
			: body.signatories.map((each) => ({ ...each, signed: false })),
		...(answered.addedOn === undefined ? {} : { addedOn: isoTime(answered.addedOn) }),
	};
}

/** Names a created document in the report of a run that failed later. */
export function nameOfCreated(output: IDataObject): string {
	const id = textOf(output.documentId ?? output.documentID);
	return id ? `document ${id}` : 'a document';
}
