import { setTimeout as realDelay } from 'node:timers/promises';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { RateLimiter } from '../../nodes/SignVerify/http/rateLimiter';
import { read } from '../support/calls';
import { standIn } from '../support/standIn';
import { inVirtualTime } from '../support/virtualTime';
import { attempt } from '../../nodes/SignVerify/util/async';

const latency = 50;
const maxRetryTime = 300_000;

/** Reads for so many items at a service that refuses until so many seconds are over; on a virtual clock. */
async function readAll(
	items: number,
	{ parallel = 50, until = Infinity, headers = {}, perSecond = 0 },
) {
	/** When each call came (s), and whether it was refused. */
	const calls: Array<{ at: number; refused: boolean }> = [];
	const { value: settled, seconds } = await inVirtualTime(async () => {
		const start = Date.now();
		const { context } = standIn(async () => {
			const at = (Date.now() - start) / 1000;
			calls.push({ at, refused: at < until });
			await new Promise((resolve) => setTimeout(resolve, latency));
			return at < until ? { status: 429, headers } : {};
		});
		const client = new ServiceClient(context, { maxRetryTime, parallel, perSecond });
		const ended: Array<Awaited<ReturnType<typeof attempt>>> = [];
		let begun = 0;
		// All start in one moment, unlike the items of a run.
		const worker = async () => {
			while (begun++ < items) ended.push(await attempt(client.call(read)));
		};
		await Promise.all(Array.from({ length: parallel }, worker));
		return ended;
	});
	const done = settled.filter(({ ok }) => ok).length;
	/** The most that came within any quarter of a second between two moments (s). */
	const most = (from: number, to: number) => {
		const within = calls.filter(({ at }) => at >= from && at < to);
		return Math.max(
			...within.map(({ at }) => within.filter((b) => b.at >= at && b.at < at + 0.25).length),
		);
	};
	return { calls, done, seconds, most, settled };
}

describe('a service that answers 429 for ever', () => {
	test.each([
		['without Retry-After', {}, 200],
		// Such a service is asked as often as it asks for.
		['with Retry-After', { 'retry-after': '1' }, 4 * 310],
	])(
		'%s: two waves, then one call at a time, and an end after the time of a call',
		async (_name, headers, probes) => {
			const { calls, done, seconds, most, settled } = await readAll(200, { headers });
			expect(done).toBe(0);
			expect(most(0, 0.1)).toBe(50);
			expect(most(3, 290)).toBe(1);
			// Each item once, the first 50 once more after the first hold, and the probes.
			expect(calls.length).toBeLessThanOrEqual(200 + 2 * 50 + probes);
			// Four times fifty items, of five minutes each, and a hold that was on when they were over.
			expect(seconds).toBeLessThan(4 * (300 + 31));
			for (const each of settled) {
				expect(each).toMatchObject({
					ok: false,
					error: {
						message: 'The service says that there were too many requests (HTTP 429)',
						mayHaveCreated: false,
					},
				});
			}
		},
		60_000,
	);

	test('and with calls that are spaced: one at a time, too', async () => {
		const { calls, most } = await readAll(20, { parallel: 20, perSecond: 100 });
		expect(most(3, 290)).toBe(1);
		expect(calls.length).toBeLessThanOrEqual(20 + 2 * 20 + 30);
	}, 60_000);
});

test('a service that refuses for twenty seconds: all are done soon after', async () => {
	const { calls, done, seconds, most } = await readAll(50, { until: 20 });
	expect(done).toBe(50);
	expect(most(3, 20)).toBe(1);
	expect(calls.filter(({ refused }) => refused).length).toBeLessThanOrEqual(2 * 50 + 10);
	// The longest hold that may have been on, the probe, and the moment that the others wait for its answer.
	expect(seconds).toBeLessThan(20 + 30 + 1);
});

test('a single hold makes nobody wait for a probe', async () => {
	const { calls, seconds } = await readAll(50, { until: 0.01 });
	expect(calls).toHaveLength(100);
	expect(seconds).toBeLessThanOrEqual(0.25 + 3 * 0.05);
});

describe('a probe', () => {
	/** A limiter after two refusals in a row, its second hold over. */
	const limitedTwice = async () => {
		const limiter = new RateLimiter();
		limiter.backOff();
		await limiter.acquire();
		limiter.backOff();
		return limiter;
	};
	/** When (ms) each of the calls went out. */
	const startsOf = async (limiter: RateLimiter, count: number, until?: number) => {
		const start = Date.now();
		const starts = Array.from({ length: count }, async () => {
			await limiter.acquire(undefined, until);
			return Date.now() - start;
		});
		return (await Promise.all(starts)).sort((a, b) => a - b);
	};

	test('that is not answered is followed by the next one after a quarter of a second', async () => {
		const { value } = await inVirtualTime(async () => await startsOf(await limitedTwice(), 4));
		const gaps = value.slice(1).map((at, index) => at - (value[index] ?? 0));
		expect(gaps).toEqual([250, 250, 250]);
	});

	test('that gets through lets all the others go', async () => {
		const { value } = await inVirtualTime(async () => {
			const limiter = await limitedTwice();
			await limiter.acquire();
			limiter.onSuccess();
			return await startsOf(limiter, 10);
		});
		expect(value.at(-1)).toBeLessThanOrEqual(250);
	});

	test('is not waited for once the time of a call is over', async () => {
		const { value } = await inVirtualTime(async () => {
			const limiter = await limitedTwice();
			return await startsOf(limiter, 5, Date.now() + 1);
		});
		expect(new Set(value).size).toBe(1);
	});

	test('is not waited for once the execution is cancelled', async () => {
		const limiter = await limitedTwice();
		const cancel = new AbortController();
		const starts = [1, 2, 3].map(async () => await limiter.acquire(cancel.signal));
		await realDelay(5);
		cancel.abort();
		expect(await Promise.all(starts)).toEqual([false, false, false]);
	});
});
