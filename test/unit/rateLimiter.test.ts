import { RateLimiter, readRetryAfter } from '../../nodes/SignVerify/http/rateLimiter';
import { delay } from '../../nodes/SignVerify/util/async';
import { inVirtualTime } from '../support/virtualTime';

describe('the rate limiter', () => {
	test('spaces calls evenly where a number per second is set', async () => {
		const limiter = new RateLimiter(100);
		const start = Date.now();
		await Promise.all(Array.from({ length: 21 }, async () => await limiter.acquire()));
		expect(Date.now() - start).toBeGreaterThanOrEqual(195);
	});

	test('does not hold anybody up without one', async () => {
		const timers = jest.spyOn(globalThis, 'setTimeout');
		const limiter = new RateLimiter();
		for (let call = 0; call < 1000; call++) await limiter.acquire();
		expect(timers).not.toHaveBeenCalled();
		timers.mockRestore();
	});

	test('halts all calls when the service asks for it', async () => {
		const limiter = new RateLimiter();
		const start = Date.now();
		expect(limiter.backOff(300)).toBeGreaterThan(250);
		await Promise.all([limiter.acquire(), limiter.acquire(), limiter.acquire()]);
		expect(Date.now() - start).toBeGreaterThanOrEqual(290);
	});

	test('waits a minute at the most, however long the service asks for', () => {
		expect(new RateLimiter().backOff(3_600_000)).toBeLessThanOrEqual(60_000);
	});

	test('waits longer from the fifth storm on, and starts over when a call gets through', async () => {
		const { value: waits } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			const holds: number[] = [];
			for (let storm = 0; storm < 6; storm++) {
				holds.push(limiter.backOff());
				// Nine more answers of the same storm change nothing.
				for (let answer = 0; answer < 9; answer++) limiter.backOff();
				await new Promise((resolve) => setTimeout(resolve, holds.at(-1)));
			}
			limiter.onSuccess();
			return [...holds, limiter.backOff()];
		});
		[250, 250, 250, 250, 500, 1000, 250].forEach((full, storm) => {
			expect(waits[storm]).toBeGreaterThanOrEqual(full / 2);
			expect(waits[storm]).toBeLessThanOrEqual(full);
		});
	});

	test.each([undefined, 0, 1, 100])('asked for %s ms: waits as it does by itself', (asked) => {
		const limiter = new RateLimiter();
		const waits = Array.from({ length: 2 }, () => limiter.backOff(asked));
		expect(waits[0]).toBeGreaterThanOrEqual(125);
		expect(waits[1]).toBeLessThanOrEqual(waits[0] ?? 0);
	});

	test('ends at once when the execution is cancelled', async () => {
		const cancel = new AbortController();
		const limiter = new RateLimiter();
		limiter.backOff(30_000);
		const start = Date.now();
		setTimeout(() => cancel.abort(), 30);
		expect(await limiter.acquire(cancel.signal)).toBe(false);
		expect(await delay(30_000, cancel.signal)).toBe(false);
		expect(Date.now() - start).toBeLessThan(10_000);
	});
});

describe('after a limit, calls are spaced', () => {
	/** So many calls that get through, so far apart (ms); then a limit. */
	const limitAfter = async (
		limiter: RateLimiter,
		calls: number,
		apart: number,
		retryAfter?: number,
	) => {
		for (let call = 0; call < calls; call++) {
			await new Promise((resolve) => setTimeout(resolve, apart));
			limiter.onSuccess();
		}
		const hold = limiter.backOff(retryAfter);
		await new Promise((resolve) => setTimeout(resolve, hold));
		limiter.onSuccess();
	};
	/** Milliseconds from one call to the next, once the limiter has had one. */
	const gap = async (limiter: RateLimiter) => {
		await limiter.acquire();
		const start = Date.now();
		await limiter.acquire();
		return Date.now() - start;
	};

	test('as they got through before it', async () => {
		const { value } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			await limitAfter(limiter, 250, 5);
			return await gap(limiter);
		});
		expect(value).toBeGreaterThanOrEqual(4);
		expect(value).toBeLessThanOrEqual(5);
	});

	test('only little further after each limit, since one count may be a bad one', async () => {
		const { value } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			const gaps: number[] = [];
			for (let limits = 0; limits < 3; limits++) {
				await limitAfter(limiter, 1, 1000);
				gaps.push(await gap(limiter));
			}
			return gaps;
		});
		value.forEach((ms, index) => {
			expect(ms).toBeGreaterThan(23 * 1.2 ** index);
			expect(ms).toBeLessThanOrEqual(25 * (4 / 3) ** index);
		});
	});

	test('and ever closer: other runs that took a part come to an end', async () => {
		const { value } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			await limitAfter(limiter, 1, 1000);
			const soon = await gap(limiter);
			await new Promise((resolve) => setTimeout(resolve, 30_000));
			return [soon, await gap(limiter)];
		});
		expect(value[1]).toBeLessThan((value[0] ?? 0) / 3);
	});

	test('not at all where the service says when to come back', async () => {
		const { value } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			await limitAfter(limiter, 10, 100, 1000);
			return await gap(limiter);
		});
		expect(value).toBe(0);
	});

	test.each([
		['nothing had got through', 0, 0],
		['calls have only just begun', 10, 50],
	])('nor where %s', async (_when, calls, apart) => {
		const { value } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			await limitAfter(limiter, calls, apart);
			return await gap(limiter);
		});
		expect(value).toBe(0);
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
