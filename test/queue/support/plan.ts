import fc from 'fast-check';

/** What can be killed, and for how long it may be away. */
export interface Target {
	name: string;
	minDownMs: number;
	maxDownMs: number;
}

/** One kill. */
export interface Kill {
	/** Counted from when the plan begins. */
	afterMs: number;
	target: string;
	/** For so long it is kept from being started again. */
	downMs: number;
}

/** The seed of this run: `QUEUE_SEED` makes an earlier one again. */
export const seed = Number(process.env.QUEUE_SEED) || Math.floor(Math.random() * 1e6) + 1;

/** A value that is the same for the same seed, without fast-check's preference for limits. */
export function chosen<Value>(arbitrary: fc.Arbitrary<Value>, number: number): Value {
	const [value] = fc.sample(fc.noBias(arbitrary), { seed: number, numRuns: 1 });
	return value as Value;
}

/**
 * A plan of kills at random moments, so that they meet in ways that nobody has thought of.
 *
 * @param targets each is killed once
 * @param more how many kills there are besides, of any of the targets
 * @param lastsMs all kills are begun within that time
 * @returns in the order of time, the same for the same seed
 */
export function planOf(number: number, targets: Target[], more: number, lastsMs: number): Kill[] {
	const any = fc.integer({ min: 0, max: targets.length - 1 });
	const second = fc.record({
		afterMs: fc.integer({ min: Math.round(lastsMs * 0.03), max: Math.round(lastsMs * 0.97) }),
		part: fc.integer({ min: 0, max: 1000 }),
	});
	const count = targets.length + more;
	const { others, moments } = chosen(
		fc.record({
			others: fc.array(any, { minLength: more, maxLength: more }),
			moments: fc.array(second, { minLength: count, maxLength: count }),
		}),
		number,
	);
	const all = [...targets, ...others.map((index) => targets[index] as Target)];
	return all
		.map(({ name, minDownMs, maxDownMs }, index) => {
			const { afterMs = 0, part = 0 } = moments[index] ?? {};
			const downMs = Math.round(minDownMs + ((maxDownMs - minDownMs) * part) / 1000);
			return { afterMs, target: name, downMs };
		})
		.sort((a, b) => a.afterMs - b.afterMs);
}

/** A plan as a person reads it. */
export function planText(plan: Kill[]): string[] {
	return plan.map(
		({ afterMs, target, downMs }) =>
			`after ${(afterMs / 1000).toFixed(1)} s: ${target}, away for ${(downMs / 1000).toFixed(1)} s`,
	);
}
