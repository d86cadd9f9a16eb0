const months = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * Writes a time for a person: `21 November 2026, 05:17:32 UTC`. The parts are joined here and not by Intl,
 * because Intl's result differs between versions of Node, and would change the bytes and the hash of a
 * document.
 * @param epochMs The result is '' if this is absent or not a time.
 * @param isExact Whether to include hours, minutes and seconds.
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

/** Matches a duration: `30d`, `+90m`, `1d12h`. It is also used in schemas. */
export const DURATION = '^\\+?(?:\\d{1,9}(?:ms|[smhdw])){1,10}$';

/** Reads a duration such as `30d` or `1h30m` in milliseconds. Returns undefined for any other text. */
export function readDuration(text: string): number | undefined {
	const compact = text.replace(/\s+/g, '').toLowerCase();
	if (!new RegExp(DURATION).test(compact)) return undefined;
	return [...compact.matchAll(/(\d{1,9})(ms|[smhdw])/g)].reduce(
		(sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
		0,
	);
}

/** Writes a duration for people, in its two largest units: `1 day 2 hours`. */
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
