import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { dayMs } from '../util/values';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

export const credentialType = 'signVerifyApi';

/** The maximum number of unpacked bytes that are read from a response. n8n holds a file in memory until it is stored. */
export const maxResponseBytes = { single: 2_000_000, list: 8_000_000, file: 100_000_000 };

/**
 * The kinds of calls. The kind decides the HTTP method, and whether the call may be made again (retry.ts).
 * - `creating` makes something for people: a document, a request, or a webhook that they asked for.
 * - `registering` makes a webhook for a trigger or a wait. If its response is lost, no person has to look for the webhook,
 *   because the node compares its webhooks with the service's list, and drops repeated events.
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

/** The purpose of a call. A creating call names the thing that it creates, as a noun with its article: "the document". */
export type Action =
	{ kind: 'creating'; noun: string } | { kind: 'registering' | 'reading' | 'deleting' };

/** One call to the service. */
export type ServiceRequest = Action & {
	/** The path below the Base URL, such as `/templates/v2`. Values in the path must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** Finds the list in the response, if a list is expected. A list may be larger than other responses. */
	findList?: (envelope: IDataObject) => unknown;
	/**
	 * Which of the {@link absenceStatuses} mean that the thing does not exist, no matter who has responded. By default, all
	 * of them do, but only in a response of the service itself.
	 */
	believedStatuses?: number[];
	/** Values of the request that no message may show, in addition to the credential's own secrets. */
	secrets?: string[];
};

/** The parts of a call besides its URL and its headers. */
interface CallParts {
	method: IHttpRequestMethods;
	qs?: IDataObject | undefined;
	body?: IDataObject | undefined;
}

/** Makes the options of a call for n8n's HTTP helper, without authentication. */
export function httpOptions(
	url: string,
	{ method, qs, body }: CallParts,
	timeoutMs: number,
): IHttpRequestOptions {
	// A deletion needs the content type although it has no body (docs/dev/service.md#delete-a-webhook).
	const hasContentType = body !== undefined || method === 'DELETE';
	return {
		method,
		url,
		headers: {
			accept: 'application/json',
			...(hasContentType ? { 'content-type': 'application/json' } : {}),
		},
		...(qs ? { qs } : {}),
		// Send text, because the HTTP client drops members of an object that have names such as "constructor".
		...(body ? { body: JSON.stringify(body) } : {}),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the token to an unchecked URL.
		disableFollowRedirect: true,
		// Read the stream ourselves (response.ts), because the client would read a response of any size.
		encoding: 'stream',
		timeout: timeoutMs,
	};
}

/** The statuses that mean "there is no such thing". */
export const absenceStatuses = [404, 405, 410];

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now, up to a year; undefined if the header is missing, unreadable, or in the past.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	const isNumber = text !== '' && Number.isFinite(seconds);
	const waitMs = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
	return waitMs > 0 ? Math.min(waitMs, 365 * dayMs) : undefined;
}
