import fc from 'fast-check';

import { retryAllowance } from '../../nodes/SignVerify/http/retry';
import { many, run, type End } from '../support/callEnds';
import { creation, deletion, read } from '../support/calls';
import { useFakeDelay } from '../support/fakeDelay';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);
useFakeDelay();

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
