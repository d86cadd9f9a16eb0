import fc from 'fast-check';

import { RateLimiter, type Turn } from '../../nodes/SignVerify/http/rateLimit';
import { readRetryAfter } from '../../nodes/SignVerify/http/request';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const wait = async (ms: number) => await sleep(ms / 1000);
const minute = 60_000;

/** Makes a rate limiter and functions that make calls. `sent` lists when each call was sent (ms). */
function limited() {
	const limiter = new RateLimiter();
	const elapsedMs = stopwatch();
	const sent: number[] = [];
	const acquire = async (perSecond = 0, maxWait = minute * 10, cancel?: AbortSignal) => {
		const turn = await limiter.acquire(perSecond, performance.now() + maxWait, cancel);
		if (turn) sent.push(Math.round(elapsedMs()));
		return turn;
	};
	/** Makes a call that is immediately rejected with HTTP 429. */
	const refuse = async (retryAfter?: number) => {
		limiter.end((await acquire()) as Turn, 429, retryAfter);
		sent.pop();
	};
	return { limiter, acquire, refuse, sent };
}

describe('The pause after HTTP 429', () => {
	test('lasts as long as the service requests, but at most an hour', async () => {
		const { limiter, refuse } = limited();
		await refuse(59 * minute);
		expect(limiter.remainingPauseMs).toBe(59 * minute);
		const other = limited();
		await other.refuse(24 * 60 * minute);
		expect(other.limiter.remainingPauseMs).toBe(60 * minute);
		// Messages show the pause that the service requested, not the shorter pause that the limiter applies.
		expect(other.limiter.askedPauseMs).toBe(24 * 60 * minute);
	});

	test("immediately fails a waiting call if it is extended beyond the call's limit", async () => {
		const { limiter, acquire, refuse, sent } = limited();
		const early = (await acquire()) as Turn;
		await refuse(1000);
		const elapsedMs = stopwatch();
		const waiting = [acquire(0, 5 * minute), acquire(0, 90 * minute)];
		limiter.end(early, 429, 59 * minute);
		expect(await waiting[0]).toBeUndefined();
		expect(elapsedMs()).toBeLessThan(1000);
		await waiting[1];
		expect(sent.at(-1)).toBe(59 * minute);
	});

	test('grows with each rejection from the fifth on, and is short again after a success', async () => {
		const { limiter, acquire, refuse } = limited();
		const found: number[] = [];
		// Ten calls that are rejected together are treated as one rejection.
		const turns = await Promise.all(Array.from({ length: 10 }, async () => await acquire()));
		for (const turn of turns) limiter.end(turn as Turn, 429);
		found.push(limiter.remainingPauseMs);
		for (let storm = 0; storm < 5; storm++) {
			await refuse();
			found.push(limiter.remainingPauseMs);
		}
		limiter.end((await acquire()) as Turn, 200);
		await refuse();
		found.push(limiter.remainingPauseMs);
		[250, 250, 250, 250, 500, 1000, 250].forEach((full, storm) => {
			expect(found[storm]).toBeGreaterThanOrEqual(full / 2);
			expect(found[storm]).toBeLessThanOrEqual(full);
		});
	});

	test.each([
		['no Retry-After', undefined],
		['a Retry-After of 0 ms', 0],
		['a Retry-After of 1 ms', 1],
		['a Retry-After of 100 ms', 100],
	])('lasts 125 to 250 ms with %s', async (_what, asked) => {
		const { limiter, refuse } = limited();
		await refuse(asked);
		expect(limiter.remainingPauseMs).toBeGreaterThanOrEqual(125);
		expect(limiter.remainingPauseMs).toBeLessThanOrEqual(250);
	});

	test.each([
		['is rejected without a Retry-After', 429],
		['succeeds', 200],
	])('keeps its length if the first call after an earlier pause %s', async (_what, status) => {
		const { limiter, acquire, refuse } = limited();
		const early = (await acquire()) as Turn;
		await refuse(1000);
		const first = (await acquire()) as Turn;
		limiter.end(early, 429, 59 * minute);
		limiter.end(first, status);
		expect(limiter.remainingPauseMs).toBe(59 * minute);
		// A call that can't wait that long is denied because of the service's pause, not because of
		// Requests per Second.
		expect(await acquire(0, minute)).toBeUndefined();
		expect(limiter.isRateLimited).toBe(true);
	});

	test('is short again if the earlier refusals were long ago', async () => {
		const { limiter, refuse } = limited();
		for (let count = 0; count < 12; count++) await refuse();
		expect(limiter.remainingPauseMs).toBeGreaterThan(5000);
		await wait(60 * minute);
		await refuse();
		expect(limiter.remainingPauseMs).toBeLessThan(500);
	});

	test('is forgotten once a call succeeds before the requested time is over', async () => {
		const { limiter, acquire, refuse } = limited();
		await refuse(24 * 60 * minute);
		limiter.end((await acquire(0, 61 * minute)) as Turn, 200);
		await refuse();
		expect(limiter.askedPauseMs).toBe(0);
	});

	test('delays new calls, and delays waiting calls further if it is extended', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		const early = (await acquire()) as Turn;
		await refuse(1000);
		const calls = [acquire(), acquire()];
		await wait(500);
		limiter.end(early, 429, 2000);
		limiter.end((await calls[0]) as Turn, 200);
		await calls[1];
		expect(sent).toEqual([0, 2500, 2500]);
	});

	test('ends immediately for a canceled execution without delaying the next call', async () => {
		const { acquire, refuse, sent } = limited();
		const cancel = new AbortController();
		await refuse(1000);
		const cancelled = acquire(0, minute, cancel.signal);
		const next = acquire();
		await wait(30);
		cancel.abort();
		expect(await cancelled).toBeUndefined();
		await next;
		expect(sent).toEqual([1000]);
	});

	test('rejects a call that would have to wait too long, without sending it', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		await refuse(30_000);
		expect(await acquire(0, 10_000)).toBeUndefined();
		expect(limiter.isRateLimited).toBe(true);
		expect(sent).toEqual([]);
	});
});

describe('The first call after a pause', () => {
	test.each([
		['all others if it succeeds', 200, [1020, 1020]],
		['all others if it is rejected for another reason', 400, [1020, 1020]],
		['one other call if it does not get a response', undefined, [1020]],
		['the next call only after another pause if it also gets HTTP 429', 429, [2020]],
	])('releases %s', async (_name, status, then) => {
		const { limiter, acquire, refuse, sent } = limited();
		await refuse(1000);
		const [first, ...others] = [acquire(), acquire(), acquire()];
		const turn = (await first) as Turn;
		await wait(20);
		limiter.end(turn, status, 1000);
		await wait(1500);
		expect(sent).toEqual([1000, ...then]);
		for (const other of others) void other.then((own) => limiter.end(own as Turn, 200));
		await Promise.all(others);
	});

	test('also releases a call that arrived after the pause', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		await refuse(1000);
		const first = (await acquire()) as Turn;
		const next = acquire();
		await wait(20);
		limiter.end(first, 200);
		await next;
		expect(sent).toEqual([1000, 1020]);
	});

	test('holds back the next call even if calls from before the pause have ended', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		const slow = await acquire();
		const slower = await acquire();
		await refuse(1000);
		limiter.end(slow as Turn, 200);
		const first = acquire();
		const second = acquire();
		const turn = (await first) as Turn;
		limiter.end(slower as Turn, 429);
		await wait(100);
		expect(sent.slice(2)).toEqual([1000]);
		limiter.end(turn, 200);
		await second;
		expect(sent.slice(2)).toEqual([1000, 1100]);
	});

	test('is followed by the next call after five seconds if it does not get a response', async () => {
		const { acquire, refuse, sent } = limited();
		await refuse(1000);
		await Promise.all([acquire(), acquire(), acquire()]);
		expect(sent).toEqual([1000, 6000, 11_000]);
	});
});

describe('A call that does not have to wait', () => {
	test('is sent at once, even if its time limit is over', async () => {
		const { acquire, sent } = limited();
		expect(await acquire(1, -1000)).toBeDefined();
		expect(sent).toEqual([0]);
	});

	test('is not sent, and leaves its turn to the next call, if its execution is canceled', async () => {
		const { acquire, sent } = limited();
		expect(await acquire(1, minute, AbortSignal.abort())).toBeUndefined();
		await acquire(1);
		await acquire(1);
		expect(sent).toEqual([0, 1000]);
	});

	test('does not overtake a call that has waited for the same turn', async () => {
		const { acquire } = limited();
		await acquire(1);
		const order: string[] = [];
		const calls = [acquire(1).then(() => order.push('waiting'))];
		// The timer has fired, but the waiting call hasn't continued yet.
		jest.advanceTimersByTime(1000);
		calls.push(acquire(1).then(() => order.push('new')));
		await Promise.all(calls);
		expect(order).toEqual(['waiting', 'new']);
	});

	test('waits for the response to the first call after a pause', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		await refuse(1000);
		await wait(1000);
		const first = (await acquire()) as Turn;
		const next = acquire();
		await wait(300);
		expect(sent).toEqual([1000]);
		limiter.end(first, 200);
		await next;
		expect(sent).toEqual([1000, 1300]);
	});
});

describe('Requests per Second', () => {
	test('spaces calls evenly and keeps them in order', async () => {
		const { acquire, sent } = limited();
		await Promise.all(Array.from({ length: 5 }, async () => await acquire(4)));
		expect(sent).toEqual([0, 250, 500, 750, 1000]);
	});

	test.each([0, 1, 600])(
		'rejects a call that would have to wait longer than its limit of %i ms',
		async (maxWait) => {
			const { acquire, sent } = limited();
			const calls = Array.from({ length: 20 }, async () => await acquire(2, maxWait));
			const turns = (await Promise.all(calls)).filter(Boolean);
			expect(turns).toHaveLength(maxWait === 600 ? 2 : 1);
			await acquire(2);
			expect(sent).toEqual(maxWait === 600 ? [0, 500, 1000] : [0, 500]);
		},
	);

	test('lets an event that can wait only 5 s go ahead of 40 documents', async () => {
		const { acquire, sent } = limited();
		const order: string[] = [];
		const documents = Array.from({ length: 40 }, async () => {
			await acquire(1);
			order.push('document');
		});
		await wait(1500);
		const event = await acquire(1, 5000);
		order.push('event');
		expect(event).toBeDefined();
		expect(order).toEqual(['document', 'document', 'event']);
		await Promise.all(documents);
		expect(sent).toEqual(Array.from({ length: 41 }, (_, second) => second * 1000));
	});

	test('gives documents all turns that events leave free', async () => {
		const { acquire, sent } = limited();
		await acquire(1);
		const documents = Array.from({ length: 10 }, async () => await acquire(1, minute));
		for (let count = 0; count < 10; count++) {
			void acquire(1, 5000);
			await wait(2000);
		}
		await Promise.all(documents);
		expect(sent).toEqual(Array.from({ length: 21 }, (_, second) => second * 1000));
	});

	test('keeps its pace and sends each call in time, no matter which calls arrive', async () => {
		const calls = fc.array(
			fc.record({
				at: fc.integer({ min: 0, max: 20_000 }),
				maxWait: fc.constantFrom(0, 5000, 10_000, 300_000),
				cancelled: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
			}),
			{ minLength: 1, maxLength: 40 },
		);
		await fc.assert(
			fc.asyncProperty(calls, fc.constantFrom(0.5, 1, 3), async (all, perSecond) => {
				const { acquire, sent } = limited();
				const elapsedMs = stopwatch();
				const turns: Array<{ at: number; came: number; end: number }> = [];
				let done = 0;
				const make = async ({ at, maxWait, cancelled }: (typeof all)[number]) => {
					await wait(at);
					const cancel = new AbortController();
					if (cancelled !== undefined) void wait(cancelled).then(() => cancel.abort());
					const came = elapsedMs();
					const turn = await acquire(perSecond, maxWait, cancel.signal);
					done++;
					const now = elapsedMs();
					if (turn) turns.push({ at: now, came, end: came + maxWait });
				};
				await Promise.all(all.map(make));
				expect(done).toBe(all.length);
				for (const { at, end } of turns) expect(at).toBeLessThanOrEqual(end + 2);
				for (const [index, at] of sent.entries()) {
					const before = sent[index - 1] ?? -Infinity;
					expect(at - before).toBeGreaterThanOrEqual(1000 / perSecond - 2);
				}
				// If two calls may wait for the same length of time, the one that arrived first is sent
				// first.
				for (const patience of [5000, 10_000, 300_000]) {
					const alike = turns.filter(({ came, end }) => Math.round(end - came) === patience);
					const came = alike.map((turn) => turn.came);
					expect(came).toEqual([...came].sort((one, two) => one - two));
				}
			}),
			{ numRuns: 100 },
		);
	});

	test("gives a canceled call's turn to the next call", async () => {
		const { acquire, sent } = limited();
		await acquire(1);
		const cancel = new AbortController();
		const cancelled = acquire(1, minute, cancel.signal);
		const next = acquire(1);
		await wait(500);
		cancel.abort();
		await Promise.all([cancelled, next]);
		expect(sent).toEqual([0, 1000]);
	});

	test.each([
		['back', -1],
		['forward', 1],
	])("is still enforced if the machine's clock jumps %s by an hour", async (_direction, hours) => {
		const { limiter, acquire, refuse, sent } = limited();
		await acquire(2);
		jest.setSystemTime(Date.now() + hours * 60 * minute);
		await acquire(2);
		await refuse(1000);
		jest.setSystemTime(Date.now() - hours * 60 * minute);
		limiter.end((await acquire(2)) as Turn, 200);
		expect(sent).toEqual([0, 500, 2000]);
	});
});

describe('A Retry-After header', () => {
	test.each([
		['2', 'is read as 2,000 ms', 2000],
		[1.5, 'is read as 1,500 ms', 1500],
		[['3', '9'], 'is read as 3,000 ms', 3000],
		['0', 'is ignored', undefined],
		['-0', 'is ignored', undefined],
		['-1', 'is ignored', undefined],
		['soon', 'is ignored', undefined],
		['', 'is ignored', undefined],
		[undefined, 'is ignored', undefined],
		['40 (seconds)', 'is ignored', undefined],
		['delay 35', 'is ignored', undefined],
		['40, 40', 'is ignored', undefined],
		['2040', 'is read as 2,040,000 ms', 2_040_000],
		['10000000000', 'is ignored', undefined],
		['9'.repeat(400), 'is ignored', undefined],
		['Wed, 21 Oct 2015 07:28:00 GMT', 'is ignored', undefined],
	])('with the value %j %s', (value, _outcome, ms) => {
		expect(readRetryAfter(value)).toBe(ms);
	});

	const inTenSeconds = Date.UTC(2026, 10, 5, 8, 49, 37);

	test.each([
		['in the format of HTTP', 'Thu, 05 Nov 2026 08:49:37 GMT'],
		['in the format of RFC 850', 'Thursday, 05-Nov-26 08:49:37 GMT'],
		['in the format of asctime(), which is in UTC', 'Thu Nov  5 08:49:37 2026'],
		['as ISO 8601', '2026-11-05T09:49:37+01:00'],
		['in seconds since 1970', String(inTenSeconds / 1000)],
		['in milliseconds since 1970', inTenSeconds],
	])('with a moment %s is read as the time until then', (_format, value) => {
		jest.setSystemTime(inTenSeconds - 10_000);
		expect(readRetryAfter(value)).toBe(10_000);
		jest.setSystemTime(inTenSeconds + 10_000);
		expect(readRetryAfter(value)).toBeUndefined();
	});
});
