import { type IDataObject, isExpression } from 'n8n-workflow';

import { normalForm } from './text';

/**
 * Returns a string unchanged, converts a number ({@link isNumber}) or a boolean to a string, and returns '' for anything
 * else.
 */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'boolean' || isNumber(value) ? String(value) : '';
}

/** Leaves out NaN and infinity. A BigInt is a number as well. */
export function isNumber(value: unknown): value is number | bigint {
	return typeof value === 'bigint' || Number.isFinite(value);
}

export function firstText(...values: unknown[]): string | undefined {
	return values.map(textOf).find((text) => text !== '');
}

/**
 * Normalizes a string for comparisons and keys: one Unicode form (NFKC), single spaces, no invisible
 * characters. Never send the result, because text must be sent exactly as the user wrote it.
 */
export function normalText(text: string): string {
	const visible = text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu, '');
	// Remove invisible characters first, because NFKC can't combine a letter with its accent if there is an
	// invisible character between them.
	return normalForm(visible, 'NFKC').replace(/\s+/g, ' ').trim();
}

const equalLetters = new Map(Object.entries({ 'i\u0307': 'i', ς: 'σ', ş: 'ș', ţ: 'ț' }));

/**
 * Normalizes a column name, a field name or a title for comparisons, like {@link normalText} but ignoring
 * case. "ß" equals "ss" (because of the uppercase conversion), the two lowercase forms of the Greek sigma are
 * equal, and the Turkish "İ" equals "i". The Romanian "ș" and "ț" equal the "ş" and "ţ" that keyboards had in their
 * place.
 */
export function normalName(text: string): string {
	const small = normalText(text).toLowerCase().toUpperCase().toLowerCase();
	return small.replace(/i\u0307|[ςşţ]/g, (letter) => equalLetters.get(letter) ?? letter);
}

/** Unicode doesn't decompose these letters into base letters and an accent, so this map does. */
const accentedLetters = new Map(
	Object.entries({
		...{ ł: 'l\u0335', ø: 'o\u0338', đ: 'd\u0335', ð: 'd\u0335' },
		...{ æ: 'ae', œ: 'oe', þ: 'th' },
	}),
);

/** In NFKC, U+00B4 becomes a space with an accent, so apostrophes are removed before a text is normalized. */
export function withoutApostrophes(text: string): string {
	return text.replace(/['＇’‘ʼ`´]/g, '');
}

/** Normalizes a name like {@link normalName}, but without apostrophes, and with each accent after its letter. */
export function accentedName(text: string): string {
	return normalForm(normalName(withoutApostrophes(text)), 'NFD').replace(
		/[łøđðæœþ]/g,
		(letter) => accentedLetters.get(letter) ?? letter,
	);
}

/** Normalizes a name for a search box, like {@link normalName} but without accents and apostrophes. */
export function searchName(text: string): string {
	return normalForm(accentedName(text).replace(/[\u0300-\u036f]/g, ''), 'NFC').trim();
}

/**
 * Creates the check whether a name contains a text, in the spelling of {@link searchName}. A text of nothing but what
 * this spelling leaves out is searched for as it is, because it would otherwise be part of every name.
 */
export function nameFilter(text: string): (name: string) => boolean {
	const spelling = searchName(text) ? searchName : normalName;
	const part = spelling(text);
	return (name) => spelling(name).includes(part);
}

const lineBreaks = /[\t\n\v\f\r\x85\u2028\u2029]+/;

/** Puts a string on one line by turning line breaks, which spreadsheet cells may contain, into spaces. */
export function onOneLine(text: string): string {
	const lines = text.split(lineBreaks).map((line) => line.trim());
	return lines.filter(Boolean).join(' ');
}

const graphemes = new Intl.Segmenter('en');

/** Never splits an emoji or an accented character. */
export function cutText(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// Segment 1,000 code units more than needed, so only a longer grapheme (what people see as one character)
	// would be split.
	const segments = graphemes.segment(text.slice(0, maxLength + 1000));
	return text.slice(0, segments.containing(maxLength)?.index ?? maxLength);
}

/** For an output. If the value is undefined or null, the result has no field. */
export function optionalText<Name extends string>(
	name: Name,
	value: unknown,
): Partial<Record<Name, string>> {
	const isMissing = value === undefined || value === null;
	return (isMissing ? {} : { [name]: textOf(value) }) as Partial<Record<Name, string>>;
}

/** Whether a value is true in any form that services use: true, 1, or either one as a string. */
export function isTrue(value: unknown): boolean {
	return ['1', 'true'].includes(textOf(value).toLowerCase());
}

/**
 * Whether a value is false in any form that services use. This is not the same as `!isTrue()`, because some
 * values, such as "maybe", are neither true nor false.
 */
export function isFalse(value: unknown): boolean {
	return ['0', 'false'].includes(textOf(value).toLowerCase());
}

/** Whether a value is an object with named properties (not an array, not null). */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Returns an object that begins with `fields`, whose values take precedence over those of the others. */
export function withFirst(fields: IDataObject, others: IDataObject): IDataObject {
	return { ...fields, ...others, ...fields };
}

export function groupBy<Entry>(
	entries: readonly Entry[],
	nameOf: (entry: Entry) => string | undefined,
): Map<string, Entry[]> {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const name = nameOf(entry);
		if (name === undefined) continue;
		const group = groups.get(name);
		if (group) group.push(entry);
		else groups.set(name, [entry]);
	}
	return groups;
}

/**
 * Whether a value is undefined, null or '', as it is for an empty field or an expression that returns
 * nothing.
 */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** n8n drops values with these names from a form, because they could change an object's prototype. @n8n */
const prototypeNames = ['__proto__', 'constructor', 'prototype'];

/**
 * Whether n8n can store an untrusted string as an ID or key in a form. n8n would evaluate a string that
 * begins with "=" as an expression, and drop a string such as `__proto__`.
 */
export function canBeKey(text: string): boolean {
	return !isExpression(text) && !prototypeNames.includes(text);
}

/** Matches a URL whose host, with its login and port, has at most 1,000 characters. */
const urlWithShortHost = /^\s*[a-z][a-z\d+.-]{0,30}:\/\/[^/?#\\]{1,1000}(?![^/?#\\])/i;

/**
 * Parses an absolute URL with a host.
 * @returns undefined for any other string, and for a host that is too long: parsing normalizes a host, which
 * can take minutes.
 */
export function parseUrl(text: string): URL | undefined {
	return urlWithShortHost.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/** A regular expression would be slow for a string that contains the characters many times. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

export function withoutSlashes(url: string): string {
	return withoutEnd(url, '/');
}

/** Returns the part of a URL that errors may show: scheme, host and port, without login and path. */
export function originOf(url: string): string {
	return parseUrl(url)?.origin ?? 'the Base URL';
}

const privateHost = new RegExp(
	[
		// Names without a dot and names with these endings exist only on private networks.
		'[^.:]+|.+\\.(?:local|localhost|internal|lan)',
		'(?:0|10|127)(?:\\.\\d+){3}',
		'(?:192\\.168|169\\.254|172\\.(?:1[6-9]|2\\d|3[01]))(?:\\.\\d+){2}',
		// VPNs such as Tailscale use the addresses that providers share among their customers (RFC 6598).
		'100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])(?:\\.\\d+){2}',
		'\\[(?:::1?|f[cd].*|fe[89ab].*)\\]',
	]
		// A fully qualified name may end in a dot.
		.map((host) => `^(?:${host})\\.?$`)
		.join('|'),
);

/**
 * Whether a URL is reachable only from this machine or its local network. Returns true for a string that
 * isn't a URL.
 */
export function isPrivateUrl(url: string): boolean {
	const host = parseUrl(url)?.hostname;
	return host === undefined || privateHost.test(host);
}

/**
 * Returns false for a string that isn't a URL, and true for the unspecified addresses `0.0.0.0` and `[::]`, because a
 * machine that calls them is calling itself.
 */
export function isLoopbackUrl(url: string): boolean {
	const host = parseUrl(url)?.hostname ?? '';
	return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])\.?$/.test(host);
}

/** Matches a path that parsing doesn't change. */
const plainPath = /^(?:\/[\w-]+)+$/;

/**
 * @param baseUrl The Base URL, as it was parsed.
 * @returns The path below the Base URL, with its leading slash and without the query; undefined if the URL is not
 * below the Base URL.
 */
export function pathBelow(baseUrl: string, url: string): string | undefined {
	const rest = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : '';
	// Parsing a URL takes a good part of the time that a call takes.
	if (plainPath.test(rest)) return rest;
	const base = parseUrl(baseUrl);
	const target = parseUrl(url);
	if (!base || !target || base.origin !== target.origin) return undefined;
	const root = withoutSlashes(base.pathname);
	if (target.pathname !== root && !target.pathname.startsWith(`${root}/`)) return undefined;
	return target.pathname.slice(root.length) || '/';
}

/** Returns the part unchanged if it can't be decoded. */
export function decodeUrlPart(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

export const dayMs = 86_400_000;

/**
 * Parses the time of something that happens in the service, as in {@link readMoment}.
 * @returns undefined for a time that isn't after 1970-01-01 either, because 0 and -1 mean that there is none.
 */
export function readTime(value: unknown): number | undefined {
	const timeMs = readMoment(value) ?? NaN;
	return timeMs > 0 ? timeMs : undefined;
}

/**
 * Parses a moment: milliseconds since 1970 as a number or digits, or ISO 8601 with a time zone. A string
 * without a time zone is refused, because it is ambiguous.
 * @returns Milliseconds since 1970; undefined for any other value.
 */
export function readMoment(value: unknown): number | undefined {
	const text = textOf(value).trim();
	const isDigits = /^-?\d+(?:\.\d+)?$/.test(text);
	const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	const timeMs = new Date(isDigits ? Number(text) : isIso ? text : NaN).getTime();
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

/**
 * Formats the time of something that happens in the service as ISO 8601, for simplified output. A value that
 * isn't a time is returned as a string.
 * @returns undefined for an empty value, and for a number that is no time ({@link readTime}).
 */
export function isoTime(value: unknown): string | undefined {
	const timeMs = readTime(value);
	if (timeMs !== undefined) return new Date(timeMs).toISOString();
	return readMoment(value) === undefined ? firstText(value) : undefined;
}
