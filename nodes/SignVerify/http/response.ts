import { type IDataObject, type IN8nHttpFullResponse, jsonParse } from 'n8n-workflow';

import { errorWith } from '../util/async';
import { prepareJson } from '../util/json';
import { normalName } from '../util/names';
import type { Redact } from '../util/redact';
import { parseUrl } from '../util/urls';
import { isEmpty, isFalse, isObject, isTrue, listOf, objectOf, textOf } from '../util/values';
import { refused, unclear } from './failures';
import { tooMuch } from './callProblems';
import { absenceStatuses, maxResponseBytes, readRetryAfter, type ServiceRequest } from './request';

export interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the response body of a call with `encoding: 'stream'`. n8n's HTTP client has no size limit, and a
 * compressed response can expand to a thousand times its size, so the body is read here.
 * @param signal When the signal is aborted, reading fails, and the connection is closed.
 * @param shape What the response contains, which determines its maximum size.
 * @returns The response. A JSON body is parsed, regardless of its content type. Any other body is a string.
 * Long integers become strings ({@link prepareJson}).
 * @throws Error with a code that {@link readNetworkError} recognizes, if the body is too large or nested too
 * deeply.
 */
export async function readBody(
	response: IN8nHttpFullResponse,
	signal: AbortSignal,
	shape: 'single' | 'list' = 'single',
): Promise<IN8nHttpFullResponse> {
	const { body } = response as { body: unknown };
	if (!isIncoming(body)) return response;
	const bytes = await readBytes(body, shape, signal);
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
 * Closes the connection even if reading fails.
 * @throws Error with a code that {@link readNetworkError} recognizes, if the body exceeds the limit.
 */
export async function readBytes(
	body: Incoming,
	shape: keyof typeof maxResponseBytes,
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
			if (length > maxResponseBytes[shape]) {
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
	/** The status in words, if a response with HTTP 2xx reports a failure without a status of its own. */
	statusWords?: string;
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
		if (code >= 300) return { meaning: 'refusal', status: code };
		const sign = isFalse(success) ? 'success is false' : 'it contains an error';
		return { meaning: 'refusal', status: 400, statusWords: `${statusCode}, but ${sign}` };
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

/** @throws ServiceError for every other response. */
export function readEnvelope(
	{ response, verdict }: JudgedResponse,
	request: ServiceRequest,
	origin: string,
	redact: Redact,
): Envelope {
	const { meaning, status, statusWords } = verdict;
	const { body }: { body: unknown } = response;
	const envelope = objectOf(body);
	const hasList = !request.findList || Array.isArray(request.findList(envelope));
	// If the results of an identity verification don't exist yet, the response can be an empty object
	// (docs/dev/service.md#seen-identity).
	const isEmptyRead =
		request.purpose === 'reading' && isObject(body) && Object.keys(body).length === 0;
	const isSuccess = meaning === 'success' || (meaning === 'unclear' && isEmptyRead);
	if (isSuccess && hasList) return envelope;
	const facts = { origin, status, statusWords, body: describeBody(body, redact) };
	if (meaning !== 'refusal') {
		const words = meaning === 'success' || !isObject(body) ? '' : messageOf(body, redact, request);
		throw unclear({ ...facts, words, isForeign: words === '' }, request);
	}
	// The service responds with JSON, so a web page must come from somewhere else, such as a proxy. A 429 or a
	// 5xx is handled the same way, no matter who responded.
	const isPage = typeof body === 'string' && body !== '' && !isPlainText(body);
	const isForeign = isPage && status >= 400 && status < 500 && status !== 429;
	const failed = {
		...facts,
		words: messageOf(body, redact, request),
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

/** The maximum number of the service's messages in an error. */
const maxMessageCount = 10;

/** The maximum length of the service's message in an error, in characters. */
const maxMessageLength = 300;

/** The maximum length of a field's name in one of the service's messages, in characters. */
const maxFieldLength = 200;

/** The keys at which services explain a rejection. */
const wordKeys = ['message', 'messages', 'msg', 'error', 'errors', 'detail', 'details', 'reason'];

/** How many keys below one of the {@link wordKeys} words can be. */
const maxLevelsBelow = 2;

/** The keys that name a field of the request, next to the words about it. */
const fieldKeys = ['field', 'path', 'param'];

/** The maximum number of values in a response in which to look for words, and of parts in a field's name. */
const maxSearchedValues = 1000;
const maxNameParts = 10;

type QuotedRequest = Pick<ServiceRequest, 'path' | 'qs' | 'body'>;

/**
 * Returns the service's own words from a response (docs/dev/behavior.md#where-the-reason-is). Services put them
 * in different places, and some return the request along with them. So words are recognized by the keys above
 * them, and the request's values aren't taken for words.
 * @returns One line of at most 300 characters; empty if the body contains no words.
 */
export function messageOf(body: unknown, redact: Redact, request: QuotedRequest): string {
	const own = ownDataOf(request);
	const found = textsForPeople(body, own).filter(({ value }) => isWords(value, own));
	const messages = found.slice(0, maxMessageCount).map(({ value, field }) => {
		const words = redact(withoutOwnTexts(value, own), maxMessageLength);
		// Some servers put the URL that was called into `path`.
		const parts = field.filter((part) => isWords(part, own) && !part.endsWith(request.path));
		const name = redact(parts.join('.'), maxFieldLength);
		return name && words && !words.includes(name) ? `${name}: ${words}` : words;
	});
	return redact([...new Set(messages)].filter(Boolean).join('; '), maxMessageLength);
}

/** What a request contains, to recognize it in the response. */
interface OwnData {
	/** The keys of the query and the body. */
	keys: Set<string>;
	/** All texts in the query and the body, however deep, as they are compared. */
	values: Set<string>;
	/** Their lines, also as they stand in JSON. */
	lines: Set<string>;
}

function ownDataOf({ qs = {}, body = {} }: QuotedRequest): OwnData {
	const keys = new Set([qs, body].flatMap((part) => Object.keys(part)));
	const texts = [qs, body].flatMap(textsIn);
	const lines = texts
		.flatMap((text) => text.split(/[\r\n]+/))
		.filter((line) => line.length >= minLineLength)
		.flatMap((line) => [line, JSON.stringify(line).slice(1, -1)]);
	return { keys, values: new Set(texts.map(normalName)), lines: new Set(lines) };
}

/** Only this much of a message is searched for the request's texts, in characters. */
const maxSearchedMessage = 2000;

/** A shorter line of the request, such as "No", also occurs in the service's own words. */
const minLineLength = 4;

/**
 * Replaces the texts of the request in a message. With a single one of them, the service most likely explains what's
 * wrong with it. With several, it repeats the request, in which there are names and addresses.
 */
function withoutOwnTexts(message: string, { lines }: OwnData): string {
	const searched = message.slice(0, maxSearchedMessage);
	const contained = [...lines]
		.filter((line) => searched.includes(line))
		.sort((left, right) => right.length - left.length);
	if (contained.length < 2) return searched;
	const masked = contained.reduce((text, line) => text.replaceAll(line, '…'), searched);
	// A line can be cut off at the end.
	return searched === message ? masked : masked.slice(0, masked.lastIndexOf('…') + 1);
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values(Object(value) as object).flatMap(textsIn);
}

interface TextCandidate<Value = unknown> {
	value: Value;
	/** The parts of the name of the field that the value may be about. */
	field: string[];
	/** How many more objects to open. */
	levels: number;
}

/**
 * Returns the texts at and below the {@link wordKeys} of a body and of its `responseData`, each of which can also
 * be a list.
 */
function textsForPeople(body: unknown, own: OwnData): Array<TextCandidate<string>> {
	const texts: Array<TextCandidate<string>> = [];
	let unsearched = maxSearchedValues;
	const search = ({ value, field, levels }: TextCandidate): void => {
		if (unsearched-- <= 0) return;
		if (typeof value === 'string') texts.push({ value, field, levels });
		for (const entry of listOf(value).slice(0, maxSearchedValues)) {
			if (!Array.isArray(entry)) search({ value: entry, field, levels });
		}
		if (!isObject(value) || levels === 0) return;
		// If the object has words of its own, its other values may be the request's. Otherwise, its keys are
		// the names of fields.
		const ownWords = wordKeys.filter((key) => !isEmpty(value[key]));
		const keys = ownWords.length > 0 ? ownWords : Object.keys(value).slice(0, maxSearchedValues);
		candidatesIn(value, keys, { field, levels }, own).forEach(search);
	};
	if (typeof body === 'string' && isPlainText(body)) search({ value: body, field: [], levels: 0 });
	const places = [body, objectOf(body).responseData].flat().slice(0, maxSearchedValues);
	const start = { field: [], levels: maxLevelsBelow + 1 };
	for (const place of places.map(objectOf)) {
		candidatesIn(place, wordKeys, start, own).forEach(search);
	}
	return texts;
}

/** Returns an object's values under these keys. What is nested in a part of the request isn't opened. */
function candidatesIn(
	entry: IDataObject,
	keys: string[],
	{ field, levels }: Pick<TextCandidate, 'field' | 'levels'>,
	own: OwnData,
): TextCandidate[] {
	const fieldBeside = fieldKeys
		.map((key) => listOf([entry[key]].flat()).slice(0, maxNameParts).map(textOf).filter(Boolean))
		.find((parts) => parts.length > 0);
	return keys
		.filter((key) => !fieldKeys.includes(key) && entry[key] !== undefined)
		.map((key) => ({
			value: entry[key],
			field: fieldBeside ?? (wordKeys.includes(key) ? field : [key]),
			levels: own.keys.has(key) ? 0 : levels - 1,
		}));
}

/** Whether a text is neither a web page, nor data, nor a value of the request. */
function isWords(text: string, { values }: OwnData): boolean {
	const isData = typeof jsonParse<unknown>(text, { fallbackValue: '' }) === 'object';
	return text.trim() !== '' && !isHtml(text) && !isData && !values.has(normalName(text));
}

/** The maximum number of field names in the description of a body, and the maximum length of each. */
const maxNameCount = 8;
const maxShownKeyNameLength = 40;

/** How many of a page's first characters to search to determine what kind of page it is. */
const maxSearchedPageLength = 1000;

/**
 * Describes a response body in a few words. The description can contain field names from the body, but no
 * values.
 */
export function describeBody(body: unknown, redact: Redact): string {
	if (isEmpty(body)) return 'an empty body';
	if (typeof body === 'string' && asksForHttps(body)) {
		return 'a page that asks for https:// instead of http://';
	}
	if (typeof body === 'string') return isHtml(body) ? 'a web page' : "text that isn't JSON";
	const names = Object.keys(objectOf(body)).slice(0, maxNameCount);
	if (names.length === 0) return 'JSON without fields';
	return `JSON with the fields ${names.map((name) => redact(name, maxShownKeyNameLength)).join(', ')}`;
}

/** Matches web servers' responses to a plain HTTP call on an HTTPS port. */
const wantsHttps =
	/plain HTTP request was sent to (?:an )?HTTPS port|HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled/i;

function asksForHttps(text: string): boolean {
	return wantsHttps.test(text.slice(0, maxSearchedPageLength));
}

/** Whether a body without JSON is something to read: neither HTML nor XML, nor about the URL's scheme. */
function isPlainText(text: string): boolean {
	return !text.trimStart().startsWith('<') && !asksForHttps(text);
}

function isHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, maxSearchedPageLength));
}
