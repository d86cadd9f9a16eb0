import fc from 'fast-check';

/**
 * Whether to test everything (`--nightly`). Otherwise, the longest tests check a sample of their cases, which
 * the seed chooses.
 */
export const everything = process.env.SIGNVERIFY_NIGHTLY === '1';

/** Defines a test that runs only every night, in a file whose other tests always run. */
export function nightlyTest(name: string, run: () => Promise<void>): void {
	(everything ? test : test.skip)(name, run);
}

/** scripts/test.ts sets and prints the seed. If Jest was started without that command, the seed is 1. */
export const seed = Number(process.env.SIGNVERIFY_SEED) || 1;

/** A seed of its own for each name, so that a test chooses the same cases when it runs alone. */
const seedOf = (name: string) =>
	[...name].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) | 0, seed);

/**
 * Returns the cases to run.
 * @param count How many cases a sample contains.
 * @param name Tells this choice apart from the others. Defaults to the name of the running test.
 */
export function sampled<Case>(
	all: Case[],
	count: number,
	name = expect.getState().currentTestName ?? '',
): Case[] {
	if (everything || all.length <= count) return all;
	const some = fc.shuffledSubarray(all, { minLength: count, maxLength: count });
	return fc.sample(fc.noBias(some), { seed: seedOf(name), numRuns: 1 }).flat();
}

/** Returns the cases to run: all of them, or one of each group. */
export function oneOfEach<Case>(all: Case[], groupOf: (one: Case) => string): Case[] {
	if (everything) return all;
	const groups = new Map<string, Case[]>();
	for (const one of all) groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), one]);
	return [...groups].flatMap(([name, group]) => sampled(group, 1, name));
}
