import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { day } from '../util/values';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

export const credentialType = 'signVerifyApi';

/** The most bytes of an answer that are read, once unpacked. n8n has a file in memory until it is stored. */
export const maxAnswer = { single: 2_000_000, list: 8_000_000, file: 100_000_000 };

/**
 * What a call does, which decides its HTTP method, and whether it may be made again (retry.ts).
 * - `creating` makes something for people: a document, a request, a webhook that they have asked for.
 * - `registering` makes a webhook for a trigger or a wait. If its response is lost, nobody has to look for it: the
 *   node compares its webhooks with those at the service, and a repeated event is dropped.
 * - `file` is a download, which comes from a storage and not from the service.
 */
export type CallKind = 'creating' | 'registering' | 'reading' | 'deleting' | 'file';

/** The method of each kind of call to the service. */
export const methods: Record<Exclude<CallKind, 'file'>, IHttpRequestMethods> = {
	creating: 'POST',
	registering: 'POST',
	reading: 'GET',
	deleting: 'DELETE',
};

/** What a call to the service does. What creates says what, as a noun with its article: "the document". */
export type Action =
	{ kind: 'creating'; noun: string } | { kind: 'registering' | 'reading' | 'deleting' };

/** One call to the service. */
export type ServiceRequest = Action & {
	/** Below the Base URL: `/templates/v2`. Values in it must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** Where the list is in the response, if it has to be one. It may be larger than another response. */
	findList?: (envelope: IDataObject) => unknown;
	/**
	 * Those of {@link absenceStatuses} that are believed, whoever answers with them; no other one is. Without it,
	 * all of them are believed, if the service itself answers.
	 */
	believedStatuses?: number[];
	/** Values in the request that no message may show; those of the credential are added. */
	secrets?: string[];
};

/** What of a call goes out besides its URL and its headers. */
interface CallParts {
	method: IHttpRequestMethods;
	qs?: IDataObject | undefined;
	body?: IDataObject | undefined;
}

/** The call for n8n's HTTP helper, without authentication. */
export function httpOptions(
	url: string,
	{ method, qs, body }: CallParts,
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

/** The statuses which say that what a call asks for is not there. */
export const absenceStatuses = [404, 405, 410];

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now, a year at most; undefined if it is missing, not readable, or over.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	const isNumber = text !== '' && Number.isFinite(seconds);
	const wait = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
	return wait > 0 ? Math.min(wait, 365 * day) : undefined;
}
