import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { runAction, type RunSetup } from '../support/contexts';
import {
	creationsAt,
	failureOf,
	filledForm,
	peopleFor,
	templateFor,
	useService,
	v2,
} from '../support/service';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { listProblems } from '../../nodes/SignVerify/operations/unreadableList';
import { columnProblems } from '../../nodes/SignVerify/columns/columnProblems';

// What spreadsheets leave in a list besides its rows: empty rows, and text in another encoding.

const service = useService();
const automatic = { mappingMode: 'autoMapInputData', value: null };
const byColumns = {
	...v2,
	fields: automatic,
	specifySignatories: 'byRole',
	signatoryRoles: automatic,
};
const byExpressions = {
	...v2,
	fields: automatic,
	signatories: { signatory: [{ name: '={{ $json.Name }}', email: '={{ $json.Email }}' }] },
};
const request = { resource: 'identity', operation: 'request', email: '={{ $json.Email }}' };
const row = (name: string, more: IDataObject = {}): IDataObject => ({
	Name: name,
	Email: `${name.toLowerCase()}@example.com`,
	'Employee: Name': name,
	'Employee: Email': `${name.toLowerCase()}@example.com`,
	'Employee name': name,
	'Job title': 'Cook',
	'Start date': 'May 4',
	Employer: 'Acme',
	Workplace: 'Main office',
	...more,
});
const columns = Object.keys(row('Ana'));
const emptyRow = (value: string | null = '', more: IDataObject = {}): IDataObject => ({
	...Object.fromEntries(columns.map((column) => [column, value])),
	...more,
});
const run = async (items: IDataObject[], more: Partial<RunSetup> = {}) => {
	const hints: NodeExecutionHint[] = [];
	const output = await runAction(service.credential(), {
		parameters: byExpressions,
		items,
		hints,
		...more,
	});
	return { output, hints: hints.map(({ message }) => message) };
};
const sentCount = () => creationsAt(service).length;

describe('An empty row', () => {
	test.each<[string, IDataObject]>([
		['columns', byColumns],
		['expressions that read columns', byExpressions],
		['a column with an email address', request],
	])('is left out with a hint if the people come from %s', async (_what, parameters) => {
		const before = service.sandbox.requests.length;
		const items = [row('Ana'), emptyRow(), emptyRow(null), row('Ben'), emptyRow('  ')];
		const { output, hints } = await run(items, { parameters });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
		expect(output.map(({ json }) => json.outcome)).toEqual(['sent', 'sent']);
		expect(hints).toEqual(['The node left out 3 empty rows: items 2, 3, 5.']);
		expect(service.sandbox.requests.length).toBeGreaterThan(before);
	});

	test.each([{}, { continueOnFail: true }])(
		'is left out although its Send Once Key is empty, and is not among the wrong items (%j)',
		async (setting) => {
			const parameters = {
				...byExpressions,
				options: { sendOnceKey: '={{ $json.Name.trim() }}' },
			};
			const items = [
				row('Ana', { row_number: 2 }),
				emptyRow(null, { row_number: 3 }),
				row('Ben', { row_number: 4 }),
			];
			const { output, hints } = await run(items, { parameters, ...setting });
			expect(output.map(({ json }) => json.outcome)).toEqual(['sent', 'sent']);
			expect(hints).toEqual(['The node left out an empty row: row 3.']);
		},
	);

	test('does not take a warning along that is given only once for all items', async () => {
		const without = (json: IDataObject) =>
			Object.fromEntries(Object.entries(json).filter(([column]) => column !== 'Employer'));
		const { output, hints } = await run([emptyRow(), row('Ana')].map(without));
		expect(output[0]?.json.warnings).toEqual([
			expect.stringContaining(columnProblems.noneForOptionalFields('Employer').problem),
		]);
		expect(hints).toEqual([
			'The node left out an empty row: item 1.',
			expect.stringMatching(/^Item 2: /),
		]);
	});

	const office = 'the office';
	test.each<[string, IDataObject]>([
		[
			'one by one',
			{
				...byExpressions,
				signatories: {
					signatory: [{ name: '={{ $json.Name }}', email: `={{ $json.Email || "${office}" }}` }],
				},
			},
		],
		[
			'in a list',
			{
				...byExpressions,
				specifySignatories: 'expression',
				signatoriesList: `={{ [{ name: $json.Name, email: $json.Email || "${office}" }] }}`,
			},
		],
		[
			'by role',
			{
				...byExpressions,
				specifySignatories: 'byRole',
				signatoryRoles: {
					mappingMode: 'defineBelow',
					value: {
						'employee.name': '={{ $json.Name }}',
						'employee.email': `={{ $json.Email || "${office}" }}`,
					},
				},
			},
		],
		['in a request', { ...request, email: `={{ $json.Email || "${office}" }}` }],
	])(
		'is an error if what stands in for its empty address is wrong, %s',
		async (_how, parameters) => {
			const items = [row('Ana'), emptyRow()];
			const error = await failureOf(run(items, { parameters }));
			expect(error.message).toBe('Nothing was sent, because 1 of 2 items has a problem.');
			expect(error.description).toContain(`Item 2`);
			expect(error.description).toContain(valueProblems.notEmail(office).problem);
			expect(sentCount()).toBe(0);
			const { output } = await run(items, { parameters, continueOnFail: true });
			expect(output.map(({ json }) => json.outcome ?? (json.error as IDataObject).outcome)).toEqual(
				['sent', 'failed'],
			);
		},
	);

	test.each<[string, IDataObject]>([
		[
			'its list of people is empty',
			{ specifySignatories: 'expression', signatoriesList: '={{ $json.People }}' },
		],
		[
			'the people in its list are empty',
			{
				specifySignatories: 'expression',
				signatoriesList: '=[{ "name": "{{ $json.Name }}", "email": "{{ $json.Email }}" }]',
			},
		],
		[
			'its person has a title in the form',
			{
				signatories: {
					signatory: [{ name: '=Ms. {{ $json.Name }}', email: '={{ $json.Email }}' }],
				},
			},
		],
	])('is left out if %s', async (_what, more) => {
		const parameters = { ...byExpressions, ...more };
		const people = [{ name: 'Ana', email: 'ana@example.com' }];
		const { output, hints } = await run([row('Ana', { People: people }), emptyRow()], {
			parameters,
		});
		expect(output.map(({ json }) => json.outcome)).toEqual(['sent']);
		expect(hints).toEqual(['The node left out an empty row: item 2.']);
	});

	test('is left out if another person in the form countersigns each contract', async () => {
		const template = templateFor(2, service.sandbox);
		const [, boss] = peopleFor(template);
		const own = { name: '={{ $json.Name }}', email: '={{ $json.Email }}' };
		const parameters = {
			...byExpressions,
			...filledForm(template),
			signatories: { signatory: [own, boss] },
		};
		const { output, hints } = await run([row('Ana'), emptyRow()], { parameters });
		expect(output.map(({ json }) => json.outcome)).toEqual(['sent']);
		expect(hints).toEqual(['The node left out an empty row: item 2.']);
	});

	test('is not counted in the error about other items', async () => {
		const wrong = row('Ana', { Email: 'nobody' });
		const one = await failureOf(run([wrong, emptyRow(), emptyRow()]));
		expect(one.message).toBe(`Email (Signatory 1): ${valueProblems.notEmail('nobody').problem}`);
		const two = await failureOf(run([wrong, emptyRow(), row('Ben')]));
		expect(two.message).toBe('Nothing was sent, because 1 of 2 items has a problem.');
		expect(sentCount()).toBe(0);
	});

	test('is not counted in the error about an item that the service refuses', async () => {
		const refused = { status: 400, body: { success: false, responseCode: 400, message: 'no' } };
		service.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			times: 1,
			response: refused,
		});
		const oneByOne = service.credential({ parallelRequests: 1 });
		const items = [row('Ana'), emptyRow(), row('Ben'), row('Cid'), emptyRow()];
		const error = await failureOf(runAction(oneByOne, { parameters: byExpressions, items }));
		expect(error.description).toContain("2 of 3 items weren't started.");
	});

	test.each<[string, IDataObject[], Partial<RunSetup>]>([
		['it is alone', [emptyRow()], {}],
		['there are only empty rows', [emptyRow(), emptyRow()], {}],
		['Execute Once leaves no other', [emptyRow(), row('Ana')], { settings: { executeOnce: true } }],
		['it has no columns', [row('Ana'), {}], {}],
		[
			'it has a file',
			[emptyRow(), row('Ana')],
			{ binary: { data: { data: 'x', mimeType: 'text/plain' } } },
		],
		[
			'its people are in the form',
			[row('Ana'), emptyRow()],
			{ parameters: { ...v2, fields: automatic } },
		],
	])('is an error if %s', async (_what, items, more) => {
		await failureOf(run(items, more));
		expect(sentCount()).toBe(0);
		const { output } = await run(items, { ...more, continueOnFail: true });
		expect(output.some(({ json }) => json.error !== undefined)).toBe(true);
		expect(output).toHaveLength(more.settings?.executeOnce ? 1 : items.length);
	});

	test('is sent if it can be, and one with any value is an error', async () => {
		const parameters = {
			...byExpressions,
			fields: v2.fields,
			signatories: {
				signatory: [
					{ name: '={{ $json.Name || "Eve" }}', email: '={{ $json.Email || "eve@example.com" }}' },
				],
			},
		};
		const { output, hints } = await run([row('Ana'), emptyRow()], { parameters });
		expect(output.map(({ json }) => json.outcome)).toEqual(['sent', 'sent']);
		expect(hints).toEqual([]);
		for (const value of [0, false, 'x']) {
			await failureOf(run([row('Ana'), emptyRow('', { Note: value })]));
		}
	});
});

describe('A list in another encoding', () => {
	const sent = 'Zo\uFFFD M\uFFFDller';
	test.each<[string, IDataObject, IDataObject]>([
		['a name', byExpressions, row('Ana', { Name: sent })],
		['a field', byExpressions, row('Ana', { 'Job title': 'Caf\uFFFD' })],
		['an address', byExpressions, row('Ana', { Email: 'jos\uFFFD@example.com' })],
		[
			'the name of a column',
			{ ...byColumns, fields: v2.fields },
			{ Name: 'Ana', 'E\uFFFDmail': 'ana@example.com' },
		],
		['text in UTF-16', byExpressions, row('Ana', { Name: 'A\u0000n\u0000a\u0000' })],
	])('is refused with what to do about it, if it is in %s', async (_what, parameters, json) => {
		const items = [row('Ben'), json];
		const error = await failureOf(run(items, { parameters }));
		expect(error.message).toContain('CSV UTF-8');
		expect(error.description).toContain(listProblems.otherEncoding('').remedy);
		expect(error.description).toContain('Nothing was sent.');
		expect(sentCount()).toBe(0);
		const { output } = await run([json], { parameters, continueOnFail: true });
		expect(output[0]?.json.error).toMatchObject({
			message: expect.stringContaining('CSV UTF-8') as string,
			outcome: 'failed',
			note: expect.stringContaining('CSV UTF-8') as string,
		});
		expect((output[0]?.json.error as IDataObject).invalidFields).not.toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['an Excel workbook', { 'PK\u0003\u0004\u0014': 'x\uFFFD', 'a\u0000b': '' }],
		['a PDF', { '%PDF-1.7': '1 0 obj' }],
	])('is called %s if it is one', async (what, json) => {
		const error = await failureOf(run([json, json], { parameters: byColumns }));
		expect(error.message).toContain(`This is ${what}: ${listProblems.otherFile.problem}`);
		expect(error.message).toContain('CSV UTF-8');
	});

	test.each<[string, IDataObject]>([
		['a column begins like a line about a separator', { 'Sep. date': 1, 'x sep=;': 'Ana' }],
		['a column is called PK', { PK: 1, Name: 'Ana' }],
		['a column is called PDF', { PDF: 1, Name: 'Ana' }],
		['another value is wrong', row('Ana', { Email: 'nobody', Note: '\uFFFD' })],
	])('is not suspected if %s', async (_what, json) => {
		const error = await failureOf(run([json]));
		expect(error.message).not.toMatch(/CSV|workbook|begins with/);
	});
});

describe('A list that begins with a line about its separator', () => {
	test.each<[string, IDataObject]>([
		['the wrong separator', { 'sep=;': 'Name;Email' }],
		['the right separator', { 'sep=': 'Name', '': 'Email' }],
		['tabs', { 'SEP=': 'Name', '': 'Email' }],
	])('causes an error that quotes this line, read with %s', async (_what, json) => {
		const begin = `"${Object.keys(json)[0]}"`;
		for (const parameters of [byColumns, byExpressions]) {
			const error = await failureOf(run([json, json], { parameters }));
			const { problem, remedy } = listProblems.separatorLine;
			expect(error.message).toContain(`The list begins with ${begin}: ${problem}`);
			expect(error.description).toContain(remedy);
			expect(sentCount()).toBe(0);
		}
	});
});
