import type { INode } from 'n8n-workflow';

import type { Adapt, EventBody } from '../support/exampleRuns';
import { sheetServer, type SheetServer } from '../support/sheetServer';
import { until } from '../support/stage';
import { signAll } from '../support/wait';
import { own } from './runStage';

/**
 * examples/google-sheets-row-to-contract.json and google-sheets-signed-copy.json. The URLs of Google stand in n8n's nodes, so a server of
 * this test is the sheet and the storage. It finds and changes rows as the nodes of Google do.
 */
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
type Row = Record<
	'Contract' | 'Name' | 'Email' | 'Role' | 'Start' | 'Status' | 'Document' | 'Copy',
	string
>;

let google: SheetServer<Row>;
let [sending, signed] = ['', ''];

/** What the forms of the Google nodes keep, as far as the examples use it. */
interface GoogleParameters {
	operation: string;
	columns?: { value: Record<string, string> | null; matchingColumns: string[] };
	filtersUI?: { values?: Array<{ lookupColumn: string; lookupValue: string }> };
	options: { returnFirstMatch?: boolean };
	inputDataFieldName?: string;
}

/** A call of the server of this test in place of a node of Google. */
function asRequest({ type, parameters }: INode): Partial<INode> {
	const { operation, columns, filtersUI, options, inputDataFieldName } =
		parameters as unknown as GoogleParameters;
	const pairs = (values: Record<string, string>) => ({
		parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
	});
	const [filter] = filtersUI?.values ?? [];
	const query: Record<string, string> = columns
		? { match: columns.matchingColumns[0] ?? '' }
		: filter
			? { column: filter.lookupColumn, value: filter.lookupValue }
			: {};
	if (options.returnFirstMatch) query.first = 'true';
	const isStorage = type === 'n8n-nodes-base.googleDrive';
	const cells = columns?.value
		? { bodyParameters: pairs(columns.value) }
		: { specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}' };
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: operation === 'read' ? 'GET' : 'POST',
			url: `${google.url}/${isStorage ? 'files' : 'rows'}`,
			sendQuery: true,
			queryParameters: pairs(query),
			...(columns ? { sendBody: true, ...cells } : {}),
			...(isStorage ? { sendBody: true, contentType: 'binaryData', inputDataFieldName } : {}),
			options: {},
		},
	};
}

const replaceGoogle: Adapt = (_node, nodes) => {
	for (const node of nodes) {
		if (/\.google(Sheets|Drive)$/.test(node.type)) Object.assign(node, asRequest(node));
		// n8n runs no schedule at once.
		if (node.type.endsWith('scheduleTrigger'))
			Object.assign(node, { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} });
		if (node.type.endsWith('.wait')) Object.assign(node.parameters, { amount: 1, unit: 'seconds' });
		if (/google/i.test(Object.keys(node.credentials ?? {}).join())) delete node.credentials;
	}
};

const row = (contract: string, rest: Partial<Row> = {}): Row => ({
	Contract: contract,
	Name: `Person ${contract}`,
	Email: `${contract.toLowerCase()}@sheet.example.com`,
	Role: 'Cook',
	Start: '2027-01-01',
	Status: '',
	Document: '',
	Copy: '',
	...rest,
});
const rowsOf = (contract: string) =>
	google.rows.filter((each) => each.Contract === contract).map((each) => ({ ...each }));
const rowOf = (contract: string) => rowsOf(contract)[0];
const statusesOf = (contract: string) => rowsOf(contract).map(({ Status }) => Status);
const saysMissing = (subject: string) => subject.startsWith('Signed, but');
function change(contract: string, data: Partial<Row>): void {
	Object.assign(google.rows.find((each) => each.Contract === contract) ?? {}, data);
}
const insert = (...rows: Row[]) => void google.rows.push(...rows);
/** Runs the sending once, or several times at the same moment. */
async function run(times = 1): Promise<void> {
	const { api } = own.n8n;
	const ids = await Promise.all(
		Array.from({ length: times }, async () => await api.run(sending, 'Every five minutes')),
	);
	for (const id of ids) {
		const { status, error } = await api.waitForExecution(id);
		expect([status, error?.message]).toEqual(['success', undefined]);
	}
}
const sign = async (...contracts: string[]) =>
	await Promise.all(
		contracts.map(async (each) => await signAll(stage.sandbox, rowOf(each)?.Document ?? '')),
	);
const isSigned = (contract: string) => statusesOf(contract).includes('Signed');

describe('google-sheets-row-to-contract, google-sheets-signed-copy', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		google = await sheetServer<Row>();
		for (const type of ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'])
			own.credentials[type] = 'none';
		sending = await own.store('google-sheets-row-to-contract', replaceGoogle);
		signed = await own.publish('google-sheets-signed-copy', replaceGoogle);
	});
	afterAll(async () => await google?.close());

	const another = (row: number) => `Not sent: row ${row} has this Contract`;
	const uncertain = 'May have been sent: look for it at the service';
	test('bad rows: each has the right status after one run, and two more at once change nothing', async () => {
		stage.sandbox.faults.set({ endpoint: create, skip: 1, times: 1, reset: 'before' });
		const rows: Array<[Row, string | RegExp]> = [
			[row('A-1', { Name: `Zoë "Zed" O'Brien {{ 1 + 1 }} <b>` }), 'Sent'],
			[row('A-2'), uncertain],
			[row('A-3', { Email: 'nobody' }), /^Not sent: .*"nobody" is not an e-mail address/],
			[row('A-4', { Name: '' }), /^Not sent: /],
			[row('', { Name: 'No Number' }), 'Not sent: Contract is empty'],
			[row('A-5', { Status: 'Sent' }), 'Sent'],
			// Nobody is in it, so it is not about a contract.
			[row('', { Name: '', Email: '', Role: 'Kitchen' }), ''],
			[row('A-6'), 'Sent'],
			[row(' A-6 ', { Name: 'Somebody Else' }), another(9)],
			[row('A-5'), another(7)],
		];
		insert(...rows.map(([each]) => each));
		const count = own.documentCount();
		await run();
		const statuses = () => google.rows.map(({ Status }) => Status);
		rows.forEach(([, status], index) => expect(statuses()[index]).toMatch(status));
		rows.forEach(([, status], index) => {
			if (typeof status === 'string') expect(statuses()[index]).toBe(status);
		});
		expect(own.documentCount()).toBe(count + 2);
		const before = google.rows.map((each) => ({ ...each }));
		await run(2);
		expect(google.rows).toEqual(before);
		const [document] = stage.sandbox.documents().slice(count);
		expect(document?.signatory[0]?.name).toBe(`Zoë "Zed" O'Brien {{ 1 + 1 }} <b>`);
		expect(rowOf('A-1')?.Document).toBe(document?.documentID);
	});

	test('after the correction, each is sent; a lost answer stays uncertain until the row has another Contract', async () => {
		const count = own.documentCount();
		change('A-3', { Email: 'a-3@sheet.example.com', Status: '' });
		change('A-2', { Status: '' });
		await run();
		expect([rowOf('A-3')?.Status, rowOf('A-2')?.Status]).toEqual(['Sent', uncertain]);
		change('A-2', { Contract: 'B-2', Status: '' });
		// A wrong address of somebody else: the right person gets the contract, too.
		change('A-3', { Email: 'right@sheet.example.com', Status: '' });
		await run();
		expect([rowOf('A-3')?.Status, rowOf('B-2')?.Status]).toEqual(['Sent', 'Sent']);
		expect(own.documentCount()).toBe(count + 3);
	});

	test('two runs at once: one contract for each row, which says "Sent" and has its document', async () => {
		const contracts = Array.from({ length: 10 }, (_, index) => `C-${index + 1}`);
		insert(...contracts.map((each) => row(each)));
		const count = own.documentCount();
		await run(2);
		expect(own.documentCount()).toBe(count + 10);
		expect(contracts.map((each) => rowOf(each)?.Status)).toEqual(contracts.map(() => 'Sent'));
		const documents = contracts.map((each) => rowOf(each)?.Document);
		expect(new Set(documents.filter(Boolean)).size).toBe(10);
	});

	test('signed while the others are still being sent: its row has the status and the link', async () => {
		insert(...Array.from({ length: 6 }, (_, index) => row(`D-${index + 1}`)));
		stage.sandbox.faults.set({ endpoint: create, skip: 1, delayMs: 1_000 });
		const sent = run();
		await until('the first has its row', () => rowOf('D-1')?.Document);
		await sign('D-1');
		await sent;
		await until('signed', () => isSigned('D-1'));
		expect(rowOf('D-1')?.Copy).toMatch(/^https:/);
	});

	test('signed: two at once, an event that comes again with a new time, and one without a template', async () => {
		const files = google.stored.length;
		await sign('A-1', 'A-6');
		await until('both rows', () => isSigned('A-1') && isSigned('A-6'));
		expect(google.stored.slice(files).map((each) => each.subarray(0, 4).toString())).toEqual([
			'%PDF',
			'%PDF',
		]);
		const rows = google.rows.map((each) => ({ ...each }));
		const { length } = await own.over(signed, 3);
		const [event] = own.events('completedDocument', rowOf('A-1')?.Document ?? '') as [EventBody];
		await own.republish(signed);
		await own.deliver(event, event, { ...event, addedOn: (event.addedOn ?? 0) + 60_000 });
		await own.over(signed, length + 1);
		expect([google.rows, google.stored.length]).toEqual([rows, files + 2]);

		const other = structuredClone(event);
		other.Document.documentID = rowOf('C-1')?.Document ?? '';
		Object.assign(other.Document, { templateID: '' });
		await own.deliver(other);
		await until('signed', () => isSigned('C-1'));
		expect(own.subjects(staff).filter(saysMissing)).toEqual([]);
	});

	test('the copy cannot be stored, or no row has the document: the team gets the link', async () => {
		google.isFull = true;
		await sign('B-2');
		const foreign = await own.send([{ email: 'foreign@example.com', name: 'Somebody Else' }]);
		await signAll(stage.sandbox, foreign);
		for (const [document, reason] of [
			[rowOf('B-2')?.Document ?? '', /507/],
			[foreign, /no row of the sheet/],
		] as const) {
			const { subject, text } = await until('the mail', () =>
				own.mailsTo(staff).find((each) => each.text.includes(document)),
			);
			expect([subject, text]).toEqual([
				expect.stringMatching(/^Signed, but not in the sheet: /),
				expect.stringMatching(reason),
			]);
			expect(text).toMatch(/https?:\S+document\.pdf/);
		}
		google.isFull = false;
		expect(rowOf('B-2')).toMatchObject({ Status: 'Sent', Copy: '' });
	});
});
