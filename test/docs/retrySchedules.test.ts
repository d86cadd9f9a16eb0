import { lastAttemptAfter, RETRY_SCHEDULES } from '../../sandbox/service/retrySchedules';
import type { RetrySchedule } from '../../sandbox';
import { readPage } from './markdown';

/** Milliseconds of a text such as `82 s`, `82.5 s` or `46 h 11 min`. */
function msOf(text: string): number {
	const units: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 };
	return [...text.matchAll(/([\d.]+) (s|min|h)\b/g)].reduce(
		(sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
		0,
	);
}

/** The row of a table that names the schedule, as its cells. */
function rowOf(file: string, schedule: string): string[] {
	const row = readPage(file)
		.prose.split('\n')
		.find(
			(line) =>
				line.startsWith('| ') && line.includes('`' + schedule + '`') && !line.includes('retries'),
		);
	return (row ?? '')
		.split('|')
		.map((cell) => cell.trim())
		.slice(1, -1);
}

describe.each(Object.keys(RETRY_SCHEDULES) as RetrySchedule[])('the schedule "%s"', (schedule) => {
	const delays = RETRY_SCHEDULES[schedule];
	const last = lastAttemptAfter(delays);

	test('is what docs/sandbox.md says', () => {
		const [, attempts = '', end = ''] = rowOf('docs/sandbox.md', schedule);
		const [, list = ''] = attempts.split('then ');
		const numbers = list
			.replace(' after the one before', '')
			.split(/, | and /)
			.filter(Boolean);
		expect(numbers.map(msOf)).toEqual(delays);
		expect(msOf(end)).toBe(last);
	});

	test('gives the time that n8n may be down in docs/trigger.md, rounded down', () => {
		const [, time = ''] = rowOf('docs/trigger.md', schedule);
		const unit = time.endsWith('h') ? 3_600_000 : 1000;
		expect(msOf(time)).toBe(Math.floor(last / unit) * unit);
	});
});
