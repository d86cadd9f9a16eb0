import type { GenericValue, IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { sendDocument } from '../../nodes/SignVerify/operations/document/send';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';
import { keyProblems, peopleProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { ProcessedStore } from '../n8n/processedStore';
import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import {
	ada,
	creationsAt,
	failureOf,
	filledForm,
	mapped,
	peopleFor,
	templateFor,
	useService,
	v2,
} from '../support/service';
import { newProcess } from '../support/newProcess';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';
const creations = () =>
	service.sandbox.requests.filter(
		({ method, path }) => method === 'POST' && /createDocument|validation\/request/.test(path),
	).length;

interface Person {
	name?: GenericValue;
	email?: GenericValue;
}

/** n8n's key store. Each test starts with an empty one. */
let store: ProcessedStore;
beforeEach(() => (store = new ProcessedStore()));

const [first, second] = peopleFor({ signaturePlaces: [1, 2] }) as [typeof ada, typeof ada];

/** The form of a contract that two people sign. */
function lease(people: Person[], options: IDataObject = {}): IDataObject {
	return {
		resource: 'document',
		operation: 'send',
		...filledForm(templateFor(2, service.sandbox)),
		signatories: { signatory: people },
		options: { leaveLastRolesEmpty: true, sendOnceKey: "={{ 'C-1' }}", ...options },
	};
}

function verification(email: string, options: IDataObject = {}): IDataObject {
	const form = { resource: 'identity', operation: 'request', email };
	return { ...form, options: { sendOnceKey: "={{ 'C-1' }}", ...options } };
}

const run = async (parameters: IDataObject, more: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), { parameters, store, ...more });

/** Runs the node once, with one item for each person and key. */
async function runList(rows: Array<[key: string, person: Person]>, more: Partial<RunSetup> = {}) {
	return await run(v2, {
		items: rows.map(() => ({})),
		perItem: rows.map(([sendOnceKey, person]) => ({
			options: { sendOnceKey },
			signatories: { signatory: [person] },
		})),
		...more,
	});
}

const { problem, remedy } = keyProblems.otherPeople('C-1', 'document');
const otherPeople = `Send Once Key: ${problem}`;

describe('A Send Once Key that was used', () => {
	const upper = (person: typeof ada) => ({ ...person, email: person.email.toUpperCase() });
	const inBrackets = ({ name, email }: typeof ada) => ({ email: `${name} <${email}>` });

	test.each<[string, Person[], IDataObject?]>([
		['the same people', [first, second]],
		['the same people in a different order', [second, first]],
		['the same people in capitals', [upper(first), upper(second)]],
		['the same people as "Name <address>"', [inBrackets(first), inBrackets(second)]],
		['the same people under corrected names', [{ ...first, name: 'Ana Gil' }, second]],
		['the same people and another country', [first, second], { country: { value: 'Spain' } }],
	])('skips an item for %s', async (_who, people, changed = {}) => {
		await run(lease([first, second]));
		const [item] = await run({ ...lease(people), ...changed });
		expect(item?.json).toMatchObject({ outcome: 'skipped', sendOnceKey: 'C-1' });
		expect(creations()).toBe(1);
	});

	test.each<[string, (all: [typeof ada, typeof ada]) => Person[]]>([
		['one person is someone else', ([one]) => [one, ada]],
		['both are other people', () => [ada, { name: 'Ben Ray', email: 'ben@example.com' }]],
		['a person is missing', ([one]) => [one]],
		[
			'an address has been corrected',
			([one, other]) => [one, { ...other, email: 'p@example.com' }],
		],
		[
			'the name is the same, but the address is not',
			([one, other]) => [{ ...one, email: 'one@example.com' }, other],
		],
	])('is an error each time if %s', async (_who, change) => {
		await run(lease([first, second]));
		const { writes } = store;
		const others = lease(change([first, second]));
		for (let time = 0; time < 2; time++) {
			const error = await failureOf(run(others));
			expect(error.message).toBe(otherPeople);
			expect(error.description).toContain(remedy);
		}
		expect(store.writes).toBe(writes);
		expect((await run(lease([second, first])))[0]?.json.outcome).toBe('skipped');
		expect(creations()).toBe(1);
	});

	test('is an error if a person was added', async () => {
		await run(lease([first]));
		expect((await failureOf(run(lease([first, second])))).message).toBe(otherPeople);
		expect(creations()).toBe(1);
	});

	test.each([
		['the same person', 'ada@example.com', false],
		['the same person in capitals', 'ADA@Example.com', false],
		['the same person as "Name <address>"', 'Ada Lovelace <ada@example.com>', false],
		['another person', 'ben@example.com', true],
	])('for a verification, does the same for %s', async (_who, email, isOther) => {
		await run(verification('ada@example.com'));
		const [item] = await run(verification(email), { continueOnFail: true });
		const { problem: message, remedy: todo } = keyProblems.otherPeople('C-1', 'identity');
		expect(item?.json).toMatchObject(
			isOther
				? {
						error: {
							message: `Send Once Key: ${message}`,
							description: expect.stringContaining(todo) as string,
							invalidFields: ['Send Once Key'],
							outcome: 'failed',
						},
					}
				: { outcome: 'skipped' },
		);
		expect(creations()).toBe(1);
	});

	test('compares the real people in a test run, too', async () => {
		await run(lease([first, second]));
		const nothing = { inTestRuns: 'nothing' };
		const toMe = { inTestRuns: 'me', testEmail: 'me@example.com' };
		const mode = 'manual' as const;
		const same = await run({ ...lease([second, first]), ...nothing }, { mode });
		expect(same[0]?.json).toMatchObject({ outcome: 'skipped' });
		const others = failureOf(run({ ...lease([first, ada]), ...nothing }, { mode }));
		expect((await others).message).toBe(otherPeople);
		expect(creations()).toBe(1);
		// A test to oneself ignores the key.
		for (const people of [
			[first, second],
			[first, ada],
		]) {
			const [tested] = await run({ ...lease(people), ...toMe }, { mode });
			expect(tested?.json).toMatchObject({ outcome: 'test' });
		}
		const again = await run({ ...lease([first, second]), ...toMe });
		expect(again[0]?.json).toMatchObject({ outcome: 'skipped' });
		expect(creations()).toBe(3);
	});

	test('compares people whose values only look wrong, without warning of them', async () => {
		const hints: NodeExecutionHint[] = [];
		await runList([['C-1', ada]]);
		const [same] = await runList([['C-1', { ...ada, name: 'AdÃ© Lovelace' }]], { hints });
		expect(same?.json.outcome).toBe('skipped');
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('already been used'),
		]);
		const other = runList([['C-1', { name: 'TBD', email: 'ben@example.com' }]]);
		expect((await failureOf(other)).message).toBe(otherPeople);
	});

	test('stops a list before anything is sent, or fails alone', async () => {
		await runList([['C-1', ada]]);
		const rows: Array<[string, Person]> = [
			['C-1', first],
			['C-2', second],
		];
		const error = await failureOf(runList(rows));
		expect(error.message).toContain('Nothing was sent, because 1 of 2 items has a problem');
		expect(error.description).toContain(`C-1, ${first.name} (item 1): ${otherPeople}`);
		expect(creations()).toBe(1);
		const output = await runList(rows, { continueOnFail: true });
		expect(output.map(({ json }) => (json.error as IDataObject)?.outcome ?? json.outcome)).toEqual([
			'failed',
			'sent',
		]);
	});

	test('is free again after a rejection, so other people can get it', async () => {
		const response = { status: 400, body: { success: false, message: 'no' } };
		service.sandbox.faults.set({ endpoint, times: 1, response });
		await failureOf(runList([['C-1', ada]]));
		expect(store.size).toBe(0);
		expect((await runList([['C-1', first]]))[0]?.json.outcome).toBe('sent');
		expect((await failureOf(runList([['C-1', ada]]))).message).toBe(otherPeople);
		expect((await runList([['C-1', first]]))[0]?.json.outcome).toBe('skipped');
	});

	test.each([
		['nothing was stored', 0, 'sent', 'sent'],
		['the key was claimed', 1, 'check', 'check'],
		['the people were stored', 2, 'check', 'check'],
		['the key was confirmed', 3, 'skipped', 'failed'],
	])(
		'protects the people if every process is killed after %s',
		async (_what, changes, same, others) => {
			await runList([['C-1', ada]]);
			expect(store.writes).toBe(3);
			const outcomes = [];
			for (const person of [ada, first]) {
				newProcess();
				const left = store.after(changes);
				const [item] = await runList([['C-1', person]], { store: left, continueOnFail: true });
				outcomes.push((item?.json.error as IDataObject)?.outcome ?? item?.json.outcome);
			}
			expect(outcomes).toEqual([same, others]);
		},
	);

	test('stays uncertain if the people cannot be stored', async () => {
		class FailingStore extends ProcessedStore {
			override helpersFor(node: { id: string }) {
				const helpers = super.helpersFor(node);
				const record: typeof helpers.checkProcessedAndRecord = async (entries, ...rest) => {
					if (entries[0] === 'people') throw new Error('the disk is full');
					return await helpers.checkProcessedAndRecord(entries, ...rest);
				};
				return { ...helpers, checkProcessedAndRecord: record };
			}
		}
		store = new FailingStore();
		expect((await runList([['C-1', ada]]))[0]?.json.outcome).toBe('sent');
		for (const person of [ada, first]) {
			expect((await runList([['C-1', person]]))[0]?.json.outcome).toBe('check');
		}
		expect(creations()).toBe(1);
	});
});

/** The form of a contract whose two people come from columns, one for each name and address. */
const byColumns = (options: IDataObject = {}) => ({
	...lease([], { sendOnceKey: '={{ $json.number }}', leaveLastRolesEmpty: false, ...options }),
	specifySignatories: 'byRole',
	signatoryRoles: { mappingMode: 'autoMapInputData', value: null },
});
const rowOf = (number: string, [one, other]: [Person, Person] = [first, second]): IDataObject => ({
	number,
	'First party name': one.name,
	'First party email': one.email,
	'Second party name': other.name,
	'Second party email': other.email,
});
function renamed(row: IDataObject, column: string): IDataObject {
	const entries = Object.entries(row);
	return Object.fromEntries(entries.map(([name, value]) => [name === column ? 'X' : name, value]));
}

describe('The names of the people of a Send Once Key that was used', () => {
	const others: [Person, Person] = [ada, { name: 'Ben Ray', email: 'ben@example.com' }];

	test.each<[string, GenericValue]>([
		['is empty', ''],
		['is missing', undefined],
		['is "undefined"', 'undefined'],
		['is a number', 7],
		['is an error of a spreadsheet', '#REF!'],
	])("don't matter if one of them %s", async (_what, name) => {
		await run(lease([first, second]));
		const unnamed = (pair: Person[]) =>
			lease(pair.map((one, index) => (index ? { ...one, name } : one)));
		expect((await run(unnamed([first, second])))[0]?.json.outcome).toBe('skipped');
		expect((await failureOf(run(unnamed(others)))).message).toBe(otherPeople);
		expect(creations()).toBe(1);
	});

	test("don't matter in a list that an expression returns, and neither do the roles in it", async () => {
		const fromList = (people: unknown) => ({
			...lease([]),
			specifySignatories: 'expression',
			signatoriesList: `={{ ${JSON.stringify(people)} }}`,
		});
		await run(lease([first, second]));
		const wrong = (pair: Person[]) => pair.map(({ email }) => ({ email, role: 'Second party' }));
		expect((await run(fromList(wrong([first, second]))))[0]?.json.outcome).toBe('skipped');
		expect((await failureOf(run(fromList(wrong(others))))).message).toBe(otherPeople);
	});

	test.each(['First party name', 'Second party name'])(
		"don't matter if the column %s was renamed",
		async (column) => {
			const parameters = byColumns();
			await run(parameters, { items: [rowOf('C-1')] });
			const rows = [rowOf('C-1'), rowOf('C-1', others)].map((row) => renamed(row, column));
			const [same] = await run(parameters, { items: rows.slice(0, 1) });
			expect(same?.json).toMatchObject({
				outcome: 'skipped',
				signatories: [{ email: first.email }, { email: second.email }],
			});
			expect((await failureOf(run(parameters, { items: rows.slice(1) }))).message).toBe(
				otherPeople,
			);
			expect(creations()).toBe(1);
		},
	);
});

describe("A Send Once Key that was used, with people that can't be compared", () => {
	/** Each form, and a part of its note. */
	const damaged: Array<[string, () => IDataObject, string]> = [
		[
			'an empty address',
			() => lease([first, { name: 'Ben Ray', email: '' }]),
			'Email (Signatory 2): ',
		],
		['an invalid address', () => lease([first, { ...second, email: 'ben@' }]), '"ben@"'],
		[
			'an address that certainly is a mistake',
			() => lease([{ ...first, email: 'undefined@example.com' }]),
			'undefined',
		],
		['a number as an address', () => lease([{ ...first, email: 7 }]), 'Email (Signatory 1): '],
		['nobody', () => lease([]), peopleProblems.nobody.problem],
		[
			'the same address twice',
			() => lease([first, { ...second, email: first.email.toUpperCase() }]),
			peopleProblems.sameEmail(first.email.toUpperCase(), 'Email (Signatory 1)').problem,
		],
		['too many people', () => lease([first, second, ada]), 'you entered 3 people'],
		[
			'too few people',
			() => lease([first], { leaveLastRolesEmpty: false }),
			'you entered one person',
		],
		[
			'an empty last person',
			() => lease([first, second, { name: '', email: '' }], { leaveLastRolesEmpty: false }),
			'Email (Signatory 3): ',
		],
		[
			'a column that no item has',
			() => lease([first, { ...second, email: '={{ $json.mail }}' }]),
			columnProblems.missing('mail', 'number').problem,
		],
		[
			'an expression as text',
			() => lease([first, { ...second, email: '{{ $json.mail }}' }]),
			'Email (Signatory 2): ',
		],
		[
			'a list that is no list',
			() => ({ ...lease([]), specifySignatories: 'expression', signatoriesList: '={{ "x" }}' }),
			peopleProblems.noList('"x"').problem,
		],
		[
			'a role that the template no longer has',
			() => ({
				...lease([]),
				specifySignatories: 'byRole',
				signatoryRoles: mapped({ 'witness.email': 'ana@example.com' }),
			}),
			'witness.email',
		],
	];

	test.each(damaged)('are to be checked, and the key stays as it is: %s', async (...row) => {
		const [, form, reason] = row;
		await run(lease([first, second]));
		const { writes } = store;
		for (let time = 0; time < 2; time++) {
			const hints: NodeExecutionHint[] = [];
			const [item] = await run(form(), { items: [{ number: 'C-1' }], hints });
			const { note } = item?.json ?? {};
			expect(item?.json).toMatchObject({ outcome: 'check', sendOnceKey: 'C-1' });
			expect(item?.json.invalidFields).toEqual([expect.any(String)]);
			expect(note).toContain('"C-1" has already been sent, but');
			expect(note).toContain(reason);
			expect(note).not.toMatch(/may have|nothing to do|new number|different/);
			const expected = expect.stringContaining("it isn't known whether for the same people");
			expect(hints.map(({ message }) => message)).toEqual([expected]);
		}
		expect(store.writes).toBe(writes);
		expect((await run(lease([second, first])))[0]?.json.outcome).toBe('skipped');
		expect(creations()).toBe(1);
	});

	test.each<[string, Person[]]>([
		['an empty address', [{ name: 'Ben Ray', email: '' }]],
		['an invalid address', [{ name: 'Ben Ray', email: 'ben@' }]],
		[
			'an address that certainly is a mistake',
			[{ name: 'Ben Ray', email: 'undefined@example.com' }],
		],
		['nobody', []],
	])("don't keep new rows from being sent: %s", async (_what, people) => {
		await runList([['C-1', ada]]);
		const rows: Array<[string, Person[]]> = [
			['C-1', people],
			['C-2', [first]],
			['C-1', [ada]],
		];
		const perItem = rows.map(([sendOnceKey, signatory]) => ({
			options: { sendOnceKey },
			signatories: { signatory },
		}));
		const output = await run(v2, { items: rows.map(() => ({})), perItem });
		expect(output.map(({ json }) => json.outcome)).toEqual(['check', 'sent', 'skipped']);
	});

	test('are told apart from an empty last role, which is none', async () => {
		const parameters = byColumns({ leaveLastRolesEmpty: true });
		const alone = (number: string, other: Person) => rowOf(number, [first, other]);
		await run(parameters, { items: [alone('C-1', {})] });
		const rows = [alone('C-1', { name: ' ' }), alone('C-1', { name: 'Ben Ray' })];
		for (const [row, outcome] of [
			[rows[0], 'skipped'],
			[rows[1], 'check'],
		] as const) {
			expect((await run(parameters, { items: [row ?? {}] }))[0]?.json.outcome).toBe(outcome);
		}
		const withOther = run(parameters, { items: [rowOf('C-1')] });
		expect((await failureOf(withOther)).message).toBe(otherPeople);
	});

	test('name the missing column for each row of a list', async () => {
		const parameters = byColumns();
		const rows = Array.from({ length: 50 }, (_, index) => rowOf(`C-${index}`));
		await run(parameters, { items: rows });
		const { writes } = store;
		const output = await run(parameters, {
			items: rows.map((row) => renamed(row, 'Second party email')),
		});
		for (const { json } of output) {
			const { outcome, note, invalidFields } = json as Record<string, unknown>;
			expect([outcome, invalidFields]).toEqual(['check', ['Signatories']]);
			expect(note).toMatch(/ second party email\. The columns are .*, X\.$/);
			expect(String(note).length).toBeLessThan(400);
		}
		expect([output.length, creations(), store.writes]).toEqual([50, 50, writes]);
	});

	test.each([
		['an empty address', ''],
		['an invalid address', 'ben@'],
		['an address that certainly is a mistake', 'undefined@example.com'],
	])('are to be checked for a verification, too: %s', async (_what, email) => {
		await run(verification('ada@example.com'));
		const { writes } = store;
		const [item] = await run(verification(email));
		expect(item?.json).toMatchObject({
			outcome: 'check',
			invalidFields: ['Email'],
			note: expect.stringContaining('"C-1" has already been sent, but') as string,
		});
		expect([creations(), store.writes]).toEqual([1, writes]);
	});

	test('are to be checked in a test run that sends nothing', async () => {
		await run(lease([first, second]));
		const form = { ...lease([first, { ...second, email: 'ben@' }]), inTestRuns: 'nothing' };
		const [item] = await run(form, { mode: 'manual' });
		expect(item?.json.outcome).toBe('check');
	});

	test('fail alone if the expression of an address fails while the key is new', async () => {
		const failing = lease([first, { ...second, email: "={{ $('Nowhere').item.json.email }}" }]);
		const [item] = await run(failing, { continueOnFail: true });
		expect(item?.json.error).toMatchObject({ outcome: 'failed' });
		await run(lease([first, second]));
		expect((await run(failing))[0]?.json).toMatchObject({ outcome: 'check', invalidFields: [] });
	});
});

test.each<[string, IDataObject]>([
	[
		'signatories',
		{ signatories: { signatory: [{ name: '={{ $json.name }}', email: '={{ $json.email }}' }] } },
	],
	[
		'{{ $json.email }}',
		{
			specifySignatories: 'byRole',
			signatoryRoles: mapped({
				'employee.name': '={{ $json.name }}',
				'employee.email': '={{ $json.email }}',
			}),
		},
	],
])('The people of a Send Once Key that was used are read once: %s', async (what, form) => {
	const setup = {
		parameters: { ...v2, ...form, options: { sendOnceKey: '={{ $json.key }}' } },
		items: ['C-1', 'C-2'].map((key) => ({ key, ...ada })),
		store,
	};
	await runAction(service.credential(), setup);
	const context = executeContext(service.credential(), setup);
	const reads: unknown[] = [];
	const { getNodeParameter, evaluateExpression } = context;
	context.getNodeParameter = ((...given: [string, number, never]) => {
		reads.push(given[0]);
		return getNodeParameter(...given) as unknown;
	}) as typeof getNodeParameter;
	context.evaluateExpression = (...given) => {
		reads.push(given[0]);
		return evaluateExpression(...given);
	};
	const [output] = await action.execute.call(context);
	expect(output?.map(({ json }) => json.outcome)).toEqual(['skipped', 'skipped']);
	expect(reads.filter((one) => one === what)).toHaveLength(2);
});

describe('The template of a Send Once Key that was used', () => {
	const failsToLoad = (status: number) => {
		newProcess();
		for (const path of ['GET /templates/v2', 'GET /templates']) {
			const body = { success: status === 200, responseData: [] };
			service.sandbox.faults.set({ endpoint: path, response: { status, body } });
		}
	};

	test("fails the item if it can't be looked up, although the people depend on it", async () => {
		const parameters = byColumns();
		const items = [rowOf('C-1')];
		await run(parameters, { items });
		failsToLoad(400);
		const [item] = await run(parameters, { items, continueOnFail: true });
		expect(item?.json.error).toMatchObject({ outcome: 'failed', httpStatus: 400 });
		expect((await failureOf(run(parameters, { items }))).message).toContain('HTTP 400');
		service.sandbox.faults.clear();
		expect((await run(parameters, { items }))[0]?.json.outcome).toBe('skipped');
		expect(creations()).toBe(1);
	});

	test("leaves the people unknown if it's gone, and they depend on it", async () => {
		const parameters = byColumns();
		const items = [rowOf('C-1')];
		await run(parameters, { items });
		failsToLoad(200);
		const [item] = await run(parameters, { items });
		expect(item?.json).toMatchObject({ outcome: 'check', invalidFields: ['Template'] });
		expect(creations()).toBe(1);
	});

	test.each([
		["can't be looked up", 400],
		['is gone', 200],
	])(
		"isn't needed for people that are entered one by one, even if it %s",
		async (_what, status) => {
			await run(lease([first, second]));
			failsToLoad(status);
			expect((await run(lease([second, first])))[0]?.json).toMatchObject({
				outcome: 'skipped',
				signatories: [{ email: second.email }, { email: first.email }],
			});
			expect((await failureOf(run(lease([first, ada])))).message).toBe(otherPeople);
			expect(creations()).toBe(1);
		},
	);
});

describe('Two executions with one Send Once Key at the same moment', () => {
	test.each([
		['send once to the same people', ada, 'skipped'],
		['send only to the people of one of them', first, 'failed'],
	])('%s', async (_what, person, loser) => {
		service.sandbox.faults.set({ endpoint, delayMs: 50 });
		const outputs = await Promise.all(
			[ada, person].map(async (one) => await runList([['C-1', one]], { continueOnFail: true })),
		);
		const outcomes = outputs.map(([item]) => {
			return (item?.json.error as IDataObject)?.outcome ?? item?.json.outcome;
		});
		expect(outcomes.sort()).toEqual([loser, 'sent'].sort());
		expect(creations()).toBe(1);
	});

	test.each([
		['skips the same people', ada, false],
		['reports other people, and sends them nothing', first, true],
	])(
		'%s if the other execution sends between the check and the claim',
		async (_what, person, isOther) => {
			const { prepare } = sendDocument;
			const between = jest.spyOn(sendDocument, 'prepare');
			between.mockImplementationOnce(async (...args) => {
				const prepared = await prepare(...args);
				await runList([['C-1', ada]]);
				return prepared;
			});
			const late = runList([['C-1', person]]);
			const outcome = isOther ? (await failureOf(late)).message : (await late)[0]?.json.outcome;
			expect(outcome).toBe(isOther ? otherPeople : 'skipped');
			expect(creations()).toBe(1);
			between.mockRestore();
		},
	);

	test('never take an item for a twin if its key was in use when it was checked', async () => {
		let counts = 0;
		/** Another process holds the key only while the second item is checked. */
		class BusyStore extends ProcessedStore {
			override helpersFor(node: { id: string }) {
				const helpers = super.helpersFor(node);
				const count = async () => (++counts === 2 ? 1 : await helpers.getProcessedDataCount());
				return { ...helpers, getProcessedDataCount: count };
			}
		}
		const output = await runAction(service.credential({ parallelRequests: 1 }), {
			parameters: v2,
			store: new BusyStore(),
			items: [{}, {}],
			perItem: [ada, first].map((person) => ({
				options: { sendOnceKey: 'C-1' },
				signatories: { signatory: [person] },
			})),
		});
		expect(output.map(({ json }) => json.outcome)).toEqual(['sent', 'check']);
		expect(creations()).toBe(1);
	});
});

describe('Hyphens in a Send Once Key', () => {
	const dashes = ['C\u20101', 'C\u20111', 'C\u20121', 'C–1', 'C—1', 'C\u22121', 'C\uFF0D1'];

	test.each(dashes)('are the same in %j, which the output shows as entered', async (key) => {
		await runList([['C-1', ada]]);
		const [same] = await runList([[key, ada]]);
		expect(same?.json).toMatchObject({
			outcome: 'skipped',
			sendOnceKey: key.normalize('NFKC'),
		});
		expect((await failureOf(runList([[key, first]]))).message).toContain('to other people');
		expect(creations()).toBe(1);
	});

	test('are the same in one list', async () => {
		const rows = ['C-1', 'C\u20111'];
		const error = await failureOf(
			runList([
				[rows[0] ?? '', ada],
				[rows[1] ?? '', first],
			]),
		);
		expect(error.message).toContain('both items have a problem');
		expect(creations()).toBe(0);
		const output = await runList(rows.map((key) => [key, ada]));
		expect(output.map(({ json }) => json.outcome)).toEqual(['sent', 'skipped']);
		expect(creationsAt(service)).toHaveLength(1);
	});
});

describe('A Send Once Key that stands for a missing value', () => {
	test.each(['N/A', 'TBD', 'none', '-', '???'])('causes a warning: %s', async (key) => {
		const [item] = await runList([[key, ada]]);
		expect(item?.json.warnings).toEqual([expect.stringContaining('looks like a missing value')]);
	});

	test('is refused without Send Despite Warnings', async () => {
		const perItem = [{ options: { sendOnceKey: 'TBD' } }];
		const error = await failureOf(run({ ...v2, options: {} }, { perItem }));
		expect(error.message).toContain('Send Once Key: "TBD" looks like a missing value');
		expect(creations()).toBe(0);
	});
});
