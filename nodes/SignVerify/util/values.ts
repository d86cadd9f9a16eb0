import { type IDataObject, isExpression } from 'n8n-workflow';

/** A text as it is, a number or truth value as written, and '' for everything else, also for NaN. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : '';
}

/** The first of the values that says something, as text; fields of a document may be empty. */
export function firstText(...values: unknown[]): string | undefined {
	return values.map(textOf).find((text) => text !== '');
}

/**
 * A text as people compare it: in one Unicode form (NFKC), with single spaces, and without what nobody
 * sees. It is for comparing and for keys, never to be sent.
 */
export function normalText(text: string): string {
	const visible = text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, '');
	// Only now: what nobody sees may have been between a letter and its accent.
	return visible.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/**
 * As {@link normalText}, for names whose upper and lower case says nothing: of columns, fields and titles. Some
 * small letters have the same capitals: "ß" and "ss", and the two forms of the Greek sigma. The small letter of the
 * Turkish "İ" is "i".
 */
export function normalName(text: string): string {
	const small = normalText(text).toLowerCase().toUpperCase().toLowerCase();
	return small.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
}

/** Letters that Unicode does not take apart into a plain letter and an accent. */
const plainLetters = new Map(
	Object.entries({ ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th' }),
);

/** As {@link normalName}, for what a person looks for: without accents and apostrophes, too. */
export function searchName(text: string): string {
	return normalName(text)
		.normalize('NFD')
		.replace(/[\u0300-\u036f'’‘ʼ`´]/g, '')
		.replace(/[łøđıæœðþ]/g, (letter) => plainLetters.get(letter) ?? letter)
		.normalize('NFC');
}

const graphemes = new Intl.Segmenter('en');

/** The beginning of a text with at most so many characters. No emoji or accent is cut in two. */
export function cutText(text: string, most: number): string {
	if (text.length <= most) return text;
	// What follows one sign of a thousand characters is not looked at.
	return text.slice(
		0,
		graphemes.segment(text.slice(0, most + 1000)).containing(most)?.index ?? most,
	);
}

/**
 * A field as text under the name that it has in an output.
 * @returns Nothing if the field is absent, so that the output does not have it either.
 */
export function optionalText<Name extends string>(
	name: Name,
	value: unknown,
): Partial<Record<Name, string>> {
	return (value === undefined ? {} : { [name]: textOf(value) }) as Partial<Record<Name, string>>;
}

/** A truth value as services write one: true, 1, or a text for them. */
export function isTrue(value: unknown): boolean {
	return ['1', 'true'].includes(textOf(value).toLowerCase());
}

/** The opposite, as services write it. A value that is neither is not known. */
export function isFalse(value: unknown): boolean {
	return ['0', 'false'].includes(textOf(value).toLowerCase());
}

/** Whether a value is an object with named members (not an array, not null). */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object with named members, otherwise an empty one. */
export function objectOf(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** The value if it is a list, otherwise an empty one. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Whether a value is a list of texts. */
export function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Whether nothing was given: what a form gives for an empty field, or an expression without a result. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** n8n drops values with these names from a form, because they could change what an object is. */
const prototypeNames = ['__proto__', 'constructor', 'prototype'];

/**
 * Whether n8n can keep a text from outside as an ID or key in a form. It would run one that begins with
 * "=" as an expression, and drop one that names a prototype.
 */
export function canBeKey(text: string): boolean {
	return !isExpression(text) && !prototypeNames.includes(text);
}

/** Parses an absolute URL; undefined if the text is none. */
export function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

/** A URL without the slashes at its end. A pattern would take long for a text of many slashes. */
export function withoutSlashes(url: string): string {
	let end = url.length;
	while (url[end - 1] === '/') end--;
	return url.slice(0, end);
}

/** The part of a URL that an error may show: no path, no login. */
export function originOf(url: string): string {
	return parseUrl(url)?.origin ?? 'the Base URL';
}

const privateHost = new RegExp(
	[
		// A name without a dot, and those of local networks.
		'[^.:]+|.+\\.(?:local|localhost|internal|lan)',
		'(?:0|10|127)(?:\\.\\d+){3}',
		'(?:192\\.168|169\\.254|172\\.(?:1[6-9]|2\\d|3[01]))(?:\\.\\d+){2}',
		'\\[(?:::1?|f[cd].*|fe[89ab].*)\\]',
	]
		.map((host) => `^(?:${host})$`)
		.join('|'),
);

/** Whether only this machine or its network can reach a URL; also true for any other text. */
export function isPrivateUrl(url: string): boolean {
	const host = parseUrl(url)?.hostname;
	return host === undefined || privateHost.test(host);
}

/** Whether only this machine can reach a URL. */
export function isLoopbackUrl(url: string): boolean {
	const host = parseUrl(url)?.hostname ?? '';
	return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])\.?$/.test(host);
}

/**
 * The path of a call below the Base URL.
 * @returns The path with its first slash; undefined if the call goes somewhere else.
 */
export function pathBelow(baseUrl: string, url: string): string | undefined {
	const base = parseUrl(baseUrl);
	const target = parseUrl(url);
	if (!base || !target || base.origin !== target.origin) return undefined;
	const root = withoutSlashes(base.pathname);
	if (target.pathname !== root && !target.pathname.startsWith(`${root}/`)) return undefined;
	return target.pathname.slice(root.length) || '/';
}

/** A part of a URL as a person reads it; as it is if it cannot be decoded. */
export function decodeUrlPart(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/**
 * Reads a moment: epoch-ms as number or digits, or ISO 8601 with its time zone. Without a time zone,
 * nobody knows which moment is meant.
 * @returns epoch-ms; undefined if it is absent or something else.
 */
export function readMoment(value: unknown): number | undefined {
	const text = textOf(value).trim();
	const isDigits = /^-?\d+(?:\.\d+)?$/.test(text);
	const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	const time = new Date(isDigits ? Number(text) : isIso ? text : NaN).getTime();
	return Number.isNaN(time) ? undefined : time;
}

/** A moment as ISO 8601, for simplified output; a value that is not a moment as it is. */
export function isoTime(value: unknown): string | undefined {
	const time = readMoment(value);
	return time === undefined ? firstText(value) : new Date(time).toISOString();
}

/** A day, in milliseconds. */
export const day = 86_400_000;
