import fc from 'fast-check';

import { firstViolation } from '../queue/support/history/check';
import { allowedHistory } from './queueHistory/model';
import { mutated, mutations } from './queueHistory/mutations';

/** Fixed, so that a failure can be repeated. */
const seed = 20_261_120;

test('every history of the model is allowed', () => {
	fc.assert(
		fc.property(allowedHistory, (history) => {
			expect(firstViolation(history)).toBeUndefined();
		}),
		{ seed, numRuns: 1000 },
	);
});

test('the order of the entries does not matter', () => {
	fc.assert(
		fc.property(allowedHistory, (history) => {
			expect(firstViolation([...history].reverse())).toBeUndefined();
		}),
		{ seed, numRuns: 100 },
	);
});

test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
	'refused: %s',
	(_name, mutation) => {
		let refused = 0;
		fc.assert(
			fc.property(allowedHistory, fc.nat(), (history, which) => {
				const all = mutated(mutation, history);
				const one = all[which % (all.length || 1)];
				if (!one) return;
				expect(firstViolation(one)).toBeDefined();
				refused++;
			}),
			{ seed, numRuns: 400 },
		);
		// A mutation that never applies would prove nothing.
		expect(refused).toBeGreaterThan(10);
	},
);
