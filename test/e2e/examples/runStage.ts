import { useExampleRuns } from '../support/exampleRuns';
import type { MailView } from '../../../sandbox/types';

/** One n8n for all examples that a test file imports: its start takes as long as a dozen tests. */
export const own = useExampleRuns('examples');

/** The other examples name it by this ID. */
export const tellingId = 'tellWhenItFails1';

/** Publishes the workflow that tells of failures, which can be stored once. */
export async function publishTelling(): Promise<void> {
	const { api } = own.n8n;
	const stored = (await api.listWorkflows()).some(({ id }) => id === tellingId);
	if (!stored) await own.store('tell-when-it-fails');
	await api.activate(tellingId);
}

/** Its mails about a workflow. @param name Without its number. */
export const failuresIn = (mails: MailView[], name: string): MailView[] =>
	mails.filter(
		({ to, subject }) =>
			to.includes('people@example.com') &&
			subject.startsWith('Workflow failed: ') &&
			subject.endsWith(name),
	);

/** What was said, as text that can be compared. */
export const letters = (said: string[]) => [...said].sort().join('');

/** Waits until what was said is as expected; gives what was said. */
export async function saying<Said extends string | { says: string }>(
	expected: string | RegExp,
	told: () => Promise<Said[]>,
): Promise<Said[]> {
	const textOf = (said: Said[]) =>
		letters(said.map((each) => (typeof each === 'string' ? each : each.says)));
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
