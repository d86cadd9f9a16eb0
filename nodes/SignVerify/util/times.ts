import { firstText, textOf } from './values';

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
