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
