import { RateLimiter, readRetryAfter } from '../../nodes/SignVerify/transport/rateLimiter';
import { ServiceError, type ErrorFacts } from '../../nodes/SignVerify/transport/errors';
import { delay } from '../../nodes/SignVerify/util/async';
import { RetryPolicy } from '../../nodes/SignVerify/transport/retry';

const failure = (facts: Partial<ErrorFacts>) =>
	new ServiceError({ message: 'm', description: 'd', ...facts });

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

	test('waits longer from storm to storm, and starts over when a call gets through', async () => {
		const limiter = new RateLimiter();
		const first = limiter.backOff();
		expect(first).toBeGreaterThanOrEqual(125);
		expect(first).toBeLessThanOrEqual(250);
		// Nine more answers of the same storm change nothing.
		for (let answer = 0; answer < 9; answer++) limiter.backOff();
		await limiter.acquire();
		const second = limiter.backOff();
		expect(second).toBeGreaterThanOrEqual(250);
		expect(second).toBeLessThanOrEqual(500);
		await limiter.acquire();
		limiter.onSuccess();
		expect(limiter.backOff()).toBeLessThanOrEqual(250);
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

describe('the retry policy', () => {
	const triesOf = (idempotent: boolean, facts: Partial<ErrorFacts>) => {
		const policy = new RetryPolicy(idempotent, 60_000);
		let tries = 1;
		while (policy.shouldRetry(failure(facts))) tries++;
		return tries;
	};

	test.each<[string, boolean, Partial<ErrorFacts>, number]>([
		['what would fail again', true, { repeat: 'never' }, 1],
		['what may have happened, of a read', true, { repeat: 'ifIdempotent' }, 4],
		['what may have happened, of a creation', false, { repeat: 'ifIdempotent' }, 1],
		['what certainly did not happen', false, { repeat: 'always' }, 4],
		['a rate limit', false, { repeat: 'always', httpStatus: 429 }, 60],
	])('%s: tried %#', (_name, idempotent, facts, tries) => {
		expect(triesOf(idempotent, facts)).toBe(tries);
	});

	test('ends with its time', () => {
		const policy = new RetryPolicy(true, 1000);
		expect(policy.hasTimeFor(900)).toBe(true);
		expect(policy.hasTimeFor(1100)).toBe(false);
	});

	test('waits longer each time, with jitter', () => {
		const policy = new RetryPolicy(true, 1000);
		policy.shouldRetry(failure({ repeat: 'ifIdempotent' }));
		const first = policy.backoff();
		expect(first).toBeGreaterThanOrEqual(150);
		expect(first).toBeLessThanOrEqual(300);
		policy.shouldRetry(failure({ repeat: 'ifIdempotent' }));
		policy.shouldRetry(failure({ repeat: 'ifIdempotent' }));
		const third = policy.backoff();
		expect(third).toBeGreaterThanOrEqual(600);
		expect(third).toBeLessThanOrEqual(1200);
		expect(policy.summary()).toMatch(/ It was tried 3 times in 0 seconds\./);
	});
});
