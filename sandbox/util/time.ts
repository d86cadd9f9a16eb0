const months = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * A time as a person writes it: `21 November 2026, 05:17:32 UTC`. Put together here: how a library
 * joins the parts differs between versions of Node, and a document's bytes, with them its hash, must
 * not.
 * @param epochMs '' is the answer when it is absent or not a time.
 * @param isExact Whether to the second.
 */
export function writtenTime(epochMs: number | undefined, isExact = true): string {
	const date = new Date(epochMs ?? NaN);
	if (Number.isNaN(date.getTime())) return '';
	const time = date.toISOString().slice(11, isExact ? 19 : 16);
	return `${date.getUTCDate()} ${months.format(date)} ${date.getUTCFullYear()}, ${time} UTC`;
}

const SECOND = 1000;
const UNITS: Record<string, number> = {
	ms: 1,
	s: SECOND,
	m: 60 * SECOND,
	h: 3600 * SECOND,
	d: 86_400 * SECOND,
	w: 7 * 86_400 * SECOND,
};

/** What a length of time looks like: `30d`, `+90m`, `1d12h`. For schemas, too. */
export const DURATION = '^\\+?(?:\\d{1,9}(?:ms|[smhdw])){1,10}$';

/** Milliseconds of a text such as `30d` or `1h30m`; undefined if it is none. */
export function readDuration(text: string): number | undefined {
	const compact = text.replace(/\s+/g, '').toLowerCase();
	if (!new RegExp(DURATION).test(compact)) return undefined;
	return [...compact.matchAll(/(\d{1,9})(ms|[smhdw])/g)].reduce(
		(sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
		0,
	);
}

/** A length of time for people, in its two largest units: `1 day 2 hours`. */
export function durationText(ms: number): string {
	const parts: string[] = [];
	let left = Math.round(Math.abs(ms) / SECOND);
	for (const [name, seconds] of [
		['day', 86_400],
		['hour', 3600],
		['minute', 60],
		['second', 1],
	] as const) {
		const count = Math.floor(left / seconds);
		left -= count * seconds;
		if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
	}
	return parts.slice(0, 2).join(' ') || '0 seconds';
}
