import { textOf } from '../transport/text';

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
