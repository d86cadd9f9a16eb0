import { beginningOf, type Hide, quote } from '../util/plainText';
import { isObject, parseJson, textOf } from '../util/values';

/** What every answer is wrapped in (docs/service.md#response-envelope). */
export interface Envelope<Data = unknown> {
	/** Absent in some answers to a creation (docs/service.md#seen-documents). */
	responseData?: Data;
	/** Absent in template lists; a list of `{ msg }` in some errors (docs/service.md#errors). */
	message?: string | Array<{ msg?: string }>;
	success?: boolean;
	responseCode?: number;
}

/** One thing that a refusal names. */
export interface Complaint {
	/** The service's own words, without secrets. */
	text: string;
	/** The field of the request, where the answer names it beside the words. */
	path?: string;
}

/** Longer texts are no JSON that says something: an answer's body was parsed when it was read. */
const longestJson = 10_000;

/** A page's own markup begins within so many characters. */
const longestLead = 1000;

/** Of a list of messages, so many; and no deeper than what services send. */
const mostMessages = 10;
const deepest = 4;

/** Where the libraries that check requests say which field they mean. */
const pathNames = ['path', 'param', 'field', 'property'];
const longestPath = 200;

/** Field names that describe a body. */
const mostNames = 8;
const longestName = 40;

/**
 * Reads an answer's body as the envelope (docs/service.md#response-envelope).
 * @param body The body as it was read (body.ts).
 * @returns The envelope, or undefined when the body is something else.
 */
export function readEnvelope(body: unknown): Envelope | undefined {
	if (!isObject(body)) return undefined;
	if (!('responseData' in body) && !('success' in body) && !('responseCode' in body)) {
		return undefined;
	}
	return body;
}

/**
 * The service's own words in an answer. `message` is a string or an array whose elements carry
 * `msg`; a gateway answers with an HTML page, of which the title is enough.
 * @param hide Takes out the secrets that the words may quote.
 * @returns One line of at most 300 characters, or undefined when the body says nothing.
 */
export function messageOf(body: unknown, hide: Hide = asItIs): string | undefined {
	const value = valueOf(body);
	const words = isObject(value)
		? wordsOf(value.message ?? value.error ?? value.msg, hide)
		: wordsOf(value, hide);
	return quote(words ?? '', hide) || undefined;
}

/**
 * What the words of a refusal are about, one by one (docs/service.md#messages).
 * @param hide Takes out the secrets that the words may quote.
 */
export function complaintsOf(body: unknown, hide: Hide): Complaint[] {
	const value = valueOf(body);
	const said = isObject(value) ? (value.message ?? value.error ?? value.msg) : undefined;
	return complaintsIn(said, undefined)
		.slice(0, mostMessages)
		.map(({ text, path }) => ({
			text: quote(text, hide),
			...(path ? { path: quote(path, hide, longestPath) } : {}),
		}))
		.filter(({ text }) => text);
}

/**
 * Says in a few words what kind of body an answer has, without quoting it.
 * @param hide Takes secrets out of the title of a web page and the names of fields.
 */
export function describeBody(body: unknown, hide: Hide = asItIs): string {
	const value = valueOf(body);
	if (value === undefined || value === null || value === '') return 'an empty body';
	if (typeof value === 'string') {
		if (!isHtml(value)) return 'text that is not JSON';
		const title = messageOf(value, hide);
		return title ? `a web page titled "${title}"` : 'a web page';
	}
	if (Array.isArray(value)) return 'a JSON list';
	if (!isObject(value)) return `a JSON ${typeof value}`;
	const names = Object.keys(value).slice(0, mostNames);
	if (names.length === 0) return 'an empty JSON object';
	return `JSON with the fields ${names.map((name) => quote(name, hide, longestName)).join(', ')}`;
}

function asItIs(text: string): string {
	return text;
}

function valueOf(body: unknown): unknown {
	if (typeof body !== 'string' || body.length > longestJson) return body;
	return parseJson(body) ?? body;
}

function wordsOf(value: unknown, hide: Hide, depth = 0): string | undefined {
	if (typeof value === 'string') return isHtml(value) ? htmlTitle(value, hide) : value;
	if (depth > deepest) return undefined;
	if (Array.isArray(value)) {
		return value
			.slice(0, mostMessages)
			.map((each: unknown) => (isObject(each) ? (each.msg ?? each.message) : each))
			.map((each) => wordsOf(each, hide, depth + 1))
			.filter((text) => text)
			.join('; ');
	}
	return isObject(value) ? wordsOf(value.msg ?? value.message, hide, depth + 1) : undefined;
}

function complaintsIn(value: unknown, path: string | undefined, depth = 0): Complaint[] {
	if (typeof value === 'string') return [{ text: value, ...(path ? { path } : {}) }];
	if (depth > deepest) return [];
	if (Array.isArray(value)) {
		const list = value.slice(0, mostMessages) as unknown[];
		return list.flatMap((each) => complaintsIn(each, path, depth + 1));
	}
	if (!isObject(value)) return [];
	const named = pathNames.map((name) => value[name]).find((each) => each !== undefined);
	const steps = (Array.isArray(named) ? named : [named]) as unknown[];
	const ownPath = steps.map(textOf).join('.') || path;
	return complaintsIn(value.msg ?? value.message, ownPath, depth + 1);
}

function isHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, longestLead));
}

/**
 * Looked for step by step: one pattern for all of it would begin anew at each "<title". Secrets go
 * first, since one that holds a "<" would be cut there.
 */
function htmlTitle(text: string, hide: Hide): string | undefined {
	const page = beginningOf(text, hide);
	const tag = page.search(/<title/i);
	const from = tag < 0 ? 0 : page.indexOf('>', tag) + 1;
	const to = page.indexOf('<', from);
	return from > 0 && to >= 0 ? page.slice(from, to) : undefined;
}
