import { RateLimiter, readRetryAfter } from '../../nodes/SignVerify/http/retry';
import { inVirtualTime } from '../support/virtualTime';

describe('the rate limiter', () => {
	test('waits a minute at the most, however long the service asks for', () => {
		expect(new RateLimiter().pause(3_600_000)).toBeLessThanOrEqual(60_000);
	});

	test('waits longer from the fifth storm on, and starts over when a call gets through', async () => {
		const { value: waits } = await inVirtualTime(async () => {
			const limiter = new RateLimiter();
			const holds: number[] = [];
			for (let storm = 0; storm < 6; storm++) {
				holds.push(limiter.pause());
				// Nine more answers of the same storm change nothing.
				for (let answer = 0; answer < 9; answer++) limiter.pause();
				await new Promise((resolve) => setTimeout(resolve, holds.at(-1)));
			}
			limiter.onSuccess();
			return [...holds, limiter.pause()];
		});
		[250, 250, 250, 250, 500, 1000, 250].forEach((full, storm) => {
			expect(waits[storm]).toBeGreaterThanOrEqual(full / 2);
			expect(waits[storm]).toBeLessThanOrEqual(full);
		});
	});

	test.each([undefined, 0, 1, 100])('asked for %s ms: waits as it does by itself', (asked) => {
		const limiter = new RateLimiter();
		const waits = Array.from({ length: 2 }, () => limiter.pause(asked));
		expect(waits[0]).toBeGreaterThanOrEqual(125);
		expect(waits[1]).toBeLessThanOrEqual(waits[0] ?? 0);
	});

	test('lets go who cannot wait so long', async () => {
		const limiter = new RateLimiter();
		limiter.pause(30_000);
		const start = Date.now();
		expect(await limiter.acquire(0, 50)).toBe(true);
		expect(Date.now() - start).toBeLessThan(10_000);
	});

	test('ends at once when the execution is cancelled', async () => {
		const cancel = new AbortController();
		const limiter = new RateLimiter();
		limiter.pause(30_000);
		const start = Date.now();
		setTimeout(() => cancel.abort(), 30);
		expect(await limiter.acquire(0, Infinity, cancel.signal)).toBe(false);
		expect(Date.now() - start).toBeLessThan(10_000);
	});
});

test('calls that come during a pause wait for its end together, and for a longer one', async () => {
	const { value } = await inVirtualTime(async () => {
		const limiter = new RateLimiter();
		const start = Date.now();
		const first = limiter.pause(1000);
		const calls = Promise.all([limiter.acquire(0), limiter.acquire(0)]);
		await new Promise((resolve) => setTimeout(resolve, 500));
		const second = limiter.pause(2000);
		expect(await calls).toEqual([true, true]);
		return { first, second, end: Date.now() - start };
	});
	expect(value).toEqual({ first: 1000, second: 2000, end: 2500 });
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
