import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { type CallKind } from './retry';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

export const credentialType = 'signVerifyApi';

/** The most bytes of an answer that are read, once unpacked. n8n has a file in memory until it is stored. */
export const maxAnswer = { single: 2_000_000, list: 8_000_000, file: 100_000_000 };

/** One call to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Below the Base URL: `/templates/v2`. Values in it must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** Where the list is in the answer, if it has to be one. It may be larger than another answer. */
	findList?: (envelope: IDataObject) => unknown;
	/**
	 * What the call creates, as a noun with its article ("the document"). Such a call is not retried if
	 * its answer is lost; the error then says that it may have worked.
	 */
	creates?: string;
	/** Values in the request that no message may show; those of the credential are added. */
	secrets?: string[];
}

/** What a call does, which decides how often it is tried. */
export function kindOf({ method }: ServiceRequest): CallKind {
	return method === 'GET' ? 'reading' : method === 'DELETE' ? 'deleting' : 'creating';
}

/** The call for n8n's HTTP helper, without authentication. */
export function httpOptions(
	url: string,
	{ method, qs, body }: Pick<ServiceRequest, 'method' | 'qs' | 'body'>,
	timeout: number,
): IHttpRequestOptions {
	// A deletion has the content type, although it has no body (docs/dev/service.md#delete-a-webhook).
	const hasType = body !== undefined || method === 'DELETE';
	return {
		method,
		url,
		headers: {
			accept: 'application/json',
			...(hasType ? { 'content-type': 'application/json' } : {}),
		},
		...(qs ? { qs } : {}),
		// As text, because the HTTP client drops members of an object with names such as "constructor".
		...(body ? { body: JSON.stringify(body) } : {}),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the token to a URL that nobody has checked.
		disableFollowRedirect: true,
		// The client itself would read an answer of any size (response.ts).
		encoding: 'stream',
		timeout,
	};
}
