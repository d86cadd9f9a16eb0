import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { withDocsLink, markupIn } from '../support/errors';
import { ProcessedStore } from '../n8n/processedStore';
import {
	ada,
	byId,
	contract,
	creationsAt,
	despite,
	failureOf,
	fields,
	mapped,
	useService,
	v1Setup,
	v2,
} from '../support/service';
import { startsByKind, contextStartedBy } from '../support/modes';
import { wordsWith } from '../support/problemWords';
import { until } from '../support/until';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { keyProblems, runProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';

const service = useService();
const endpoint = 'POST /templates/createDocumentByTemplateV2';
const refused = { response: { status: 400, body: { success: false, message: 'no' } } };

/** The form values for a single signatory with this email address. */
const person = (email: string, name = 'Ada Lovelace') => ({
	signatories: { signatory: [{ email, name }] },
});
const wrong = person('nobody');

/** The setup for an execution with one item for each of these forms. */
const runOf = (perItem: IDataObject[], more: Partial<RunSetup> = {}): RunSetup => ({
	parameters: v2,
	items: perItem.map((_, n) => ({ n: n + 1 })),
	perItem,
	...more,
});
const run = async (perItem: IDataObject[], more: Partial<RunSetup> = {}) =>
	await runAction(service.credential(), runOf(perItem, more));
const failure = async (perItem: IDataObject[], more: Partial<RunSetup> = {}) =>
	await failureOf(run(perItem, more));
const keyed = (sendOnceKey: string, form: IDataObject = {}) => ({
	...form,
	options: { sendOnceKey },
});
/** The lines of an error's report. */
const linesOf = ({ description }: { description?: string | null | undefined }) =>
	String(description)
		.replace(/ More: \S+$/, '')
		.split('\n');
/** The items and the field that each line of an error's report begins with. */
const fieldsIn = (error: { description?: string | null | undefined }) =>
	linesOf(error).map((line) => /^[^:]*: (?:Fields: )?[^:]*/.exec(line)?.[0]);
const repeat = (count: number, form: IDataObject = {}) => Array.from({ length: count }, () => form);

/** n8n's key store. Each test starts with an empty one. */
let store: ProcessedStore;
beforeEach(() => (store = new ProcessedStore()));

/** The fields that send everything to an address in a test run. */
const toTesterAt = (testEmail: string) => ({ inTestRuns: 'me', testEmail });
const toTester = toTesterAt('me@example.com');

describe('On Error: Stop Workflow', () => {
	afterEach(() => expect(creationsAt(service)).toHaveLength(0));

	test('sends nothing if the second of three items is invalid, and names that item in the error', async () => {
		const error = await failure([{}, wrong, {}]);
		expect(error.message).toBe('Nothing was sent, because 1 of 3 items has a problem.');
		expect(error.description).toBe(
			withDocsLink(
				`Item 2: Email (Signatory 1): ${valueProblems.notEmail('nobody').problem}. ${valueProblems.notEmail('').remedy}`,
				'a-list-failed',
			),
		);
	});

	test('lists all invalid fields of three items but gives each piece of advice only once', async () => {
		const perItem = repeat(10);
		perItem[1] = wrong;
		perItem[4] = { ...person('x', ''), country: '' };
		perItem[9] = { signatories: {} };
		const error = await failure(perItem);
		expect(error.message).toBe('Nothing was sent, because 3 of 10 items have a problem.');
		expect(fieldsIn(error)).toEqual([
			'Item 2: Email (Signatory 1)',
			'Item 5: Country',
			'Item 5: Name (Signatory 1)',
			'Item 5: Email (Signatory 1)',
			'Item 10: Signatories',
		]);
		expect(error.description?.split(valueProblems.notEmail('').remedy)).toHaveLength(2);
	});

	test('lists each mistake once, and those of most items first, in the order of the form', async () => {
		// The template has no field named Post, so the Job title field does not get a value.
		const row = { 'Employee name': 'Ada', 'Start date': '', Post: 'Cook' };
		const fields = { mappingMode: 'autoMapInputData', value: null };
		const perItem = [{}, { country: '' }, wrong, { country: '' }].map((form) => ({
			...person('ada@example.com'),
			...form,
		}));
		const items = perItem.map((_, index) =>
			index === 2 ? { ...row, 'Start date': '2027-01-01' } : row,
		);
		const error = await failure(perItem, { items, parameters: { ...v2, fields } });
		expect(error.message).toBe('Nothing was sent, because all 4 items have a problem.');
		expect(fieldsIn(error)).toEqual([
			'All 4 items: Job title',
			'Items 1, 2, 4: Start date',
			'Items 2 and 4: Country',
			'Item 3: Email (Signatory 1)',
		]);
	});

	test('lists five mistakes in 200 of 500 rows in five lines, which take a minute to read', async () => {
		const wrongCells = [
			(n: number) => ({ Email: `ann-${n}.example.com` }),
			(n: number) => ({ Name: `Ann undefined ${n}` }),
			(n: number) => ({ 'Start date': `2027-02-${30 + (n % 2)}` }),
			(n: number) => ({ 'Start date': String(46_001 + n) }),
			() => ({ 'Job title': '' }),
		];
		const items = Array.from({ length: 500 }, (_, n) => ({
			row_number: n + 2,
			Name: `Ann ${n}`,
			Email: `ann-${n}@example.com`,
			'Employee name': `Ann ${n}`,
			'Job title': 'Cook',
			Employer: 'Acme',
			Workplace: 'Berlin',
			'Start date': '2027-01-01',
			...(n % 5 < 2 ? wrongCells[Math.floor(n / 100)]?.(n) : {}),
		}));
		const fields = { mappingMode: 'autoMapInputData', value: null };
		const signatory = { name: '={{ $json.Name }}', email: '={{ $json.Email }}' };
		const options = {};
		const parameters = { ...v2, fields, signatories: { signatory: [signatory] }, options };
		const error = await failure(repeat(500), { items, parameters });
		expect(error.message).toBe('Nothing was sent, because 200 of 500 items have a problem.');
		expect(fieldsIn(error)).toEqual([
			expect.stringMatching(/^Rows 2, 3, 7, .*, 97, 98: Email \(Signatory 1\)$/),
			expect.stringMatching(/^Rows 102, .*, 198: Name \(Signatory 1\)$/),
			expect.stringMatching(/^Rows 202, .*, 298: Start date$/),
			expect.stringMatching(/^Rows 302, .*, 398: Start date$/),
			expect.stringMatching(/^Rows 402, .*, 498: Job title$/),
		]);
		// People read about 240 words a minute, and skip the row numbers.
		expect(error.description?.match(/[A-Za-z]{2,}/g)?.length).toBeLessThan(240);
	});

	test('identifies invalid rows by Send Once Key and item number, or only by item number if they have no key', async () => {
		const perItem = [
			keyed('C-1', person('ada@example.com')),
			keyed('C-2', wrong),
			keyed('C-3', wrong),
			keyed('', person('x')),
		];
		const { description } = await failure(perItem, { store: new ProcessedStore() });
		expect(String(description).split('\n')).toEqual([
			expect.stringMatching(
				/^C-2, Ada Lovelace \(item 2\), C-3, Ada Lovelace \(item 3\): Email \(Signatory 1\): "nobody" is/,
			),
			expect.stringMatching(/^Item 4: Email \(Signatory 1\): /),
			expect.stringMatching(/^Item 4: Send Once Key: /),
		]);
	});

	test('identifies invalid rows by their row number in the spreadsheet, if an earlier node has added it', async () => {
		const perItem = [
			keyed('C-1', person('ada@example.com')),
			keyed('C-2', wrong),
			keyed('C-3', wrong),
			keyed('C-1', person('bob@example.com', 'Bob Day')),
		];
		const items = [2, 4, '5', 6].map((row) => ({ row_number: row, name: 'x' }));
		const { description } = await failure(perItem, { items, store: new ProcessedStore() });
		expect(String(description).split('\n')).toEqual([
			expect.stringMatching(
				/^C-1, Ada Lovelace \(row 2\), C-1, Bob Day \(row 6\): Send Once Key: "C-1" .*: Signatories \(Ada Lovelace \(ada@example\.com\) and Bob Day \(bob@example\.com\)\)/,
			),
			expect.stringMatching(
				/^C-2, Ada Lovelace \(row 4\), C-3, Ada Lovelace \(row 5\): Email \(Signatory 1\): /,
			),
		]);
	});

	test('offers to send values that only look wrong once, in the last line, and never if all values are wrong', async () => {
		const parameters = { ...v2, options: {} };
		const perItem = [
			person('ada@example.com', 'N/A'),
			person('bob@example', 'Bob Day'),
			person('eve..gil@example.com', 'Eve Gil'),
			wrong,
		];
		const { message, description } = await failure(perItem, { parameters });
		expect(message).toBe('Nothing was sent, because all 4 items have a problem.');
		expect(String(description).split('Send Despite Warnings')).toHaveLength(2);
		expect(description).toMatch(
			/\nIf one of these values is right, add the option Send Despite Warnings\. More: /,
		);
		const certain = await failure([wrong, wrong], { parameters });
		expect(certain.message).toBe('Nothing was sent, because both items have a problem.');
		expect(certain.description).toMatch(/^Both items: Email/);
		expect(certain.description).not.toContain('Send Despite Warnings');
	});

	test('offers it once for an item with several values that look wrong', async () => {
		const parameters = { ...v2, options: {} };
		const { message, description } = await failure([person('bob@example', 'N/A')], { parameters });
		expect(message).toContain(valueProblems.noDotAfterAt('bob@example').problem);
		expect(description).toMatch(
			/\nIf one of these values is right, add the option Send Despite Warnings\.\nNothing was sent\.$/,
		);
		expect(String(description).split('Send Despite Warnings')).toHaveLength(2);
	});

	test('refuses a list in which an item has a warning, unless it is to be sent despite warnings', async () => {
		const parameters = { ...v2, options: {} };
		const perItem = [{}, person('ada@example.com', 'N/A')];
		const error = await failure(perItem, { parameters });
		expect(error.message).toBe('Nothing was sent, because 1 of 2 items has a problem.');
		expect(error.description).toMatch(
			/^Item 2: Name \(Signatory 1\): .*"N\/A".*\nIf it's right as it is, add the option Send Despite Warnings\. More: /,
		);
		const repeated = await failure([{}, {}], { parameters });
		expect(repeated.description).toContain(
			`Item 2: Send Once Key: ${keyProblems.repeated({ item: 2, first: 1, option: '' }).problem}`,
		);
	});

	test('shows markup in a Send Once Key as plain text', async () => {
		const key = (n: number) => `<img src=x onerror=1> <a href="//evil.example">${n}</a>`;
		const perItem = [wrong, wrong, {}].map((form, index) => keyed(key(index + 1), form));
		const error = await failure(perItem, { store: new ProcessedStore() });
		expect(error.description).toMatch(
			/^‹img src=x onerror=1› ‹a href="\/\/evil\.example"›1‹\/a›, Ada Lovelace \(item 1\), ‹img /,
		);
		expect(markupIn(error)).toEqual([]);
	});

	test('lists all fields without a matching column in one message', async () => {
		const fields = { mappingMode: 'autoMapInputData', value: null };
		const error = await failure([{}, {}], {
			parameters: { ...v2, fields },
			items: [{ 'Start date': '2027-01-01' }, { 'Start date': '2027-01-02' }],
		});
		expect(error.description).toContain(
			`Both items: Employee name, Job title: ${columnProblems.noneForField('Start date').problem}. `,
		);
		expect(error.description).not.toContain('\n');
	});

	test('names a missing column of a required field before that of an optional one', async () => {
		const fields = { mappingMode: 'autoMapInputData', value: null };
		const options = {};
		const items = ['Ada', 'Ben'].map((name) => ({ 'Employee name': name, role: 'Cook' }));
		const error = await failure([{}, {}], { parameters: { ...v2, fields, options }, items });
		expect(linesOf(error)).toEqual([expect.stringMatching(/^Both items: Start date: /)]);
	});

	test('advises once to set the separator if a CSV file was read with the wrong one', async () => {
		const column = 'Name;Email;Job;Contract';
		const items = ['Ada;ada@example.com;Cook;C-1', 'Ben;ben@example.com;Cook;C-2'];
		const form = {
			...v2,
			signatories: { signatory: [{ name: '={{ $json.Name }}', email: '={{ $json.Email }}' }] },
		};
		const error = await failure([{}, {}], {
			parameters: form,
			items: items.map((row) => ({ [column]: row })),
		});
		expect(linesOf(error)).toEqual([
			expect.stringMatching(/^Both items: Name \(Signatory 1\): .* Delimiter option.* ";"/),
			expect.stringMatching(/^Both items: Email \(Signatory 1\): (?!.*Delimiter)/),
		]);
	});

	test.each<[string, IDataObject]>([
		['Send Once Key', { options: { sendOnceKey: '={{ $json.Contract }}' } }],
		['Email (Signatory 1)', person('={{ $json.Email }}')],
		['Country', { country: { __rl: true, mode: 'name', value: '={{ $json.Country }}' } }],
		['Job title', { fields: mapped({ ...fields, role: '={{ $json.Job }}' }) }],
		['Fields', { fields: { mappingMode: 'autoMapInputData', value: null } }],
		['Your Email', toTesterAt('={{ $json.Me }}')],
		[
			'Signatories',
			{
				specifySignatories: 'byRole',
				signatoryRoles: { mappingMode: 'autoMapInputData', value: null },
			},
		],
	])(
		'names the row\'s only column if "%s" is empty because the file was not split into columns',
		async (field, form) => {
			const parameters = { ...v2, ...form };
			const items = [{ 'Name;Email': 'a;b' }];
			const error = await failure([{}], { parameters, items, mode: 'manual' });
			expect(error.message.startsWith(`${field}: `)).toBe(true);
			expect(error.message).toContain('Name;Email');
			expect(error.description).toContain('Delimiter');
		},
	);

	test("reports a single item's error without a summary", async () => {
		const error = await failure([wrong]);
		expect(error.message).toBe(`Email (Signatory 1): ${valueProblems.notEmail('nobody').problem}`);
		expect(error.description).toBe(`${valueProblems.notEmail('').remedy} Nothing was sent.`);
	});

	const sentEarlier = { json: { documentId: 'd' } };
	const note =
		'Earlier iterations may have sent other items. You can see what they sent in the execution.';

	test.each<[string, INodeExecutionData[], boolean]>([
		['no iteration before', [], false],
		['an iteration that sent an item', [sentEarlier], true],
		['an iteration that skipped its item', [{ json: { outcome: 'skipped' } }], false],
		['an iteration whose item was only checked', [{ json: { outcome: 'nothing' } }], false],
		[
			'an iteration that failed',
			[{ json: { error: { message: 'no', outcome: 'failed' } } }],
			false,
		],
		[
			'an iteration that may have sent its item',
			[{ json: { error: { message: 'no', outcome: 'check' } } }],
			true,
		],
		[
			'an iteration that skipped an item whose outcome is unknown',
			[{ json: { outcome: 'check' } }],
			true,
		],
	])('reports on the whole execution after %s', async (_before, items, isSent) => {
		const describe = async (perItem: IDataObject[]) => {
			const earlierOutput = items.length > 0 ? [items] : [];
			return (await failure(perItem, { earlierOutput })).description;
		};
		expect(await describe([wrong])).toMatch(
			isSent ? `Nothing was sent this time. ${note}` : /name@email\.com\. Nothing was sent\.$/,
		);
		expect((await describe([wrong, {}]))?.includes(note)).toBe(isSent);
	});

	test('reports a failed lookup once, even if another item is invalid', async () => {
		service.sandbox.faults.set({ endpoint: 'GET /templates/v2', ...refused });
		const error = await failure([{ templateId: '' }, {}, {}]);
		expect(error.message).toBe('The service rejected the request (HTTP 400: "no") [item 2]');
		expect(error.description).toMatch(
			/^Fix the problem described in the message, and try again\. Nothing was sent\. /,
		);
		const calls = service.sandbox.requests.filter(({ path }) => path === '/templates/v2');
		expect(calls).toHaveLength(1);
	});

	test('sends nothing if the credential is invalid, even if no check needs the credential', async () => {
		const credential = service.credential({ baseUrl: 'sign.example.com' });
		const parameters = { resource: 'identity', operation: 'request', email: 'a@b.example' };
		const setup = runOf([{}, { email: '' }], { parameters });
		const error = await failureOf(runAction(credential, setup));
		expect(error.message).toBe(`${credentialProblems.noUrl.problem} [item 1]`);
		expect(error.description).toContain('Nothing was sent.');
	});

	test('sends nothing if the execution is canceled while the node is checking the items', async () => {
		service.sandbox.faults.set({ endpoint: 'GET /templates/v2', delayMs: 30_000 });
		const cancel = new AbortController();
		const ended = failure(repeat(30), { signal: cancel.signal });
		await until('the service gets the call for the list', () =>
			service.sandbox.requests.some(({ path }) => path === '/templates/v2'),
		);
		cancel.abort();
		const error = await ended;
		expect(error.message).toBe('The execution was cancelled before any of these items was sent');
	});
});

describe('An optional field without a column, with Map Automatically,', () => {
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const row = {
		'Employee name': 'Ada',
		'Job title': 'Cook',
		'Start date': 'May 4',
		Employer: 'Acme',
	};
	const sendRows = async (items: IDataObject[], options: IDataObject = {}) =>
		await run(
			items.map((_, n) => person(`person-${n}@example.com`)),
			{ items, parameters: { ...v2, fields: automatic, options } },
		);
	const told = (...names: string[]) =>
		expect.stringContaining(
			`Fields: ${columnProblems.noneForOptionalFields(names.join(', ')).problem}. `,
		) as string;
	const rows = (count: number, more: IDataObject = {}) =>
		repeat(count, row).map((one, n) => ({ ...one, ...more, 'Employee name': `Ada ${n}` }));

	test.each([1, 2, 500])(
		'warns once about a column that is empty in every row, and every row of %d is sent',
		async (count) => {
			const options = { neverSend: true };
			const output = await sendRows(rows(count), options);
			expect(output.map(({ json }) => json.warnings)).toEqual([
				[told('Workplace')],
				...repeat(count - 1).map(() => []),
			]);
		},
	);

	const note = (unused: string) => {
		const { problem } = columnProblems.noneForOptionalFields('Workplace');
		const listed = unused ? `… Nothing uses these columns: ${unused}.` : '… left out.';
		return expect.stringMatching(wordsWith(`Fields: ${problem}. ${listed}`, true)) as string;
	};

	test.each([
		['Workplce', 1],
		['work palce', 2],
		['Marketplace', 500],
	])(
		'is sent with one note, which lists the unused columns, if one is called %s, in a run of %d',
		async (name, count) => {
			const items = rows(count, { [name]: 'Main office', row_number: 1 });
			const output = await sendRows(items, { neverSend: true });
			expect(output.map(({ json }) => json.warnings)).toEqual([
				[note(name)],
				...repeat(count - 1).map(() => []),
			]);
		},
	);

	test.each<[string, IDataObject, IDataObject]>([
		['is used by an expression', { Workplce: 'x' }, { country: '={{ $json.Workplce }}' }],
		["isn't there", {}, {}],
	])('is sent with a note that lists no column if another one %s', async (_what, columns, form) => {
		const items = rows(2, columns);
		const options = { neverSend: true };
		const parameters = { ...v2, fields: automatic, options, ...form };
		const [first] = await run(
			items.map((_, n) => person(`person-${n}@example.com`)),
			{ items, parameters },
		);
		expect(first?.json.warnings).toContainEqual(note(''));
	});

	test('is named together with all others', async () => {
		const rest = { ...row, Employer: '' };
		const [sent] = await sendRows([
			Object.fromEntries(Object.entries(rest).filter(([column]) => column !== 'Employer')),
		]);
		expect(sent?.json.warnings).toEqual([told('Employer', 'Workplace')]);
	});

	test('does not keep a missing column of a required field from being an error', async () => {
		const { message } = await failureOf(sendRows([{ 'Employee name': 'Ada', role: 'Cook' }]));
		expect(message).toContain(
			`Start date: ${columnProblems.noneForField('Employee name, role').problem}`,
		);
	});

	test('is still sent if the template has no other field, but not if the data is nested', async () => {
		const form = [{ key: 'note', label: 'Note', isRequired: false, type: 'text' }];
		const template = { templateID: 'with-note', status: 'ACTIVE', form };
		const body = { success: true, responseCode: 200, templates: [template] };
		service.sandbox.faults.set({
			endpoint: 'GET /templates/v2',
			response: { status: 200, body },
		});
		const options = { neverSend: true };
		const parameters = { ...v2, templateId: byId('with-note'), fields: automatic, options };
		for (const count of [1, 2]) {
			const items = repeat(count, { Email: 'ada@example.com' });
			const people = items.map((_, n) => person(`person-${n}@example.com`));
			const [checked] = await run(people, { parameters, items });
			expect(checked?.json).toMatchObject({ fields: {}, warnings: [told('Note')] });
		}
		const nested = await failureOf(
			run([{}], { parameters, items: [{ data: { note: 'On Mondays' } }] }),
		);
		expect(nested.message).toContain(
			`Fields: ${columnProblems.noneMatchesAnyField('Note', 'data').problem}`,
		);
	});
});

test('an expression is evaluated only once for each item, so the value that was checked is the value that is sent', async () => {
	const role = '={{ $now }}';
	const perItem = repeat(3, { fields: mapped({ ...fields, role }) });
	const context = executeContext(service.credential(), runOf(perItem));
	let evaluated = 0;
	const { evaluateExpression } = context;
	context.evaluateExpression = (expression, index) =>
		expression.includes('$now') ? `${++evaluated}` : evaluateExpression(expression, index);
	context.getNode().parameters = { ...context.getNode().parameters, ...perItem[0] } as never;
	await action.execute.call(context);
	const roles = creationsAt(service).map(
		({ body }) => (body as { inputs: { role: string } }).inputs.role,
	);
	expect(roles.sort()).toEqual(['1', '2', '3']);
	expect(evaluated).toBe(3);
});

const noteOfUsedKey = (key: string) =>
	`"${key}" has already been sent, so you have nothing to do. If this is another one, send it from your provider's account.`;
const noteOfTwin =
	'"k" is in the list more than once, and only one of them is sent, so you have nothing to do.';

test('a value without an expression is read once, and one with an expression for each item', async () => {
	const perItem = ['Mexico', 'Peru', 'Chile'].map((country) => ({ country }));
	const context = executeContext(service.credential(), runOf(perItem));
	const reads: string[] = [];
	const { getNodeParameter } = context;
	context.getNodeParameter = ((name: string, ...rest: [number, never]) => {
		reads.push(name);
		return getNodeParameter(name, ...rest) as unknown;
	}) as typeof getNodeParameter;
	await action.execute.call(context);
	const countries = creationsAt(service).map(({ body }) => (body as IDataObject).country);
	expect(countries.sort()).toEqual(['Chile', 'Mexico', 'Peru']);
	const countOf = (path: string) => reads.filter((name) => name === path).length;
	expect(countOf('signatories')).toBe(1);
	expect(countOf('templateId.value')).toBe(1);
	expect(countOf('country.value')).toBe(3);
});

describe('Send Once Key', () => {
	test('skips a row that was already sent, even if it is invalid now', async () => {
		await run([keyed('old')], { store });
		const output = await run([keyed('old', { country: '' }), keyed('new')], { store });
		expect(output.map(({ json }) => [json.outcome, json.note])).toEqual([
			['skipped', noteOfUsedKey('old')],
			['sent', undefined],
		]);
		expect(creationsAt(service)).toHaveLength(2);
	});

	test('is not stored if any item is invalid', async () => {
		await failure([keyed('a'), keyed('b', wrong), keyed('c')], { store });
		expect(store.size).toBe(0);
		expect(store.writes).toBe(0);
	});

	test("is not stored while its item waits for another execution's call to finish", async () => {
		// Another execution takes the account's only slot.
		const credential = service.credential({ parallelRequests: 1 });
		const release = service.sandbox.faults.set({ endpoint, delayMs: 600_000 });
		const other = runAction(credential, runOf([{}]));
		await until('the service gets the call', () => creationsAt(service).length === 1);
		const cancel = new AbortController();
		const context = executeContext(credential, {
			...runOf([keyed('a', { country: 'Mexico' }), keyed('b', { country: 'Peru' })], { store }),
			signal: cancel.signal,
		});
		const read = new Set<number>();
		const { getNodeParameter } = context;
		context.getNodeParameter = ((name: string, index: number, ...rest: [never]) => {
			if (name.startsWith('country')) read.add(index);
			return getNodeParameter(name, index, ...rest) as unknown;
		}) as typeof getNodeParameter;
		const killed = action.execute.call(context).catch(() => undefined);
		await until('both items have been checked', () => read.size === 2);
		cancel.abort();
		await killed;
		expect(store.size).toBe(0);
		expect(store.writes).toBe(0);
		release();
		await other;
		expect(creationsAt(service)).toHaveLength(1);
	});

	describe('shared by two items in one execution', () => {
		const twins = [keyed('k', person('one@example.com')), keyed('k', person('ONE@example.com'))];
		const skipped = {
			outcome: 'skipped',
			sendOnceKey: 'k',
			title: 'Employment contract',
			signatories: [{ name: expect.any(String) as string, email: 'ONE@example.com' }],
			note: noteOfTwin,
		};

		test('skips the second item, and returns a note and the people in the output', async () => {
			const hints: Array<{ message: string }> = [];
			const output = await run(twins, { hints });
			expect(output[0]?.json.documentId).toBeTruthy();
			expect(output[1]?.json).toEqual(skipped);
			expect(hints.map(({ message }) => message)).toEqual([
				'Some items have the same Send Once Key, so the node skipped all but one item for each key.',
			]);
			expect(creationsAt(service)).toHaveLength(1);
		});

		test('sends the second item if the first was definitely not sent', async () => {
			service.sandbox.faults.set({ endpoint, times: 1, ...refused });
			const output = await run(twins, { continueOnFail: true });
			expect(output[0]?.json.error).toBeTruthy();
			expect(output[1]?.json.documentId).toBeTruthy();
		});

		test('skips the second item if the first may have been sent', async () => {
			service.sandbox.faults.set({ endpoint, times: 1, reset: 'after' });
			const output = await run(twins, { continueOnFail: true });
			expect(output[0]?.json.error).toMatchObject({ outcome: 'check' });
			expect(output[1]?.json).toEqual({
				...skipped,
				outcome: 'check',
				note: `This may have been sent, so look for the document in your provider's account: if it's there, don't send it again, and if it isn't, send it from that account.`,
			});
			expect(creationsAt(service)).toHaveLength(1);
		});

		test('sends the second item if Never Send is on for the first', async () => {
			const [checked, sent] = [true, false].map((neverSend) => ({
				options: { sendOnceKey: "={{ 'k' }}", neverSend },
			}));
			const output = await run([checked, sent] as IDataObject[]);
			expect(output.map(({ json }) => 'documentId' in json)).toEqual([false, true]);
		});
	});

	describe('shared by two different items in one execution', () => {
		const one = keyed('k', person('one@example.com', 'Ana Gil'));
		const two = keyed('k', person('two@example.com', 'Ben Ros'));
		const message = (what: string, left: string, right: string) =>
			`Send Once Key: ${keyProblems.otherContent('k', 2, [`${what} (${left} and ${right})`]).problem}`;
		const people = message('Signatories', 'Ana Gil (one@example.com)', 'Ben Ros (two@example.com)');
		const messagesOf = (output: INodeExecutionData[]) =>
			output.map(({ json }) => (json.error as IDataObject | undefined)?.message);

		test('differ visibly in the error, however long the values are', async () => {
			const clause = 'x'.repeat(150);
			const fromColumn = mapped({ ...fields, role: '={{ $json.role }}' });
			const messageFor = async (...roles: string[]) => {
				const parameters = { ...v2, fields: fromColumn };
				const items = roles.map((role) => ({ role }));
				return (await failure([keyed('k'), keyed('k')], { parameters, items, store })).description;
			};
			expect(await messageFor(`${clause}A`, `${clause}B`)).toMatch(/Job title \(…x+A and …x+B\)/);
		});

		test('are the same if a person sees no difference', async () => {
			const parameters = { ...v2, fields: mapped({ ...fields, role: '={{ $json.role }}' }) };
			const items = ['Chef\u00e9 de cuisine', 'Chefe\u0301 de\u00a0\r\ncuisine '].map((role) => ({
				role,
			}));
			const forms = ['Ana Gil', ' Ana\u2003 Gil\u200b'].map((name) =>
				keyed('k', person('ana@example.com', name)),
			);
			const output = await run(forms, { parameters, items, store });
			expect(output.map(({ json }) => json.outcome)).toEqual(['sent', 'skipped']);
			expect(creationsAt(service)[0]?.body).toMatchObject({ inputs: { role: items[0]?.role } });
		});

		test('keeps all items from being sent, and stores no key', async () => {
			const error = await failure([one, keyed('other'), two], { store });
			expect(error.message).toBe('Nothing was sent, because 2 of 3 items have a problem.');
			expect(error.description).toBe(
				withDocsLink(
					`k, Ana Gil (item 1), k, Ben Ros (item 3): ${people}. ${keyProblems.otherContent('', 0, []).remedy}`,
					'a-list-failed',
				),
			);
			expect(creationsAt(service)).toHaveLength(0);
			expect(store.writes).toBe(0);
		});

		test('sends only the other items if the node continues on error', async () => {
			const setup = { store, continueOnFail: true };
			const output = await run([one, keyed('other'), two, one], setup);
			const error = people.replace('2 times', '3 times');
			expect(messagesOf(output)).toEqual([error, undefined, error, error]);
			expect(output[1]?.json.documentId).toBeTruthy();
			expect(creationsAt(service)).toHaveLength(1);
			expect(store.size).toBe(2);
			// Neither key was used up.
			expect((await run([two], setup))[0]?.json.documentId).toBeTruthy();
		});

		test('is an error if they differ only in a field', async () => {
			const parameters = {
				...v2,
				...keyed("={{ 'k' }}"),
				fields: mapped({ ...fields, role: '={{ $json.job }}' }),
			};
			const items = [{ job: 'Analyst' }, { job: 'Cook' }];
			const setup = { parameters, items, continueOnFail: true };
			const what = message('Job title', 'Analyst', 'Cook');
			expect(messagesOf(await runAction(service.credential(), setup))).toEqual([what, what]);
			expect(creationsAt(service)).toHaveLength(0);
		});

		test('is an error if they differ only in the first of two fields with one label', async () => {
			const form = ['start', 'end'].map((key) => ({ key, label: 'Date', isRequired: true }));
			const template = { templateID: 'two-dates', status: 'ACTIVE', form };
			const body = { success: true, responseCode: 200, templates: [template] };
			service.sandbox.faults.set({
				endpoint: 'GET /templates/v2',
				times: 1,
				response: { status: 200, body },
			});
			const parameters = {
				...v2,
				...keyed("={{ 'k' }}"),
				templateId: byId('two-dates'),
				fields: mapped({ start: '={{ $json.start }}', end: 'May 4, 2028' }),
			};
			const items = [{ start: 'May 4, 2026' }, { start: 'May 4, 2027' }];
			const setup = { parameters, items, continueOnFail: true };
			const what = message('Date (start)', 'May 4, 2026', 'May 4, 2027');
			expect(messagesOf(await runAction(service.credential(), setup))).toEqual([what, what]);
			expect(creationsAt(service)).toHaveLength(0);
		});

		test('is an error if they differ only in the country', async () => {
			const country = { __rl: true, mode: 'name', value: 'Spain' };
			const output = await run([keyed('k'), keyed('k', { country })], { continueOnFail: true });
			const what = message('Country', 'Mexico', 'Spain');
			expect(messagesOf(output)).toEqual([what, what]);
			expect(creationsAt(service)).toHaveLength(0);
		});

		test('is an error if they have different templates', async () => {
			const other = v1Setup(service);
			const parameters = {
				...v2,
				options: { ...despite, sendOnceKey: "={{ 'k' }}" },
				templateId: byId('={{ $json.template }}'),
				fields: { mappingMode: 'autoMapInputData', value: null },
			};
			const items = [contract, other.template.templateID].map((template) => ({
				template,
				...fields,
				...other.inputs,
			}));
			const setup = { parameters, items, continueOnFail: true };
			const messages = messagesOf(await runAction(service.credential(), setup));
			const error = message(
				'Template',
				`Employment contract (${contract})`,
				`Residential lease agreement (${other.template.templateID})`,
			);
			expect(messages).toEqual([error, error]);
			expect(creationsAt(service)).toHaveLength(0);
		});

		test.each<[IDataObject, IDataObject]>([
			[{}, { neverSend: true }],
			[toTester, {}],
		])('is an error about the real people with %j and the options %j', async (form, more) => {
			const options = { sendOnceKey: 'k', ...more };
			const items = [one, two].map((item) => ({ ...item, options }));
			const parameters = { ...v2, ...form };
			const output = await run(items, { parameters, continueOnFail: true, mode: 'manual' });
			expect(messagesOf(output)).toEqual([people, people]);
			expect(creationsAt(service)).toHaveLength(0);
		});

		test('is an error for identity requests', async () => {
			const parameters = { resource: 'identity', operation: 'request', options: {} };
			const perItem = ['a@example.com', 'b@example.com'].map((email) => keyed('k', { email }));
			const output = await run(perItem, { parameters, continueOnFail: true });
			const error = message('Email', 'a@example.com', 'b@example.com');
			expect(messagesOf(output)).toEqual([error, error]);
			expect(service.sandbox.requests.some(({ path }) => path.includes('erif'))).toBe(false);
		});

		test('is an error only for the other people if an earlier execution used the key', async () => {
			await run([one], { store });
			const output = await run([two, one], { store, continueOnFail: true });
			const error = `Send Once Key: ${keyProblems.otherPeople('k', 'document').problem}`;
			expect(messagesOf(output)).toEqual([error, undefined]);
			expect(output[1]?.json).toEqual({
				outcome: 'skipped',
				sendOnceKey: 'k',
				title: 'Employment contract',
				signatories: [{ email: 'one@example.com', name: 'Ana Gil' }],
				note: noteOfUsedKey('k'),
			});
		});

		test('is an error if each of them has its own run, as in a loop', async () => {
			await run([one], { store });
			const error = await failureOf(run([two], { store }));
			expect(error.message).toBe(
				`Send Once Key: ${keyProblems.otherPeople('k', 'document').problem}`,
			);
			expect(creationsAt(service)).toHaveLength(1);
		});
	});

	test('skips a used item without a name without warnings, and describes it', async () => {
		await run([keyed('k')], { store });
		const hints: Array<{ message: string }> = [];
		const [output] = await run([keyed('k', person(ada.email, ''))], { store, hints });
		expect(output?.json).toEqual({
			outcome: 'skipped',
			sendOnceKey: 'k',
			title: 'Employment contract',
			signatories: [{ email: ada.email }],
			note: noteOfUsedKey('k'),
		});
		expect(hints.map(({ message }) => message)).toEqual([
			'Some items were skipped, because their Send Once Keys have already been used.',
		]);
	});

	test.each<[string, IDataObject, IDataObject, string]>([
		[
			'an invalid email address',
			wrong,
			{ signatories: [{ name: 'Ada Lovelace' }] },
			'Email (Signatory 1)',
		],
		[
			'no list of people',
			{ specifySignatories: 'expression', signatoriesList: 'x' },
			{},
			'Signatories',
		],
		['an unreadable choice', { specifySignatories: 'x' }, {}, 'Specify Signatories'],
	])('has a used item with %s checked, and describes it', async (_what, form, people, field) => {
		await run([keyed('k')], { store });
		const [output] = await run([keyed('k', form)], { store });
		expect(output?.json).toEqual({
			outcome: 'check',
			sendOnceKey: 'k',
			title: 'Employment contract',
			...people,
			invalidFields: [field],
			note: expect.stringContaining(`${field}: `) as string,
		});
	});
});

describe('an item without a Send Once Key', () => {
	const warning = `Send Once Key: ${keyProblems.repeated({ item: 3, first: 1, option: '' }).problem}. ${keyProblems.repeated({ item: 3, first: 1, option: 'Send Once Key' }).remedy}`;

	test.each([false, true])(
		'is sent with a warning if it is the same as an earlier item, with Continue %s',
		async (continueOnFail) => {
			const output = await run([{}, person('b@example.com'), {}], { continueOnFail });
			expect(output.map(({ json }) => json.warnings)).toEqual([[], [], [warning]]);
			expect(creationsAt(service)).toHaveLength(3);
		},
	);

	test.each([
		['spaces in the name', 'Ada\u00a0 Lovelace', 'Cook', true],
		['a space after a field', 'Ada Lovelace', 'Cook ', true],
		['the letter of another name', 'Ada Lovelacé', 'Cook', false],
		['a space that is missing', 'AdaLovelace', 'Cook', false],
	])(
		'is compared with an earlier item as a person sees both: %s',
		async (_what, name, role, isSame) => {
			const parameters = { ...v2, fields: mapped({ ...fields, role: '={{ $json.role }}' }) };
			const items = [{ role: 'Cook' }, { role }];
			const forms = [person(ada.email), person(ada.email, name)];
			const output = await run(forms, { parameters, items });
			expect(output.map(({ json }) => (json.warnings as string[]).length)).toEqual([
				0,
				isSame ? 1 : 0,
			]);
			// What is sent stays as it is, apart from the ends of a name.
			expect(creationsAt(service)[1]?.body).toMatchObject({
				signatories: [{ name }],
				inputs: { role },
			});
		},
	);

	test('is compared by the real people if it goes to the tester', async () => {
		const forms = [person('a@example.com'), person('b@example.com'), person('a@example.com')];
		const parameters = { ...v2, ...toTester };
		const output = await run(forms, { parameters, mode: 'manual' });
		expect(output.map(({ json }) => json.warnings)).toEqual([[], [], [warning]]);
	});
});

/** Runs the node with Never Send and expects it to change nothing in the service. */
async function check({ parameters, ...setup }: RunSetup) {
	const before = service.sandbox.requests.length;
	const hints: Array<{ message: string }> = [];
	try {
		return {
			output: await runAction(service.credential(), {
				...setup,
				parameters: { ...parameters, options: { neverSend: true, ...Object(parameters.options) } },
				hints,
			}),
			hints: hints.map(({ message }) => message),
		};
	} finally {
		const calls = service.sandbox.requests.slice(before);
		const writes = calls.filter(
			({ method, path }) => method !== 'GET' && !path.startsWith('/access/'),
		);
		expect(writes).toEqual([]);
	}
}

const v2Wait = { ...v2, operation: 'sendAndWait' };
const identity = { resource: 'identity', operation: 'request', email: 'ada@example.com' };

test('Never Send loads the template, checks the document, and returns what would be sent', async () => {
	const { output, hints } = await check({ parameters: v2 });
	expect(output).toEqual([
		{
			json: {
				title: 'Employment contract',
				templateId: contract,
				country: 'Mexico',
				signatories: [{ ...ada, signed: false, role: 'employee' }],
				// The output uses the form's names for the fields.
				fields: {
					'Employee name': fields.employee_name,
					'Job title': fields.role,
					'Start date': fields.start_date,
				},
				warnings: [],
				outcome: 'nothing',
				note: 'This was only checked, so nothing was sent yet.',
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(hints).toEqual([
		"Nothing was sent, because Never Send is on. With this option, the node won't send anything, even when the published workflow runs.",
	]);
});

test('Never Send neither registers a webhook nor waits', async () => {
	const { output } = await check({ parameters: v2Wait });
	expect(output[0]?.json).toMatchObject({ outcome: 'nothing', title: 'Employment contract' });
	expect(service.sandbox.webhooks()).toHaveLength(0);
});

test.each([
	['set to Nothing', { inTestRuns: 'nothing', options: { neverSend: false } }],
	['as in a new node', {}],
])('In Test Runs %s returns what identity / request would send', async (_how, form) => {
	const hints: NodeExecutionHint[] = [];
	const setup = { parameters: { ...identity, ...form }, mode: 'manual', hints } as const;
	const output = await runAction(service.credential(), setup);
	expect(service.sandbox.identityRequests()).toEqual([]);
	expect(output[0]?.json).toEqual({
		email: 'ada@example.com',
		verificationType: 'FACE',
		backgroundCheck: false,
		warnings: [],
		outcome: 'nothing',
		note: 'Nothing was sent, because this is a test.',
	});
	expect(hints.map(({ message }) => message)).toEqual([
		'Nothing was sent, because this is a test. To try the verification yourself, set In Test Runs to Send to Me. When the published workflow runs, the node requests a verification for the real person.',
	]);
});

test.each([
	['a required field is empty', { fields: mapped({ ...fields, role: '' }) }, /Job title/],
	[
		'the template is unknown',
		{ templateId: { __rl: true, mode: 'id', value: 'nope' } },
		/Template/,
	],
])('Never Send fails if %s, just as sending would', async (_name, wrong, message) => {
	await expect(check({ parameters: { ...v2, ...wrong } })).rejects.toThrow(message);
	await expect(check({ parameters: { ...v2Wait, ...wrong } })).rejects.toThrow(message);
});

describe('Never Send with a Send Once Key', () => {
	const parameters = { ...v2, ...keyed("={{ 'k' }}") };

	test('does not use up the key, so the item can still be sent, with the same title', async () => {
		const { output } = await check({ parameters, store });
		expect(output[0]?.json).toMatchObject({ outcome: 'nothing', title: 'Employment contract' });
		expect(store.size).toBe(0);
		const [sent] = await runAction(service.credential(), { parameters, store });
		expect(sent?.json.documentId).toBeTruthy();
		expect(sent?.json.title).toBe(output[0]?.json.title);
	});

	test('marks an item as skipped if its key was already sent', async () => {
		await runAction(service.credential(), { parameters, store });
		const { output } = await check({ parameters, store });
		expect(output[0]?.json).toEqual({
			outcome: 'skipped',
			sendOnceKey: 'k',
			title: 'Employment contract',
			signatories: [{ name: ada.name, email: ada.email }],
			note: noteOfUsedKey('k'),
		});
	});

	test('marks the second of two items with the same key as skipped', async () => {
		const { output } = await check({ parameters, items: [{}, {}] });
		expect(output.map(({ json }) => json.outcome)).toEqual(['nothing', 'skipped']);
		expect(output[1]?.json.note).toBe(noteOfTwin);
	});
});

describe('In Test Runs set to Nothing', () => {
	const parameters = { ...v2, inTestRuns: 'nothing' };

	test.each([
		[['a', 'b', 'c', 'a', 'old'], '3 documents would be sent, 2 items would be skipped.'],
		[['a', 'old'], '1 document would be sent, 1 item would be skipped.'],
		[['a', 'b'], '2 documents would be sent.'],
		[['old', 'old'], '0 documents would be sent, 2 items would be skipped.'],
		[['a'], undefined],
	])('ends, for a list with the keys %j, with: %s', async (keys, line) => {
		await run([keyed('old')], { store });
		const hints: NodeExecutionHint[] = [];
		const perItem = keys.map((key) => keyed(key));
		await run(perItem, { parameters, store, hints, mode: 'manual' });
		const lines = hints.filter(({ message }) => /would be sent/.test(message));
		expect(lines).toEqual(
			line === undefined ? [] : [{ message: line, type: 'info', location: 'outputPane' }],
		);
		if (line !== undefined) expect(hints.at(-1)?.message).toBe(line);
	});

	test('counts nothing if the list is sent', async () => {
		const hints: NodeExecutionHint[] = [];
		await run([keyed('a'), keyed('b', person('b@example.com'))], { hints, mode: 'trigger' });
		expect(creationsAt(service)).toHaveLength(2);
		expect(hints).toEqual([]);
	});

	test('counts identity requests by their name', async () => {
		const hints: NodeExecutionHint[] = [];
		const form = { resource: 'identity', operation: 'request', inTestRuns: 'nothing' };
		const perItem = ['a@example.com', 'b@example.com'].map((email) => ({ email }));
		await run(perItem, { parameters: form, hints, mode: 'manual' });
		expect(hints.at(-1)?.message).toBe('2 identity requests would be sent.');
	});

	const runBegunBy = async (began: string) => {
		const context = contextStartedBy(began, service.credential(), parameters);
		const [[item] = []] = await action.execute.call(context);
		return { checked: item?.json.outcome === 'nothing', sent: creationsAt(service).length };
	};

	test.each(startsByKind.test)(
		'checks the item without sending it if the execution mode is "%s"',
		async (began) => {
			expect(await runBegunBy(began)).toEqual({ checked: true, sent: 0 });
		},
	);

	test.each(startsByKind.live)('sends the item if the execution mode is "%s"', async (began) => {
		expect(await runBegunBy(began)).toEqual({ checked: false, sent: 1 });
	});

	test.each(startsByKind.unknown)(
		'is rejected if the execution mode is "%s", because that may or may not be a test run',
		async (began) => {
			await expect(runBegunBy(began)).rejects.toThrow(
				`In Test Runs: ${runProblems.maybeTest('').problem}`,
			);
			expect(creationsAt(service)).toHaveLength(0);
		},
	);
});

test.each([
	['the Boolean true', true],
	['the text "true"', 'true'],
])('Never Send accepts %s from an expression', async (_name, neverSend) => {
	const { output } = await check({ parameters: { ...v2, options: { neverSend } } });
	expect(output[0]?.json.outcome).toBe('nothing');
});
