const months = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * Formats a time as readable text: `November 21, 2026, 05:17:32 UTC`. Intl joins the parts differently in
 * different versions of Node, which would change a document's bytes and hash. Therefore, this function joins
 * them itself.
 * @param epochMs The time. If it is absent or invalid, the result is ''.
 * @param isExact Whether to include the seconds.
 */
export function writtenTime(epochMs: number | undefined, isExact = true): string {
	const date = new Date(epochMs ?? NaN);
	if (Number.isNaN(date.getTime())) return '';
	const time = date.toISOString().slice(11, isExact ? 19 : 16);
	return `${months.format(date)} ${date.getUTCDate()}, ${date.getUTCFullYear()}, ${time} UTC`;
}

const second = 1000;
const units: Record<string, number> = {
	ms: 1,
	s: second,
	m: 60 * second,
	h: 3600 * second,
	d: 86_400 * second,
	w: 7 * 86_400 * second,
};

/** Matches a duration, such as `30d`, `+90m` or `1d12h`. Schemas use this pattern too. */
export const duration = '^\\+?(?:\\d{1,9}(?:ms|[smhdw])){1,10}$';

/** Converts a duration such as `30d` or `1h30m` to milliseconds. Returns undefined for any other text. */
export function readDuration(text: string): number | undefined {
	const compact = text.replace(/\s+/g, '').toLowerCase();
	if (!new RegExp(duration).test(compact)) return undefined;
	return [...compact.matchAll(/(\d{1,9})(ms|[smhdw])/g)].reduce(
		(sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
		0,
	);
}

/** Formats a duration as readable text, in its two largest units: `1 day 2 hours`. */
export function durationText(ms: number): string {
	const parts: string[] = [];
	let left = Math.round(Math.abs(ms) / second);
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
