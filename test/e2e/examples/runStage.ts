import { useExampleRuns } from '../support/exampleRuns';

/** One n8n for all examples that a test file imports: its start takes as long as a dozen tests. */
export const own = useExampleRuns('examples');

/** What was said, as text that can be compared. */
const letters = (said: string[]) => [...said].sort().join('');

/** Waits until what was said is as expected; gives what was said. */
export async function saying<Said extends string | { says: string }>(
	expected: string | RegExp,
	told: () => Promise<Said[]>,
): Promise<Said[]> {
	const textOf = (said: Said[]) =>
		letters(said.map((claim) => (typeof claim === 'string' ? claim : claim.says)));
	const matches = (text: string) =>
		typeof expected === 'string' ? text === expected : expected.test(text);
	const deadline = Date.now() + limitMs;
	let said = await told();
	while (!matches(textOf(said)) && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, 200));
		said = await told();
	}
	const text = textOf(said);
	if (typeof expected === 'string') expect(text).toBe(expected);
	else expect(text).toMatch(expected);
	return said;
}
/** How long an example may take for 300 rows. */
const limitMs = 100_000;
