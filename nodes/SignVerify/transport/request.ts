import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { Complaint } from './envelope';
import type { CallKind } from './retry';

/** A refusal of a value, for the person who entered it. */
export interface RefusedField {
	/** The field's name as the form shows it. */
	field: string;
	/** Why it is refused, as the rest of a sentence that begins with the name. */
	reason: string;
}

/** One call to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Below the base address: `/templates/v2`. Values in it must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/**
	 * What the call brings into being, as a noun with its article ("the document"). Set for calls
	 * that must not be repeated: when such a call is lost, the error says that it may have worked.
	 */
	creates?: string;
	/** For deletions: an answer that says 404 counts as a success. */
	ignoreNotFound?: boolean;
	/** For deletions: never twice, since "not found" the second time could not be understood. */
	noRetry?: boolean;
	/**
	 * Says what the service refuses in the words of the form.
	 * @returns undefined where it is not about a field that is known.
	 */
	explain?: (complaint: Complaint) => RefusedField | undefined;
	/** Values in the request, besides the credential's, that no message may show. */
	secrets?: string[];
}

/** What a call does, for the question whether it may be made again. */
export function kindOf({ method, noRetry }: ServiceRequest): CallKind {
	if (method === 'GET') return 'read';
	return method === 'DELETE' && !noRetry ? 'delete' : 'create';
}

/** The call as n8n's HTTP helper takes it, without what authenticates it. */
export function httpOptions(
	url: string,
	request: ServiceRequest,
	timeout: number,
): IHttpRequestOptions {
	// The content type goes with the delete although there is no body (docs/service.md#delete-a-webhook).
	const hasType = request.body !== undefined || request.method === 'DELETE';
	return {
		method: request.method,
		url,
		headers: {
			accept: 'application/json',
			...(hasType ? { 'content-type': 'application/json' } : {}),
		},
		...(request.qs ? { qs: request.qs } : {}),
		// As text: the HTTP client drops members of an object that are called "constructor" or so.
		...(request.body ? { body: JSON.stringify(request.body) } : {}),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the token to an address that nobody has checked.
		disableFollowRedirect: true,
		// The client itself would read an answer of any size (body.ts).
		encoding: 'stream',
		timeout,
	};
}
