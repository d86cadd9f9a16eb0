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
