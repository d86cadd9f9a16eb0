import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../interface';

/** Whether a value is an object with named members (no array, no null). */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads an answer's body as the envelope (interface: Response envelope).
 * @param body The body as the HTTP client gives it: parsed JSON, or text that may be JSON sent
 * without a JSON content type.
 * @returns The envelope, or undefined when the body is something else.
 */
export function readEnvelope(body: unknown): Envelope | undefined {
	const value = typeof body === 'string' ? parseJson(body) : body;
	if (!isObject(value)) return undefined;
	if (!('responseData' in value) && !('success' in value) && !('responseCode' in value)) {
		return undefined;
	}
	return value;
}

/** Parses text as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * The service's own words in an answer. `message` is a string or an array whose elements carry
 * `msg`; a gateway answers with an HTML page, of which the title is enough.
 * @returns One line of at most 300 characters, or undefined when the body says nothing.
 */
export function messageOf(body: unknown): string | undefined {
	const value = typeof body === 'string' ? (parseJson(body) ?? body) : body;
	const words = isObject(value)
		? wordsOf(value.message ?? value.error ?? value.msg)
		: wordsOf(value);
	const line = words?.replace(/\s+/g, ' ').trim();
	if (!line) return undefined;
	return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Says in a few words what kind of body an answer has, without quoting it. */
export function describeBody(body: unknown): string {
	const value = typeof body === 'string' ? (parseJson(body) ?? body) : body;
	if (value === undefined || value === null || value === '') return 'an empty body';
	if (typeof value === 'string') {
		if (!isHtml(value)) return 'text that is not JSON';
		const title = messageOf(value);
		return title ? `a web page titled "${title}"` : 'a web page';
	}
	if (Array.isArray(value)) return 'a JSON list';
	if (!isObject(value)) return `a JSON ${typeof value}`;
	const names = Object.keys(value).slice(0, 8);
	return names.length ? `JSON with the fields ${names.join(', ')}` : 'an empty JSON object';
}

function wordsOf(value: unknown): string | undefined {
	if (typeof value === 'string') return isHtml(value) ? htmlTitle(value) : value;
	if (Array.isArray(value)) {
		return value
			.map((element) => wordsOf(isObject(element) ? (element.msg ?? element.message) : element))
			.filter((text) => text)
			.join('; ');
	}
	return isObject(value) ? wordsOf(value.msg ?? value.message) : undefined;
}

function isHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text);
}

function htmlTitle(text: string): string | undefined {
	return /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1];
}
