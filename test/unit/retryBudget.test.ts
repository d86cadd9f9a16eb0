import fc from 'fast-check';

import { ServiceClient } from '../../nodes/SignVerify/transport/client';
import { runItems } from '../../nodes/SignVerify/operations/runItems';
import { creation, deletion, read } from '../support/calls';
import { useFakeDelay } from '../support/fakeDelay';
import { coded, standIn, type Respond } from '../support/standIn';
import { mostTries, retryAllowance, RetryBudget } from '../../nodes/SignVerify/transport/retry';
import { type ServiceRequest } from '../../nodes/SignVerify/transport/request';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);
useFakeDelay();

const tries = mostTries.read.always;

/** How a try of a call ends. */
type End = 'ok' | 'failed' | 'broken' | 'refused' | 'missing' | 'limited';

const answer: Record<End, Respond> = {
	ok: () => undefined,
	failed: () => ({ status: 503 }),
	broken: () => {
		throw coded('ECONNRESET');
	},
	refused: () => {
		throw coded('ECONNREFUSED');
	},
	missing: () => ({ status: 404 }),
	limited: () => ({ status: 429, headers: { 'retry-after': '0.3' } }),
};

/** Makes a call for each request, all in one execution; the ends follow one another over all tries. */
async function run(requests: ServiceRequest[], ends: End[], parallel = 10) {
	const came: End[] = [];
	const { context, calls } = standIn((call, count) => {
		const end = ends[(count - 1) % ends.length] ?? 'ok';
		came.push(end);
		return answer[end](call, count);
	});
	const client = new ServiceClient(context, { maxRetryTime: Infinity, parallel });
	const settled = await runItems(
		requests.length,
		async (index) => await client.call(requests[index] ?? read),
		{ parallel, stopOnFailure: false },
	);
	return {
		calls: calls.length,
		done: settled.filter(({ state }) => state === 'done').length,
		limited: came.filter((end) => end === 'limited').length,
		settled,
	};
}

const many = (request: ServiceRequest, count: number) => Array<ServiceRequest>(count).fill(request);

describe('in a full outage', () => {
	test.each<[string, ServiceRequest, End]>([
		['reads at a service that fails', read, 'failed'],
		['reads whose connection breaks', read, 'broken'],
		['deletions at a service that fails', deletion, 'failed'],
		['creations whose connection is refused', creation, 'refused'],
	])('%s: one call each, and the allowance', async (_name, request, end) => {
		expect(await run(many(request, 1000), [end])).toMatchObject({
			calls: 1000 + retryAllowance(),
			done: 0,
		});
	});

	test('creations that may have happened: one call each, as ever', async () => {
		expect((await run(many(creation, 200), ['failed'])).calls).toBe(200);
	});

	test.each([1, 2, 10])('%i items have all their tries', async (items) => {
		expect((await run(many(read, items), ['failed'])).calls).toBe(tries * items);
	});

	test('so are as many as the user lets run at once', async () => {
		expect((await run(many(read, 50), ['failed'], 50)).calls).toBe(50 * tries);
		const { calls } = await run(many(read, 1000), ['failed'], 50);
		expect(calls).toBe(1000 + retryAllowance(50));
	});

	test('that began after thousands of successes: the same', async () => {
		const ends = [...Array<End>(2000).fill('ok'), ...Array<End>(2000).fill('failed')];
		expect(await run(many(read, 3000), ends)).toMatchObject({
			calls: 3000 + retryAllowance(),
			done: 2000,
		});
	});

	test('an error says what happened, how often it was tried, and why no more', async () => {
		const { settled } = await run(many(read, 12), ['failed'], 1);
		const description = (index: number) =>
			(settled[index] as { error: { description: string } }).error.description;
		expect(description(9)).toMatch(
			new RegExp(
				`^The fault is at the service\\. Try again in a moment\\. It was tried ${tries} times in \\d seconds\\.$`,
			),
		);
		expect(description(10)).toBe(
			'The fault is at the service. Try again in a moment. There was no further retry, because many calls of this execution failed.',
		);
		expect(settled[11]).toMatchObject({ error: { message: 'The service failed (HTTP 503)' } });
	});
});

test.each([1, 10, 50])(
	'a short fault is ridden out by all %i calls that are under way',
	async (parallel) => {
		const triesOf = new Map<string, number>();
		const { context, calls } = standIn(({ options: { url } }) => {
			const tried = (triesOf.get(url) ?? 0) + 1;
			triesOf.set(url, tried);
			return tried < tries ? answer.broken({} as never, 0) : undefined;
		});
		const client = new ServiceClient(context, { maxRetryTime: Infinity, parallel });
		const underWay = Array.from({ length: parallel }, async (_, index) => {
			return await client.call({ ...read, path: `/${index}` });
		});
		expect(await Promise.all(underWay)).toHaveLength(parallel);
		expect(calls).toHaveLength(tries * parallel);
	},
);

test('after an outage that spent the budget, five calls that work allow one repetition', async () => {
	const outage = Array<End>(2 * retryAllowance()).fill('failed');
	const ends: End[] = [...outage, ...Array<End>(5).fill('ok'), 'failed', 'ok', 'failed'];
	const { calls, settled } = await run(many(read, retryAllowance() + 5 + 2), ends, 1);
	expect(calls).toBe(2 * retryAllowance() + 5 + 2 + 1);
	expect(settled.slice(-2).map(({ state }) => state)).toEqual(['done', 'failed']);
});

test('rate limits take nothing from it', async () => {
	const ends: End[] = [...Array<End>(40).fill('limited'), 'failed', 'failed', 'failed', 'ok'];
	const budget = jest.spyOn(RetryBudget.prototype, 'spend');
	expect(await run([read], ends)).toMatchObject({ calls: 44, done: 1 });
	expect(budget).toHaveBeenCalledTimes(3);
});

describe('whatever goes wrong', () => {
	const seed = 20_261_120;
	const request = fc.constantFrom(read, deletion, creation);
	const endsOf = (...kinds: Array<fc.WeightedArbitrary<End>>) =>
		fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 60 });
	const kind = (weight: number, arbitrary: End) => ({ weight, arbitrary: fc.constant(arbitrary) });
	const faults = [kind(4, 'failed'), kind(4, 'broken'), kind(4, 'refused')];
	const parallel = fc.integer({ min: 1, max: 50 });

	test('calls stay within one for each item, the allowance, and one for five that worked', async () => {
		const ends = endsOf(...faults, kind(6, 'ok'), kind(1, 'missing'), kind(1, 'limited'));
		await fc.assert(
			fc.asyncProperty(
				fc.array(request, { minLength: 1, maxLength: 150 }),
				ends,
				parallel,
				async (requests, sequence, together) => {
					// A limit alone would be waited out for all the time of a call.
					fc.pre(sequence.some((end) => end !== 'limited'));
					const { calls, done, limited } = await run(requests, sequence, together);
					expect(calls - limited).toBeLessThanOrEqual(
						requests.length + retryAllowance(together) + Math.floor(done / 5),
					);
				},
			),
			{ numRuns: 300, seed },
		);
	}, 60_000);

	test('while nothing works, they stay within one for each item and the allowance', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(request, { minLength: 1, maxLength: 400 }),
				endsOf(...faults),
				parallel,
				async (requests, sequence, together) => {
					const { calls, done } = await run(requests, sequence, together);
					expect(done).toBe(0);
					expect(calls).toBeLessThanOrEqual(requests.length + retryAllowance(together));
				},
			),
			{ numRuns: 100, seed },
		);
	}, 60_000);

	test('where one call of ten fails, all items succeed, as without a budget', async () => {
		await fc.assert(
			fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 9 })), async (stream) => {
				const ends: End[] = [];
				// Never four in a row: that ends an item with or without a budget.
				for (const digit of stream.take(1500)) {
					const streak = ends.slice(-3).every((end) => end !== 'ok') && ends.length >= 3;
					ends.push(digit === 0 && !streak ? 'failed' : 'ok');
				}
				expect((await run(many(read, 1000), ends, 1)).done).toBe(1000);
			}),
			{ numRuns: 10, seed },
		);
	}, 60_000);
});
