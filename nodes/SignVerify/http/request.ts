import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { dayMs, readMoment } from '../util/times';
import { textOf } from '../util/values';

export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

export const credentialType = 'signVerifyApi';

/**
 * The maximum number of decompressed bytes to read from a response. n8n holds each file in memory until the
 * file is stored.
 */
export const maxResponseBytes = { single: 2_000_000, list: 8_000_000, file: 100_000_000 };

/**
 * What a call is for. The purpose determines the HTTP method and whether the call may be retried (retry.ts).
 * - `creating` creates something that users asked for: a document, an identity request, or a webhook.
 * - `registering` creates a webhook for a trigger or a wait. If its response is lost, there's no need to
 *   check whether the webhook exists, because the node later compares its webhooks with the service's list
 *   and drops repeated events.
 * - `file` is a download from a storage server, not from the service.
 */
export type CallPurpose = 'creating' | 'registering' | 'reading' | 'deleting' | 'file';

export const methods: Record<Exclude<CallPurpose, 'file'>, IHttpRequestMethods> = {
	creating: 'POST',
	registering: 'POST',
	reading: 'GET',
	deleting: 'DELETE',
};

/**
 * What a call does. For a create call, `noun` is how messages refer to the created object, including the
 * article: "the document".
 */
export type Action =
	{ purpose: 'creating'; noun: string } | { purpose: 'registering' | 'reading' | 'deleting' };

export type ServiceRequest = Action & {
	/** The path below the Base URL, such as `/templates/v2`. Values in the path must be URI-encoded. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/**
	 * Finds the list in the response. Set this only for calls that return a list, because lists have a higher
	 * size limit than other responses.
	 */
	findList?: (envelope: IDataObject) => unknown;
	/**
	 * The {@link absenceStatuses} to trust even if a proxy may have responded. If this is set, the other
	 * absence statuses are never trusted. If this is undefined, all of them are trusted, but only in a
	 * response from the service itself.
	 */
	believedStatuses?: number[];
	/** Request values to remove from messages, in addition to the credential's own secrets. */
	secrets?: string[];
};

interface CallParts {
	method: IHttpRequestMethods;
	qs?: IDataObject | undefined;
	body?: IDataObject | undefined;
}

export function httpOptions(
	url: string,
	{ method, qs, body }: CallParts,
	timeoutMs: number,
): IHttpRequestOptions {
	// A DELETE request needs the content type even though it has no body
	// (docs/dev/service.md#delete-a-webhook).
	const hasContentType = body !== undefined || method === 'DELETE';
	return {
		method,
		url,
		headers: {
			accept: 'application/json',
			...(hasContentType ? { 'content-type': 'application/json' } : {}),
		},
		...(qs ? { qs } : {}),
		// Send a string, because the HTTP client drops object properties with names such as "constructor".
		...(body ? { body: JSON.stringify(body) } : {}),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Following a redirect would send the token to an unchecked URL.
		disableFollowRedirect: true,
		// Read the stream ourselves (response.ts), because n8n's client would read a response of any size.
		encoding: 'stream',
		timeout: timeoutMs,
	};
}

/** The statuses that mean "doesn't exist". */
export const absenceStatuses = [404, 405, 410];

/** The formats of a date in HTTP (RFC 9110). All times are in UTC, although the last format doesn't say so. */
const httpDates = [
	/^[a-z]{3}, \d\d? [a-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/i,
	/^[a-z]{6,9}, \d\d?-[a-z]{3}-\d\d \d\d:\d\d:\d\d GMT$/i,
	/^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i,
];

/** A number of seconds that is longer than this isn't a delay. */
const maxDelayMs = 365 * dayMs;

/**
 * Parses a Retry-After header, which contains seconds or a date. If a number is too large for a delay, it is read as
 * a moment, in seconds or milliseconds since 1970.
 * @returns Milliseconds from now; undefined if the header is unreadable or in the past.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text = textOf(Array.isArray(value) ? value[0] : value).trim();
	const now = Date.now();
	const isNumber = /^\d+(?:\.\d+)?$/.test(text);
	const number = Number(text);
	// Date.parse() alone would read "40 (seconds)" as the year 2040.
	const isHttpDate = httpDates.some((format) => format.test(text));
	const moment = isHttpDate ? Date.parse(`${text.replace(/ GMT$/i, '')} GMT`) : readMoment(text);
	const waitMs = isNumber
		? [number * 1000, number * 1000 - now, number - now].find((ms) => ms <= maxDelayMs)
		: (moment ?? NaN) - now;
	return waitMs !== undefined && waitMs > 0 ? waitMs : undefined;
}
