import { jsonParse, type IN8nHttpFullResponse } from 'n8n-workflow';

import { errorWith } from '../util/async';
import { prepareJson } from '../util/json';
import type { Redact } from '../util/redact';
import { isEmpty, isFalse, isObject, isTrue, objectOf, parseUrl, textOf } from '../util/values';
import { refused, unclear } from './failures';
import { tooMuch } from './problems';
import { absenceStatuses, maxResponseBytes, readRetryAfter, type ServiceRequest } from './request';

export interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the response body of a call with `encoding: 'stream'`. n8n's HTTP client has no size limit, and a
 * compressed response can expand to a thousand times its size, so the body is read here.
 * @param signal When the signal is aborted, reading fails, and the connection is closed.
 * @param kind The kind of response, which determines its maximum size.
 * @returns The response. A JSON body is parsed, regardless of its content type. Any other body is a string.
 * Long integers become strings ({@link prepareJson}).
 * @throws Error with a code that {@link readNetworkError} recognizes, if the body is too large or nested too
 * deeply.
 */
export async function readBody(
	response: IN8nHttpFullResponse,
	signal: AbortSignal,
	kind: 'single' | 'list' = 'single',
): Promise<IN8nHttpFullResponse> {
	const { body } = response as { body: unknown };
	if (!isIncoming(body)) return response;
	const bytes = await readBytes(body, kind, signal);
	// The decoder removes a byte order mark.
	const text = new TextDecoder().decode(bytes);
	const json = prepareJson(text);
	if (json === undefined) throw errorWith(tooMuch, 'The response is nested too deeply');
	return { ...response, body: jsonParse<unknown>(json, { fallbackValue: text }) as never };
}

function isIncoming(body: unknown): body is Incoming {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Reads a body, and then closes the connection, even if reading fails.
 * @throws Error with a code that {@link readNetworkError} recognizes, if the body exceeds the limit.
 */
export async function readBytes(
	body: Incoming,
	kind: keyof typeof maxResponseBytes,
	signal: AbortSignal,
): Promise<Buffer> {
	const close = () => void body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);
	try {
		const pieces: Uint8Array[] = [];
		let length = 0;
		for await (const piece of body) {
			length += piece.length;
			if (length > maxResponseBytes[kind]) {
				throw errorWith(tooMuch, 'The response is too large');
			}
			pieces.push(piece);
		}
		return Buffer.concat(pieces);
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}

/** The object that wraps the content of every response (docs/dev/service.md#response-envelope). */
export interface Envelope {
	/** Missing from some responses to create calls (docs/dev/service.md#seen-documents). */
	responseData?: unknown;
	/**
	 * Template lists don't contain this. In some errors, it is a list of `{ msg }`
	 * (docs/dev/service.md#errors).
	 */
	message?: string | Array<{ msg?: string }>;
	success?: boolean;
	responseCode?: number;
}

interface Verdict {
	meaning: 'success' | 'refusal' | 'unclear';
	/**
	 * The effective status. It can differ from the HTTP status, because the body of an HTTP 200 response can
	 * report a failure with its own status.
	 */
	status: number;
}

/** A response together with its verdict. Each response is judged once, when it arrives. */
export interface JudgedResponse {
	response: IN8nHttpFullResponse;
	verdict: Verdict;
}

/** Judges a response (see the table in docs/dev/behavior.md#what-counts-as-success). */
export function verdictOf({ statusCode, body }: IN8nHttpFullResponse): Verdict {
	if (statusCode >= 300) return { meaning: 'refusal', status: statusCode };
	const { success, responseCode, error } = objectOf(body);
	const code = Number(textOf(responseCode));
	const namesFailure = code >= 300 || isError(error);
	const namesSuccess = isTrue(success) || (code >= 200 && code < 300);
	if (isFalse(success) || (namesFailure && !namesSuccess)) {
		return { meaning: 'refusal', status: code >= 300 ? code : 400 };
	}
	// A response that reports both success and failure is as unclear as a response that reports neither.
	const isSuccess = namesSuccess && !namesFailure;
	return { meaning: isSuccess ? 'success' : 'unclear', status: statusCode };
}

/**
 * Whether a body is the service's envelope, which contains `success` or a number in `responseCode`. A web
 * page, an empty object, or an object with only a message could come from any system between n8n and the
 * service.
 */
export function isEnvelope(body: unknown): boolean {
	const { success, responseCode } = objectOf(body);
	const code = textOf(responseCode).trim();
	return isTrue(success) || isFalse(success) || (code !== '' && Number.isFinite(Number(code)));
}

/**
 * Returns a refusal's status if it can be trusted to describe the requested object, for instance to say
 * that the object doesn't exist. Returns undefined if something other than the service, such as a proxy, may
 * have responded (docs/dev/behavior.md#how-a-rejection-is-interpreted).
 */
function serviceStatusOf(
	status: number,
	body: unknown,
	{ believedStatuses }: ServiceRequest,
): number | undefined {
	const isBelieved =
		believedStatuses && absenceStatuses.includes(status)
			? believedStatuses.includes(status)
			: isEnvelope(body);
	return isBelieved ? status : undefined;
}

/**
 * Whether a response's `error` field reports an error. Empty values, false and 0 don't, and neither do the
 * strings "false" and "0".
 */
function isError(error: unknown): boolean {
	if (isFalse(error)) return false;
	return textOf(error) !== '' || Object.keys(Object(error) as object).length > 0;
}

/**
 * Returns the envelope of a successful response.
 * @param origin The service's origin, for errors.
 * @throws ServiceError for every other response.
 */
export function readEnvelope(
	{ response, verdict }: JudgedResponse,
	request: ServiceRequest,
	origin: string,
	redact: Redact,
): Envelope {
	const { meaning, status } = verdict;
	const { body }: { body: unknown } = response;
	const envelope = objectOf(body);
	const hasList = !request.findList || Array.isArray(request.findList(envelope));
	// If the results of an identity verification don't exist yet, the response can be an empty object
	// (docs/dev/service.md#seen-identity).
	const isEmptyRead =
		request.kind === 'reading' && isObject(body) && Object.keys(body).length === 0;
	const isSuccess = meaning === 'success' || (meaning === 'unclear' && isEmptyRead);
	if (isSuccess && hasList) return envelope;
	const facts = { origin, status, body: describeBody(body, redact) };
	if (meaning !== 'refusal') {
		const words = meaning === 'success' || !isObject(body) ? '' : messageOf(body, redact);
		throw unclear({ ...facts, words, isForeign: words === '' }, request);
	}
	// The service responds with JSON, so any other text, such as a web page, must come from somewhere else,
	// such as a proxy. A 429 or a 5xx is handled the same way, no matter who responded.
	const isText = typeof body === 'string' && body !== '';
	const isForeign = isText && status >= 400 && status < 500 && status !== 429;
	const failed = {
		...facts,
		words: messageOf(body, redact),
		isForeign,
		retryAfterMs: readRetryAfter(response.headers['retry-after']),
		serviceStatus: serviceStatusOf(status, body, request),
		httpsOrigin: httpsOriginOf(origin, response.headers.location),
	};
	throw refused(failed, request);
}

/**
 * Returns the origin that a service redirects to if it only wants `https://` for the same host; otherwise
 * undefined.
 * @param url A URL of the service.
 */
export function httpsOriginOf(url: string, location: unknown): string | undefined {
	const called = parseUrl(url);
	const target = parseUrl(textOf(location));
	const isUpgrade = called?.protocol === 'http:' && target?.protocol === 'https:';
	return isUpgrade && called.hostname === target.hostname ? target.origin : undefined;
}

/** The maximum number of messages to read from a list. */
const maxMessageCount = 10;

/** The maximum length of the service's message in an error, in characters. */
const maxMessageLength = 300;

/** The maximum length of a field's name in one of the service's messages, in characters. */
const maxFieldLength = 200;

/**
 * Returns the service's own message from a response (docs/dev/service.md#messages). `message` is a string, or
 * a list of objects with `msg`. Such an object can name a field in the request, in `path` or `param`. A web
 * page, such as one from a gateway, isn't treated as a message.
 * @returns One line of at most 300 characters; empty if the body contains no message.
 */
export function messageOf(body: unknown, redact: Redact): string {
	const entries = isObject(body) ? [body.message, body.error, body.msg] : [body];
	const messages = entries
		.flat()
		.slice(0, maxMessageCount)
		.map((entry) => readMessage(entry, redact));
	return redact(messages.filter(Boolean).join('; '), maxMessageLength);
}

/** Reads a single message from the service. Begins it with the field's name, unless it contains the name. */
function readMessage(entry: unknown, redact: Redact): string {
	const { msg, message, path, param } = objectOf(entry);
	const text = typeof entry === 'string' ? entry : (msg ?? message);
	if (typeof text !== 'string' || isHtml(text)) return '';
	const words = redact(text, maxMessageLength);
	const field = redact(textOf(path ?? param), maxFieldLength);
	return field && words && !words.includes(field) ? `${field}: ${words}` : words;
}

/** The maximum number of field names in the description of a body, and the maximum length of each. */
const maxNameCount = 8;
const maxNameLength = 40;

/** How many of a page's first characters to search to determine what kind of page it is. */
const maxSearchedLength = 1000;

/**
 * Describes a response body in a few words. The description can contain field names from the body, but no
 * values.
 */
export function describeBody(body: unknown, redact: Redact): string {
	if (isEmpty(body)) return 'an empty body';
	if (typeof body === 'string' && wantsHttps.test(body.slice(0, maxSearchedLength))) {
		return 'a page that asks for https:// instead of http://';
	}
	if (typeof body === 'string') return isHtml(body) ? 'a web page' : "text that isn't JSON";
	const names = Object.keys(objectOf(body)).slice(0, maxNameCount);
	if (names.length === 0) return 'JSON without fields';
	return `JSON with the fields ${names.map((name) => redact(name, maxNameLength)).join(', ')}`;
}

/** Matches web servers' responses to a plain HTTP call on an HTTPS port. */
const wantsHttps =
	/plain HTTP request was sent to (?:an )?HTTPS port|HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled/i;

function isHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, maxSearchedLength));
}
