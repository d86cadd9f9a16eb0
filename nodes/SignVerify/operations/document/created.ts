import type { IDataObject } from 'n8n-workflow';

import type { CreateDocumentBody, Envelope } from '../../interface';
import { isObject } from '../../transport/envelope';
import { textOf } from '../../transport/text';
import { isoTime } from '../../notifications/time';
import { isSignatory, isSigned } from '../../notifications/signatory';
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
	return {
		...(answered.documentID === undefined ? {} : { documentId: answered.documentID }),
		title: answered.title ?? template.name,
		...(answered.status === undefined ? {} : { status: answered.status }),
		templateId: body.templateID,
		country: body.country,
		signatories: signatoriesOf(answered, body),
		...(answered.addedOn === undefined ? {} : { addedOn: isoTime(answered.addedOn) }),
	};
}

/** Names a created document in the report of a run that failed later. */
export function nameOfCreated(output: IDataObject): string {
	const id = textOf(output.documentId ?? output.documentID);
	return id ? `document ${id}` : 'a document';
}

/** Who signs; without the signing links, which are as good as a signature. */
function signatoriesOf(answered: IDataObject, body: CreateDocumentBody): IDataObject[] {
	const listed = Array.isArray(answered.signatory)
		? (answered.signatory as unknown[]).filter(isSignatory)
		: [];
	if (listed.length === 0) return body.signatories.map((each) => ({ ...each, signed: false }));
	return listed.map((each) => ({ email: each.emailID, name: each.name, signed: isSigned(each) }));
}
