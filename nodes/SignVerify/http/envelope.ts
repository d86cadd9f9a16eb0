import { beginningOf, type Hide, quote } from '../util/plainText';
import { isEmpty, isObject, parseJson, textOf } from '../util/values';

/** The object around the content of every answer (docs/dev/service.md#response-envelope). */
export interface Envelope<Data = unknown> {
	/** Absent in some answers to a creation (docs/dev/service.md#seen-documents). */
	responseData?: Data;
	/** Absent in template lists; a list of `{ msg }` in some errors (docs/dev/service.md#errors). */
	message?: string | Array<{ msg?: string }>;
	success?: boolean;
	responseCode?: number;
}

/** One thing that a refusal names. */
export interface Complaint {
	/** The service's own words, without secrets. */
	text: string;
	/** The field of the request, if the answer names it beside the words. */
	path?: string;
}

/** Longer texts are not JSON: an answer's body was parsed when it was read. */
const longestJson = 10_000;

/** A page's own markup begins within this many characters. */
const longestLead = 1000;

/** How many messages of a list are read, and how deep. */
const mostMessages = 10;
const deepest = 4;

/** Where the libraries that check requests name the field that they mean. */
const pathNames = ['path', 'param', 'field', 'property'];
const longestPath = 200;

/** How many field names describe a body. */
const mostNames = 8;
const longestName = 40;

/** The envelope that an answer's body is (body.ts); undefined if the body is something else. */
export function readEnvelope(body: unknown): Envelope | undefined {
	if (!isObject(body)) return undefined;
	if (!('responseData' in body) && !('success' in body) && !('responseCode' in body)) {
		return undefined;
	}
	return body;
}

/**
 * The service's own words in an answer. `message` is a text or a list of objects with `msg`. A gateway
 * answers with a web page, of which the title is enough.
 * @returns One line of at most 300 characters, or undefined if the body says nothing.
 */
export function messageOf(body: unknown, hide: Hide = asItIs): string | undefined {
	const value = valueOf(body);
	const words = isObject(value)
		? wordsOf(value.message ?? value.error ?? value.msg, hide)
		: wordsOf(value, hide);
	return quote(words ?? '', hide) || undefined;
}

/** What a refusal complains about, one by one (docs/dev/service.md#messages). */
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

/** Says in a few words what kind of body an answer has. Only a page's title and field names are quoted. */
export function describeBody(body: unknown, hide: Hide = asItIs): string {
	const value = valueOf(body);
	if (isEmpty(value)) return 'an empty body';
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
	return parseJson(body, body) ?? body;
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
 * Searched step by step, because one pattern for all of it would start again at each "<title". Secrets
 * are removed first, because one with a "<" would be cut there.
 */
function htmlTitle(text: string, hide: Hide): string | undefined {
	const page = beginningOf(text, hide);
	const tag = page.search(/<title/i);
	const from = tag < 0 ? 0 : page.indexOf('>', tag) + 1;
	const to = page.indexOf('<', from);
	return from > 0 && to >= 0 ? page.slice(from, to) : undefined;
}
