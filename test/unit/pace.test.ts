import { Pace, readRetryAfter } from '../../nodes/SignVerify/transport/pace';
import { Patience } from '../../nodes/SignVerify/transport/patience';
import { pause } from '../../nodes/SignVerify/transport/pause';
import { ServiceFailure, type FailureFacts } from '../../nodes/SignVerify/transport/failure';

const failure = (facts: Partial<FailureFacts>) =>
	new ServiceFailure({ message: 'm', description: 'd', ...facts });

describe('the pace', () => {
	test('spaces calls evenly where a number per second is set', async () => {
		const pace = new Pace(100);
		const start = Date.now();
		await Promise.all(Array.from({ length: 21 }, async () => await pace.turn()));
		expect(Date.now() - start).toBeGreaterThanOrEqual(195);
	});

	test('does not hold anybody up without one', async () => {
		const timers = jest.spyOn(globalThis, 'setTimeout');
		const pace = new Pace();
		for (let call = 0; call < 1000; call++) await pace.turn();
		expect(timers).not.toHaveBeenCalled();
		timers.mockRestore();
	});

	test('halts all calls when the service asks for it', async () => {
		const pace = new Pace();
		const start = Date.now();
		expect(pace.hold(300)).toBeGreaterThan(250);
		await Promise.all([pace.turn(), pace.turn(), pace.turn()]);
		expect(Date.now() - start).toBeGreaterThanOrEqual(290);
	});

	test('waits a minute at the most, however long the service asks for', () => {
		expect(new Pace().hold(3_600_000)).toBeLessThanOrEqual(60_000);
	});

	test('waits longer from storm to storm, and starts over when a call gets through', async () => {
		const pace = new Pace();
		const first = pace.hold();
		expect(first).toBeGreaterThanOrEqual(125);
		expect(first).toBeLessThanOrEqual(250);
		// Nine more answers of the same storm change nothing.
		for (let answer = 0; answer < 9; answer++) pace.hold();
		await pace.turn();
		const second = pace.hold();
		expect(second).toBeGreaterThanOrEqual(250);
		expect(second).toBeLessThanOrEqual(500);
		await pace.turn();
		pace.passed();
		expect(pace.hold()).toBeLessThanOrEqual(250);
	});

	test.each([undefined, 0, 1, 100])('asked for %s ms: waits as it does by itself', (asked) => {
		const pace = new Pace();
		const waits = Array.from({ length: 2 }, () => pace.hold(asked));
		expect(waits[0]).toBeGreaterThanOrEqual(125);
		expect(waits[1]).toBeLessThanOrEqual(waits[0] ?? 0);
	});

	test('ends at once when the execution is cancelled', async () => {
		const cancel = new AbortController();
		const pace = new Pace();
		pace.hold(30_000);
		const start = Date.now();
		setTimeout(() => cancel.abort(), 30);
		expect(await pace.turn(cancel.signal)).toBe(false);
		expect(await pause(30_000, cancel.signal)).toBe(false);
		expect(Date.now() - start).toBeLessThan(1000);
	});
});

describe('Retry-After', () => {
	test.each([
		['2', 2000],
		[1.5, 1500],
		[['3', '9'], 3000],
		['0', undefined],
		['-0', undefined],
		['-1', undefined],
		['soon', undefined],
		['', undefined],
		[undefined, undefined],
		['Wed, 21 Oct 2015 07:28:00 GMT', undefined],
	])('%j', (value, ms) => {
		expect(readRetryAfter(value)).toBe(ms);
	});

	test('as a date to come', () => {
		const ms = readRetryAfter(new Date(Date.now() + 10_000).toUTCString()) ?? 0;
		expect(ms).toBeGreaterThan(8_000);
		expect(ms).toBeLessThanOrEqual(10_000);
	});
});

describe('patience', () => {
	const triesOf = (harmless: boolean, facts: Partial<FailureFacts>) => {
		const patience = new Patience(harmless, 60_000);
		let tries = 1;
		while (patience.allows(failure(facts))) tries++;
		return tries;
	};

	test.each<[string, boolean, Partial<FailureFacts>, number]>([
		['what would fail again', true, { repeat: 'never' }, 1],
		['what may have happened, of a read', true, { repeat: 'ifHarmless' }, 4],
		['what may have happened, of a creation', false, { repeat: 'ifHarmless' }, 1],
		['what certainly did not happen', false, { repeat: 'always' }, 4],
		['a rate limit', false, { repeat: 'always', httpStatus: 429 }, 60],
	])('%s: tried %#', (_name, harmless, facts, tries) => {
		expect(triesOf(harmless, facts)).toBe(tries);
	});

	test('ends with its time', () => {
		const patience = new Patience(true, 1000);
		expect(patience.lasts(900)).toBe(true);
		expect(patience.lasts(1100)).toBe(false);
	});

	test('waits longer each time, with jitter', () => {
		const patience = new Patience(true, 1000);
		patience.allows(failure({ repeat: 'ifHarmless' }));
		const first = patience.delay();
		expect(first).toBeGreaterThanOrEqual(150);
		expect(first).toBeLessThanOrEqual(300);
		patience.allows(failure({ repeat: 'ifHarmless' }));
		patience.allows(failure({ repeat: 'ifHarmless' }));
		const third = patience.delay();
		expect(third).toBeGreaterThanOrEqual(600);
		expect(third).toBeLessThanOrEqual(1200);
		expect(patience.report()).toMatch(/ It was tried 3 times in 0 seconds\./);
	});
});
