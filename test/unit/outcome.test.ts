import { type ItemFate, outcomeFields } from '../../nodes/SignVerify/api/outcome';

/** All values of each fact about an item. A service's own words can't be among them. */
const facts = {
	about: ['document', 'identity'],
	key: [undefined, 'C-1007'],
	failed: [undefined, 'value', 'file', 'afterSending', 'otherwise', 'waiting'],
	mayHaveBeenCreated: [undefined, true],
	skipped: [undefined, 'earlier', 'twin'],
	nothingSent: [undefined, 'unsentInTestRun', 'neverSent'],
	testRecipient: [undefined, 'me@example.com'],
	wait: [undefined, 'timedOut', 'ended', 'completed'],
	isRawEvent: [undefined, true],
} as const;

const fates = Object.entries(facts).reduce<Array<Partial<ItemFate>>>(
	(found, [name, values]) =>
		found.flatMap((fate) => values.map((value) => ({ ...fate, [name]: value }))),
	[{}],
) as ItemFate[];

describe("An item's outcome", () => {
	test.each<[string | undefined, Omit<ItemFate, 'about'>]>([
		['failed', { failed: 'value', skipped: 'twin', testRecipient: 'me@example.com' }],
		['failed', { failed: 'waiting' }],
		['check', { failed: 'otherwise', mayHaveBeenCreated: true }],
		['check', { mayHaveBeenCreated: true, skipped: 'earlier', nothingSent: 'neverSent' }],
		['skipped', { skipped: 'earlier', nothingSent: 'unsentInTestRun' }],
		['nothing', { nothingSent: 'neverSent', wait: 'completed' }],
		['timedOut', { wait: 'timedOut', testRecipient: 'me@example.com' }],
		['ended', { wait: 'ended', testRecipient: 'me@example.com' }],
		['completed', { wait: 'completed', testRecipient: 'me@example.com' }],
		['test', { testRecipient: 'me@example.com' }],
		['sent', { key: 'C-1007' }],
	])('is %s for %j', (outcome, fate) => {
		expect(outcomeFields({ about: 'document', ...fate }).outcome).toBe(outcome);
	});

	test('comes with a note unless the item was sent or its wait is completed', () => {
		for (const fate of fates) {
			const { outcome, note } = outcomeFields(fate);
			expect([fate, note === undefined]).toEqual([
				fate,
				outcome === 'sent' || outcome === 'completed',
			]);
		}
	});

	test('comes with the flags that belong to the facts, whichever of them decides', () => {
		for (const fate of fates) {
			const { wait, isRawEvent, about } = fate;
			const verdict = about === 'document' || wait === 'timedOut';
			const flags = {
				skipped: fate.skipped && true,
				nothingSent: fate.nothingSent && true,
				mayHaveBeenCreated: fate.mayHaveBeenCreated,
				testRecipient: fate.testRecipient,
				timedOut: wait && !isRawEvent ? wait === 'timedOut' : undefined,
				completed: wait && !isRawEvent && verdict ? wait === 'completed' : undefined,
			};
			const { outcome, note, ...found } = outcomeFields(fate);
			expect([fate, outcome, note, { ...flags, ...found }]).toEqual([fate, outcome, note, flags]);
		}
	});
});

describe('A note', () => {
	const notes = [...new Set(fates.map((fate) => outcomeFields(fate).note))].filter(
		(note) => note !== undefined,
	) as string[];

	test.each(notes)('is one sentence without the words of a workflow: %s', (note) => {
		expect(note).toMatch(/^["\p{Lu}][^.!?\n]*(?:me@example\.com[^.!?\n]*)?\.$/u);
		expect(note).not.toMatch(
			/\b(?:nodes?|items?|runs?|workflows?|executions?|expressions?|keys?|fields?|outputs?|n8n|columns?|webhooks?|undefined)\b/i,
		);
	});

	test('shows a long key only in part, and without control characters or HTML', () => {
		const key = `<b>\u0007${'C'.repeat(5000)}`;
		const note = String(outcomeFields({ about: 'document', key, skipped: 'twin' }).note);
		expect(note.length).toBeLessThan(200);
		expect(note).not.toMatch(/[<>\u0007]/);
	});
});
