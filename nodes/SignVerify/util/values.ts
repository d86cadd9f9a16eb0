import type { IDataObject } from 'n8n-workflow';

/**
 * A value as text: a string as it is, a number or truth value as written, '' for everything else
 * (nothing, lists and objects).
 */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** What an error of any kind says. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : 'unknown reason';
}

/** The first of the values that says something, as text; fields of a document may be empty. */
export function firstText(...values: unknown[]): string | undefined {
	return values.map(textOf).find((text) => text !== '');
}

/**
 * Gives a moment as ISO 8601, for simplified output.
 * @param value epoch-ms, as number or digits, or an ISO text already.
 * @returns The ISO text; the value as it is where it is no moment.
 */
export function isoTime(value: unknown): string | undefined {
	const text = textOf(value);
	if (text === '') return undefined;
	const date = new Date(/^-?\d+$/.test(text) ? Number(text) : text);
	return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/**
 * Reads a moment of a notification: epoch-ms as number or digits, or an ISO text with its time zone
 * (without one, nobody knows which moment is meant).
 * @returns epoch-ms; undefined if it is absent or something else.
 */
export function readMoment(value: unknown): number | undefined {
	const text = typeof value === 'boolean' ? '' : textOf(value).trim();
	const isDigits = /^\d{1,16}(?:\.\d+)?$/.test(text);
	const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	if (!isDigits && !isIso) return undefined;
	const time = isDigits ? Number(text) : Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

/** Members below `responseData` under which an answer may hold the thing itself. */
const deepest = 3;

/**
 * The objects in which an undocumented answer may describe what it is about: the answer itself, the
 * only element of a list, and what stands in members with certain names. Innermost first, since an
 * outer object may describe the answer.
 * @param isWrapper Whether to look into the member of this name (lower case).
 */
export function placesIn(
	answer: unknown,
	isWrapper: (name: string) => boolean,
	depth = 0,
): IDataObject[] {
	// Of several elements nobody can tell which is meant.
	const list: unknown[] = Array.isArray(answer) ? answer : [answer];
	const [place] = list;
	if (list.length !== 1 || !isObject(place) || depth > deepest) return [];
	const inner = Object.entries(place).filter(([name]) => isWrapper(name.toLowerCase()));
	return [...inner.flatMap(([, value]) => placesIn(value, isWrapper, depth + 1)), place];
}

/** Whether a value is an object with named members (no array, no null). */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses text as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
