import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { plainText, type Redact, sanitize } from '../util/redact';
import { isEmpty, isFalse, isObject, isTrue, objectOf, textOf } from '../util/values';
import { notASuccess, refusal } from './messages';
import { readRetryAfter } from './retry';
import type { ServiceRequest } from './request';

/** The object around the content of every answer (docs/dev/service.md#response-envelope). */
export interface Envelope<Data = unknown> {
	/** Absent in some answers to a creation (docs/dev/service.md#seen-documents). */
	responseData?: Data;
	/** Absent in template lists; a list of `{ msg }` in some errors (docs/dev/service.md#errors). */
	message?: string | Array<{ msg?: string }>;
	success?: boolean;
	responseCode?: number;
}

/** What an answer says of the call: that it worked, that it did not, both, or neither. */
interface Verdict {
	says: 'success' | 'refusal' | 'both' | 'neither';
	/** The status that counts: an envelope may report a failure inside an HTTP 200. */
	status: number;
}

/** Reads what any answer says of the call (table: docs/dev/proof.md#what-counts-as-done). */
export function verdictOf({ statusCode, body }: IN8nHttpFullResponse): Verdict {
	if (statusCode >= 300) return { says: 'refusal', status: statusCode };
	const { success, responseCode, error } = objectOf(body);
	const code = Number(textOf(responseCode));
	const hasError =
		!isFalse(error) && (textOf(error) !== '' || Object.keys(Object(error) as object).length > 0);
	const fails = code >= 300 || hasError;
	const works = isTrue(success) || (code >= 200 && code < 300);
	if (isFalse(success) || (fails && !works)) {
		return { says: 'refusal', status: code >= 300 ? code : 400 };
	}
	if (works) return { says: fails ? 'both' : 'success', status: statusCode };
	return { says: 'neither', status: statusCode };
}

/** Statuses for a wrong value in the request. */
const invalid = [400, 409, 422];

/**
 * The envelope of a successful answer. JSON without an envelope is its `responseData`.
 * @param origin Of the service, for an error.
 * @throws ServiceError for every other answer.
 */
export function readAnswer<Data>(
	answer: IN8nHttpFullResponse,
	request: ServiceRequest,
	origin: string,
	redact: Redact,
): Envelope<Data> {
	const { says, status } = verdictOf(answer);
	const { body }: { body: unknown } = answer;
	if (says === 'refusal') {
		if (status === 404 && request.ignoreNotFound) return {};
		const retryAfter = readRetryAfter(answer.headers?.['retry-after']);
		const labelFor = invalid.includes(status) ? request.labelFor : undefined;
		throw refusal(status, messageOf(body, redact, labelFor), request, retryAfter);
	}
	const content = objectOf(body).responseData ?? body;
	const isGiven = isContent(content, request) || (request.isList && isContent(body, request));
	if (says === 'success' && (isGiven || !request.isList)) return body as Envelope<Data>;
	if (says === 'neither' && isGiven) return { responseData: content as Data };
	const words = says === 'success' || !isObject(body) ? '' : messageOf(body, redact);
	throw notASuccess(status, words, describeBody(body, redact), request, origin);
}

/** Whether the content of an answer shows that the call worked, although the answer does not say so. */
function isContent(content: unknown, { method, isList, gives = [] }: ServiceRequest): boolean {
	const given = gives.map((name) => objectOf(content)[name]);
	if (isList) return [content, ...given].some(Array.isArray);
	if (given.some((value) => !isEmpty(value))) return true;
	const isBlank = isObject(content) && Object.keys(content).length === 0;
	// What is read may be empty, and so may be the answer to a deletion.
	return method === 'GET' ? isBlank : method === 'DELETE' && (isBlank || isEmpty(content));
}

/** How many messages of a list are read. */
const maxMessages = 10;

/** Where the libraries that check requests name the field that they mean. */
const pathNames = ['path', 'param', 'field', 'property'];
const maxPath = 200;

/** The most characters of the service's words in an error. */
const maxMessage = 300;

/**
 * The service's own words in an answer (docs/dev/service.md#messages). `message` is a text or a list of
 * objects with `msg`, and some name the field that they mean. The page of a gateway says nothing more than
 * its status.
 * @param labelFor The form's label for such a field, which is put before the words.
 * @returns One line of at most 300 characters; empty if the body says nothing.
 */
export function messageOf(
	body: unknown,
	redact: Redact,
	labelFor?: ServiceRequest['labelFor'],
): string {
	const said = isObject(body) ? [body.message, body.error, body.msg] : [body];
	const list = said.flat().slice(0, maxMessages);
	const errors = list.flatMap(validationErrorsOf).slice(0, maxMessages);
	const texts = errors.map(({ text, path = pathIn(text) }) => {
		const words = isHtml(text) ? '' : sanitize(text, redact);
		const label = words && path && labelFor?.(sanitize(path, redact, maxPath));
		return label ? `${label}: ${words}` : words;
	});
	return plainText(texts.filter(Boolean).join('; '), maxMessage);
}

/** A text, or an object that has one in `msg` or `message`, and the path that it is about. */
function validationErrorsOf(value: unknown): Array<{ text: string; path?: string }> {
	if (typeof value === 'string') return [{ text: value }];
	const { msg, message, ...rest } = objectOf(value);
	const named = pathNames.map((name) => rest[name]).find((each) => each !== undefined);
	const path = (Array.isArray(named) ? (named as unknown[]) : [named]).map(textOf).join('.');
	// Some checkers give several texts for one field.
	return [msg ?? message]
		.flat()
		.filter((text) => typeof text === 'string')
		.map((text) => ({ text, ...(path ? { path } : {}) }));
}

/** A path at the beginning of a text: `signatories.0.name must be …`. A sentence begins with a capital. */
function pathIn(text: string): string {
	const path = /^["'`]?([./]?[a-z_]\w*(?:[./[\]]+\w+){0,9}\]?)["'`:]*\s/;
	return path.exec(text.slice(0, maxPath))?.[1] ?? '';
}

/** How many field names describe a body. */
const maxNames = 8;
const maxName = 40;

/** Says in a few words what kind of body an answer has. Only field names are quoted. */
export function describeBody(body: unknown, redact: Redact): string {
	if (isEmpty(body)) return 'an empty body';
	if (typeof body === 'string') return isHtml(body) ? 'a web page' : 'text that is not JSON';
	const names = Object.keys(objectOf(body)).slice(0, maxNames);
	if (names.length === 0) return 'JSON without fields';
	return `JSON with the fields ${names.map((name) => sanitize(name, redact, maxName)).join(', ')}`;
}

function isHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, maxPath));
}
