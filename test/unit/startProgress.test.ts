import { StartProgress } from '../../host/n8n';

const minuteMs = 60_000;

describe('A start of n8n', () => {
	it('goes on for as long as n8n logs something', () => {
		const progress = new StartProgress(0);
		const minutes = Array.from({ length: 30 }, (_, index) => index * 4);
		expect(minutes.filter((minute) => progress.isStuck(minute * minuteMs, minute))).toEqual([]);
	});

	it('is stuck once the log has been silent for more than five minutes', () => {
		const progress = new StartProgress(0);
		expect(progress.isStuck(3 * minuteMs, 10)).toBe(false);
		expect(progress.isStuck(8 * minuteMs, 10)).toBe(false);
		expect(progress.isStuck(8 * minuteMs + 1, 10)).toBe(true);
	});

	it('is stuck if n8n has never logged anything', () => {
		expect(new StartProgress(0).isStuck(5 * minuteMs + 1, 0)).toBe(true);
	});

	it('is reported once a minute, however often it is asked for', () => {
		const progress = new StartProgress(0);
		const seconds = Array.from({ length: 130 }, (_, index) => index);
		const reports = seconds.flatMap((second) => progress.report(second * 1000) ?? []);
		expect(reports).toEqual([
			expect.stringContaining('still starting, after a minute'),
			expect.stringContaining('still starting, after 2 minutes'),
		]);
	});
});
