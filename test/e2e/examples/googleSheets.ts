import type { INode } from 'n8n-workflow';

import type { Adapt, EventBody } from '../support/exampleRuns';
import { sheetServer, type SheetServer } from '../support/sheetServer';
import { until } from '../support/stage';
import { signAll } from '../support/wait';
import { own } from './runStage';

/**
 * examples/google-sheets-row-to-contract.json. The URLs of Google stand in n8n's nodes, so a server of
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
let workflow = '';

/** What the forms of the Google nodes keep, as far as the example uses it. */
interface GoogleParameters {
	operation: string;
	columns?: { value: Record<string, string>; matchingColumns: string[] };
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
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: operation === 'read' ? 'GET' : 'POST',
			url: `${google.url}/${isStorage ? 'files' : 'rows'}`,
			sendQuery: true,
			queryParameters: pairs(query),
			...(columns ? { sendBody: true, bodyParameters: pairs(columns.value) } : {}),
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
async function run(): Promise<void> {
	const { status, error } = await own.n8n.api.waitForExecution(
		await own.n8n.api.run(workflow, 'Every five minutes'),
	);
	expect([status, error?.message]).toEqual(['success', undefined]);
}

/** The event comes again, three times at once, when the trigger knows nothing of before. */
async function redeliver(document: string): Promise<void> {
	const { length } = await own.over(workflow, 1);
	const event = own.events('completedDocument', document).at(-1) as EventBody;
	await own.republish(workflow);
	await own.deliver(event, event, event);
	await own.over(workflow, length + 1);
}

describe('google-sheets-row-to-contract', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		google = await sheetServer<Row>();
		for (const type of ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'])
			own.credentials[type] = 'none';
		workflow = await own.publish('google-sheets-row-to-contract', replaceGoogle);
	});
	afterAll(async () => await google?.close());

	test('each row that has no status is sent once, and says so; a refused one says why', async () => {
		insert(
			row('A-1', { Name: `Zoë "Zed" O'Brien {{ 1 + 1 }}` }),
			row('A-2', { Email: 'nobody' }),
			row('A-3'),
			row('', { Name: 'No Number' }),
			row('A-4', { Status: 'Sent' }),
			// Nobody is in it, so it is not about a contract.
			row('', { Name: '', Email: '', Role: 'Kitchen' }),
		);
		const count = own.documentCount();
		await run();
		await run();
		expect(own.documentCount()).toBe(count + 2);
		const document = stage.sandbox
			.documents()
			.find(({ signatory }) => signatory[0]?.emailID === 'a-1@sheet.example.com');
		expect(document?.signatory[0]?.name).toBe(`Zoë "Zed" O'Brien {{ 1 + 1 }}`);
		expect(rowOf('A-1')).toMatchObject({ Status: 'Sent', Document: document?.documentID });
		expect(rowOf('A-2')?.Status).toMatch(/^Not sent: .*"nobody" is not an e-mail address/);
		expect(statusesOf('')).toEqual(['Not sent: Contract is empty', '']);

		change('A-2', { Email: 'a-2@sheet.example.com', Status: '' });
		await run();
		expect(rowOf('A-2')?.Status).toBe('Sent');
		expect(own.documentCount()).toBe(count + 3);
	});

	test('a lost answer is "May have been sent", also when it is tried again', async () => {
		insert(row('B-1'));
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'before' });
		const count = own.documentCount();
		for (let round = 0; round < 2; round++) {
			change('B-1', { Status: '' });
			await run();
			expect(rowOf('B-1')?.Status).toBe('May have been sent: look for it at the service');
		}
		expect(own.documentCount()).toBe(count);
		change('B-1', { Contract: 'B-2', Status: '' });
		await run();
		expect(rowOf('B-2')?.Status).toBe('Sent');
		expect(own.documentCount()).toBe(count + 1);
	});

	test('signed, also two at once: each row has its status and the link to a stored copy', async () => {
		const [first, second] = [rowOf('A-1'), rowOf('A-3')];
		await Promise.all(
			[first, second].map(async (each) => await signAll(stage.sandbox, each?.Document ?? '')),
		);
		const signed = await until('both rows', async () => {
			const found = [rowOf('A-1'), rowOf('A-3')];
			return found.every((each) => each?.Status === 'Signed') && found;
		});
		expect(signed.map((each) => each?.Copy).sort()).toEqual([
			'https://drive.example.com/1',
			'https://drive.example.com/2',
		]);
		expect(google.stored.map((content) => content.subarray(0, 4).toString())).toEqual([
			'%PDF',
			'%PDF',
		]);
		// The next run does not set them back, and an event that comes again stores no second copy.
		await run();
		await redeliver(first?.Document ?? '');
		expect(rowOf('A-1')).toEqual(signed[0]);
		expect([google.stored.length, own.subjects(staff).filter(saysMissing).length]).toEqual([2, 0]);
	});

	test('the copy cannot be stored: the team gets the link, and the row is not "Signed"', async () => {
		google.isFull = true;
		const sent = rowOf('B-2');
		await signAll(stage.sandbox, sent?.Document ?? '');
		const mail = await until('the mail', () =>
			own.mailsTo(staff).find(({ text }) => text.includes(sent?.Document ?? '')),
		);
		google.isFull = false;
		expect(mail.subject).toMatch(/^Signed, but not in the sheet: /);
		expect(mail.text).toMatch(/507/);
		expect(mail.text).toMatch(/https?:\S+document\.pdf/);
		expect(rowOf('B-2')).toMatchObject({ Status: 'Sent', Copy: '' });
	});

	test('two rows with one Contract: one is sent, the other says so in its own row', async () => {
		const another = 'Not sent: another row has this Contract';
		insert(row('E-1'), row('E-1', { Name: 'Somebody Else' }), row(' E-1 '));
		const count = own.documentCount();
		await run();
		expect(own.documentCount()).toBe(count + 1);
		expect([...statusesOf('E-1'), ...statusesOf(' E-1 ')]).toEqual(['Sent', another, another]);

		const { Document: document = '' } = rowOf('E-1') ?? {};
		const files = google.stored.length;
		await signAll(stage.sandbox, document);
		await until('signed', () => rowOf('E-1')?.Status === 'Signed');
		const signed = google.rows.map((each) => ({ ...each }));
		await run();
		await redeliver(document);
		expect(google.rows).toEqual(signed);
		expect(google.stored.length).toBe(files + 1);

		// Also if the row that was sent stands further down.
		google.rows.unshift(row('E-1', { Name: 'Somebody New' }));
		await run();
		expect(statusesOf('E-1')).toEqual([another, 'Signed', another]);
		expect(own.documentCount()).toBe(count + 1);

		change('E-1', { Contract: 'E-2', Status: '' });
		await run();
		expect(statusesOf('E-2')).toEqual(['Sent']);
		expect(own.documentCount()).toBe(count + 2);
	});
});
