import type { EndpointName } from '../../../sandbox/contract/endpoints';
import type { Envelope } from '../../../sandbox/contract/endpoints';
import { identityResults } from '../../../sandbox/service/identityResults';
import { derivedId } from '../../../sandbox/util/ids';
import type { ServiceAnswer } from './contract';
import type { ServiceVariants } from './variants';

type Members = Record<string, unknown>;

/** An answer of the sandbox. */
export interface PlainAnswer {
	status: number;
	headers: Record<string, string>;
	body: Envelope;
}

/** Puts an answer of the sandbox into the shape that the variants say. */
export function asVaried(
	answer: PlainAnswer,
	name: EndpointName | undefined,
	variants: ServiceVariants,
): ServiceAnswer {
	const isResults = name === 'GET /identity/session/results/:sessionId';
	const isUnknown = answer.body.responseCode === 404;
	if (isResults && isUnknown && variants.resultsBefore !== '404')
		return noResults(answer, variants);
	if (!answer.body.success) return refusal(answer, variants);
	return {
		...answer,
		body: shaped(answer.body.responseData as Members, answer.body, name, variants),
	};
}

function success(responseData: unknown): Envelope {
	return { responseData, message: 'OK', success: true, responseCode: 200 };
}

function shaped(
	data: Members,
	whole: Envelope,
	name: EndpointName | undefined,
	variants: ServiceVariants,
): unknown {
	switch (name) {
		case 'POST /access/token':
			return token(data.accessToken, whole, variants);
		case 'GET /templates/v2':
			if (variants.templates === 'top') return { ...data, success: true, responseCode: 200 };
			return variants.templates === 'data' ? success(data.templates) : whole;
		case 'POST /templates/createDocumentByTemplate':
		case 'POST /templates/createDocumentByTemplateV2':
			return created(documentSeen(data, variants), variants);
		case 'POST /webhooks':
		case 'POST /webhooks/verify':
			if (variants.registered === 'nothing') return success({});
			return variants.registered === 'whole' ? whole : success(without(data, 'webHookID'));
		case 'GET /identity/validation/request/:validationId':
			return success(requestSeen(data, variants));
		default:
			return whole;
	}
}

function token(value: unknown, whole: Envelope, { tokenAnswer }: ServiceVariants): unknown {
	switch (tokenAnswer) {
		case 'accessToken':
			return whole;
		case 'token':
			return success({ token: value });
		case 'text':
			return success(value);
		case 'topToken':
			return { token: value };
	}
}

function created(document: Members, { created: shape }: ServiceVariants): unknown {
	const { documentID, _id, status } = document;
	switch (shape) {
		case 'document':
			return success(document);
		case 'documentID':
			return success({ documentID, status });
		case '_id':
			return success({ _id, status });
		case 'documentId':
			return success({ documentId: documentID });
		case 'list':
			return success([document]);
		case 'inDocument':
			return success({ document });
		case 'withoutEnvelope':
			return document;
		case 'onlySuccess':
			return { success: true, message: 'OK' };
		case 'empty':
			return '';
	}
}

function documentSeen(document: Members, variants: ServiceVariants): Members {
	return {
		...document,
		...(variants.sameIds ? {} : { _id: otherIdOf(String(document.documentID)) }),
		...(variants.templateIdGiven ? {} : { templateID: '' }),
		...(variants.unknownFields ? unknownFields : {}),
	};
}

/** The `_id` of a document where that is not its documentID. */
export function otherIdOf(documentID: string): string {
	return derivedId(documentID);
}

function requestSeen(request: Members, variants: ServiceVariants): Members {
	if (request.status === 'COMPLETED') return { ...request, status: variants.finishedStatus };
	if (variants.sessionIdBefore === 'absent') return without(request, 'sessionId');
	return variants.sessionIdBefore === 'null' ? { ...request, sessionId: null } : request;
}

/** None of these is documented: they were seen (docs/dev/service.md#errors). */
function refusal(answer: PlainAnswer, { refusal: shape }: ServiceVariants): ServiceAnswer {
	const { headers, body, status } = answer;
	// With a status of 200 nothing else than the body says how long to wait.
	if (shape.endsWith('in 200') && status !== 429) {
		const { message, responseCode } = body;
		if (shape === 'code in 200') return { ...answer, status: 200, body: { message, responseCode } };
		const success = shape === 'text in 200' ? body.success : 'false';
		return { ...answer, status: 200, body: { ...body, success } };
	}
	if (shape === 'list') return { ...answer, body: { ...body, message: [{ msg: body.message }] } };
	if (shape !== 'page' || status === 200) return answer;
	const page = `<html><head><title>${body.message}</title></head><body></body></html>`;
	return { status, headers: { ...headers, 'content-type': 'text/html' }, body: page };
}

function noResults({ headers, body }: PlainAnswer, { resultsBefore }: ServiceVariants) {
	const none = { ...success({}), success: resultsBefore !== 'notASuccess', message: body.message };
	const isForm = resultsBefore === 'emptyForm' || resultsBefore === 'zeros';
	const results = blank(identityResults('pass', '').results, resultsBefore === 'zeros' ? 0 : '');
	const responseData = isForm ? { results, customerId: '' } : {};
	return { status: 200, headers, body: { ...none, responseData } };
}

/** The same form with nothing in it, and with this in place of a number. */
function blank(value: unknown, number: 0 | ''): unknown {
	if (typeof value === 'number') return number;
	if (typeof value !== 'object' || value === null) return '';
	const entries = Object.entries(value).map(([name, each]) => [name, blank(each, number)]);
	return Object.fromEntries(entries);
}

/** A notification about a document that is not completed (variants.ts, `stray`). */
export function strayBody(Document: object, { stray }: ServiceVariants): Members {
	const addedOn = Date.now();
	if (stray === 'untyped') return { Document, addedOn };
	const canceled = { ...Document, status: 'CANCELED', isCanceled: true };
	if (stray === 'canceled') return { type: 'completedDocument', Document: canceled, addedOn };
	return { type: stray, Document: stray === 'TEST' ? Document : canceled, addedOn };
}

/** Puts the body of a notification of the sandbox into the shape that the variants say. */
export function asSent(body: Members, variants: ServiceVariants): Members {
	const more = variants.unknownFields ? unknownFields : {};
	const document = body.Document as (Members & { signatory: SignatorySeen[] }) | undefined;
	if (!document) return { ...identitySeen(body, variants), ...more };
	const people = document.signatory.filter(({ signatoryID }) => signatoryID !== undefined);
	const isSigned = people.every((each) => Number(each.isSigned) === 1);
	const isEarly = variants.completesFirst && body.type === 'signDocument' && isSigned;
	const Document = documentSeen(document, variants);
	return { ...body, ...more, Document: isEarly ? { ...Document, status: 'COMPLETED' } : Document };
}

interface SignatorySeen {
	signatoryID?: string;
	isSigned?: number | string;
}

/** VERIFICATION_REQUEST_FINISHED, whose body is not documented. */
function identitySeen(
	{ type, addedOn, validationId, sessionId, ...rest }: Members,
	{ identityType, identityAddedOn, identityNames, finishedStatus }: ServiceVariants,
): Members {
	const names = {
		both: { validationId, sessionId },
		sessionId: { sessionId },
		nested: { data: { validationId } },
		apart: { sessionId: 'of-the-device', data: { validationId } },
		nothing: {},
	};
	const moment = identityAddedOn === 'iso' ? new Date(Number(addedOn)).toISOString() : addedOn;
	return {
		...rest,
		status: finishedStatus,
		...(identityType === 'absent' ? {} : { type: identityType === 'another' ? 'FACE' : type }),
		...(identityAddedOn === 'absent' ? {} : { addedOn: moment }),
		...names[identityNames],
	};
}

/** What a service may send beside what the interface names. */
const unknownFields = { notInTheInterface: { list: [1, 'two', null] } };

function without(members: Members, name: string): Members {
	return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
}
