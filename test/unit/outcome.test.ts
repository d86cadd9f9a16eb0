import {
	inOutputOrder,
	type ItemFate,
	mayBeSent,
	outcomeFields,
	outcomes,
} from '../../nodes/SignVerify/item/outcome';

const words = Object.keys(outcomes);
const ofWaits = Object.entries(outcomes).flatMap(([word, { endsWait }]) => (endsWait ? word : []));

/** All values of each fact about an item. Of a service's own words, only people's names can be among them. */
const facts = {
	about: ['document', 'identity'],
	key: [undefined, 'C-1007'],
	failed: [undefined, 'value', 'file', 'afterSending', 'otherwise', 'waiting'],
	mayHaveBeenCreated: [undefined, true],
	skipped: [undefined, 'earlier', 'twin', 'uncompared'],
	mistake: [undefined, 'Email: "x" isn\'t an email address'],
	nothingSent: [undefined, 'unsentInTestRun', 'neverSent'],
	testRecipient: [undefined, 'me@example.com'],
	wait: [undefined, ...ofWaits],
	withoutSignature: [undefined, 'Ana Gil, Ben Ray'],
	hasWarnings: [undefined, true],
};

const fates = Object.entries(facts).reduce<Array<Partial<ItemFate>>>(
	(found, [name, values]) =>
		found.flatMap((fate) => values.map((value) => ({ ...fate, [name]: value }))),
	[{}],
) as ItemFate[];

/** Facts that decide an item's outcome, although others are known as well. */
const decided: Array<[string, Omit<ItemFate, 'about'>]> = [
	['failed', { failed: 'value', skipped: 'twin', testRecipient: 'me@example.com' }],
	['failed', { failed: 'waiting' }],
	['check', { failed: 'otherwise', mayHaveBeenCreated: true }],
	['check', { mayHaveBeenCreated: true, skipped: 'earlier', nothingSent: 'neverSent' }],
	['check', { skipped: 'uncompared', nothingSent: 'neverSent' }],
	['skipped', { skipped: 'earlier', nothingSent: 'unsentInTestRun' }],
	['nothing', { nothingSent: 'neverSent', wait: 'completed' }],
	['timedOut', { wait: 'timedOut', testRecipient: 'me@example.com' }],
	['ended', { wait: 'ended', testRecipient: 'me@example.com' }],
	['completed', { wait: 'completed', testRecipient: 'me@example.com' }],
	['test', { testRecipient: 'me@example.com' }],
	['sent', { key: 'C-1007' }],
];

describe("An item's outcome", () => {
	test.each(decided)('is %s for %j', (outcome, fate) => {
		expect(outcomeFields({ about: 'document', ...fate }).outcome).toBe(outcome);
	});

	test('is tested above for each word', () => {
		const tested = decided.map(([outcome]) => outcome);
		const untested = words.filter((word) => !tested.includes(word));
		expect(untested.map((word) => `add a row for "${word}" to decided`)).toEqual([]);
	});

	test('comes with a note unless the item was sent or its wait is completed with all signatures', () => {
		for (const fate of fates) {
			const { outcome, note } = outcomeFields(fate);
			const isGood = outcome === 'completed' && fate.withoutSignature === undefined;
			expect([fate, note === undefined]).toEqual([fate, outcome === 'sent' || isGood]);
		}
	});

	test("comes with a test's recipient, and with nothing else", () => {
		for (const fate of fates) {
			const fields = outcomeFields(fate);
			const { testRecipient } = fate;
			const others = Object.keys(fields).filter((name) => !['outcome', 'note'].includes(name));
			expect([fate, others]).toEqual([fate, testRecipient ? ['testRecipient'] : []]);
			expect(fields.testRecipient).toBe(testRecipient);
		}
	});
});

describe('Whether an item may have been sent', () => {
	test.each([
		['sent', { outcome: 'sent' }, true],
		['sent as a test', { outcome: 'test' }, true],
		['sent, and its wait reached the limit', { outcome: 'timedOut' }, true],
		['lost', { error: { outcome: 'check' } }, true],
		['of another version of the package', { outcome: 'reminded' }, true],
		['without an outcome', { documentId: 'd1' }, true],
		['failed', { error: { outcome: 'failed' } }, false],
		['skipped', { outcome: 'skipped' }, false],
		['only checked', { outcome: 'nothing' }, false],
	])('is known for an item that was %s', (_what, json, expected) => {
		expect(mayBeSent(json)).toBe(expected);
	});
});

describe('A note', () => {
	const notes = [...new Set(fates.map((fate) => outcomeFields(fate).note))].filter(
		(note) => note !== undefined,
	) as string[];

	test.each(notes)('is a sentence or two without the words of a workflow: %s', (note) => {
		const [first = '', ...others] = note.split(/(?<=\.) /);
		expect(first).toMatch(/^["\p{Lu}][^.!?\n]*(?:me@example\.com[^.!?\n]*)?\.$/u);
		expect([
			[],
			['Before you send it, check each value named in warnings.'],
			["If this is another one, send it from your provider's account."],
		]).toContainEqual(others);
		expect(note).not.toMatch(
			/\b(?:nodes?|items?|runs?|workflows?|executions?|expressions?|keys?|fields?|outputs?|n8n|columns?|webhooks?|undefined)\b/i,
		);
	});

	test('names the mistake in the people of an item whose key was used, and advises no other number', () => {
		const mistake = 'Email: "x" isn\'t an email address';
		const skipped = 'uncompared';
		const { note } = outcomeFields({ about: 'document', key: 'C-1007', skipped, mistake });
		expect(note).toBe(
			`"C-1007" has already been sent, but it isn't known whether to these people, so correct this mistake and try again: ${mistake}.`,
		);
		const long = outcomeFields({ about: 'document', skipped, mistake: 'x'.repeat(5000) });
		expect(String(long.note).length).toBeLessThan(600);
	});

	test('about a key that may have been used names both possibilities', () => {
		const fate = { skipped: 'earlier', mayHaveBeenCreated: true } as const;
		const { note } = outcomeFields({ about: 'document', key: 'C-1007', ...fate });
		expect(note).toMatch(/^"C-1007" may have been sent already, to the same people or to others, /);
	});

	test('shows a long key only in part, and without control characters or HTML', () => {
		const key = `<b>\u0007${'C'.repeat(5000)}`;
		const note = String(outcomeFields({ about: 'document', key, skipped: 'twin' }).note);
		expect(note.length).toBeLessThan(200);
		expect(note).not.toMatch(/[<>\u0007]/);
	});
});

describe('The order of an output', () => {
	test('begins with what a person looks for, and ends with the note and the input', () => {
		const names = ['outcome', 'sendOnceKey', 'signatories', 'email', 'fields', 'warnings', 'title'];
		const others = ['status', 'url', 'note of the service', '__proto__'];
		const expected = [...names, ...others, 'note', 'input'];
		const json = Object.fromEntries(
			['note', 'input', ...others, ...[...names].reverse()].map((name, index) => [name, index]),
		);
		expect(Object.keys(inOutputOrder(json))).toEqual(expected);
		expect(Object.entries(inOutputOrder(json)).sort()).toEqual(Object.entries(json).sort());
	});

	test('adds no field', () => {
		expect(inOutputOrder({ b: 1, outcome: 'sent', a: null })).toEqual({
			outcome: 'sent',
			b: 1,
			a: null,
		});
		expect(Object.keys(inOutputOrder({ b: 1, outcome: 'sent' }))).toEqual(['outcome', 'b']);
	});
});
