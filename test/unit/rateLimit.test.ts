import { RateLimiter, type Turn } from '../../nodes/SignVerify/http/rateLimit';
import { readRetryAfter } from '../../nodes/SignVerify/http/request';
import { sleep, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const wait = async (ms: number) => await sleep(ms / 1000);
const minute = 60_000;

/** A limiter, and how to make calls that note when they were sent (ms). */
function limited() {
	const limiter = new RateLimiter();
	const start = performance.now();
	const sent: number[] = [];
	const acquire = async (perSecond = 0, maxWait = minute * 10, cancel?: AbortSignal) => {
		const turn = await limiter.acquire(perSecond, performance.now() + maxWait, cancel);
		if (turn) sent.push(Math.round(performance.now() - start));
		return turn;
	};
	/** Makes a call that is answered at once. */
	const refuse = async (retryAfter?: number) => {
		limiter.end((await acquire()) as Turn, 429, retryAfter);
		sent.pop();
	};
	return { limiter, acquire, refuse, sent };
}

describe('a pause', () => {
	test('lasts a minute at the most, however long the service asks for', async () => {
		const { limiter, refuse } = limited();
		await refuse(3_600_000);
		expect(limiter.pauseLeft).toBe(minute);
	});

	test('is longer from the fifth refusal on, and starts over when a call gets through', async () => {
		const { limiter, acquire, refuse } = limited();
		const found: number[] = [];
		// Ten calls of the same storm are one refusal.
		const turns = await Promise.all(Array.from({ length: 10 }, async () => await acquire()));
		for (const turn of turns) limiter.end(turn as Turn, 429);
		found.push(limiter.pauseLeft);
		for (let storm = 0; storm < 5; storm++) {
			await refuse();
			found.push(limiter.pauseLeft);
		}
		limiter.end((await acquire()) as Turn, 200);
		await refuse();
		found.push(limiter.pauseLeft);
		[250, 250, 250, 250, 500, 1000, 250].forEach((full, storm) => {
			expect(found[storm]).toBeGreaterThanOrEqual(full / 2);
			expect(found[storm]).toBeLessThanOrEqual(full);
		});
	});

	test.each([undefined, 0, 1, 100])('of %s ms is not what the service wants', async (asked) => {
		const { limiter, refuse } = limited();
		await refuse(asked);
		expect(limiter.pauseLeft).toBeGreaterThanOrEqual(125);
		expect(limiter.pauseLeft).toBeLessThanOrEqual(250);
	});

	test('holds those that come during it, and a longer one those that wait', async () => {
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

	test('ends at once when the execution is cancelled, and the next call is not held', async () => {
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

	test('that is longer than a call may wait ends the call before it is sent', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		await refuse(30_000);
		expect(await acquire(0, 10_000)).toBeUndefined();
		expect([limiter.isLimited, sent]).toEqual([true, []]);
	});
});

describe('after a pause, one call goes first', () => {
	test.each([
		['all others if it gets through', 200, [1020, 1020]],
		['all others if it is refused for another reason', 400, [1020, 1020]],
		['one of them if it gets no answer', undefined, [1020]],
		['none if it is refused again, until the next pause is over', 429, [2020]],
	])('and its answer decides: then go %s', async (_name, status, then) => {
		const { limiter, acquire, refuse, sent } = limited();
		await refuse(1000);
		const [first, ...others] = [acquire(), acquire(), acquire()];
		const turn = (await first) as Turn;
		await wait(20);
		limiter.end(turn, status, 1000);
		// What was sent before the pause says nothing.
		await wait(1500);
		expect(sent).toEqual([1000, ...then]);
		for (const other of others) void other.then((own) => limiter.end(own as Turn, 200));
		await Promise.all(others);
	});

	test('not one that was sent before the pause, whose success comes late', async () => {
		const { limiter, acquire, refuse, sent } = limited();
		const [slow, slower] = [await acquire(), await acquire()];
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

	test('and if its answer does not come, the next one follows after five seconds', async () => {
		const { acquire, refuse, sent } = limited();
		await refuse(1000);
		await Promise.all([acquire(), acquire(), acquire()]);
		expect(sent).toEqual([1000, 6000, 11_000]);
	});
});

describe('Requests per Second', () => {
	test('spaces the calls evenly, in their order', async () => {
		const { acquire, sent } = limited();
		await Promise.all(Array.from({ length: 5 }, async () => await acquire(4)));
		expect(sent).toEqual([0, 250, 500, 750, 1000]);
	});

	test.each([0, 1, 600])(
		'who may wait %i ms does not pass it, and takes no turn',
		async (maxWait) => {
			const { acquire, sent } = limited();
			const calls = Array.from({ length: 20 }, async () => await acquire(2, maxWait));
			const turns = (await Promise.all(calls)).filter(Boolean);
			expect(turns).toHaveLength(maxWait === 600 ? 2 : 1);
			await acquire(2);
			expect(sent).toEqual(maxWait === 600 ? [0, 500, 1000] : [0, 500]);
		},
	);

	test('gives the turn of a call that was cancelled to the next one', async () => {
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

	test.each([-1, 1])('is kept when the clock of the machine moves by %i hours', async (hours) => {
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
