import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import { dataTable, type DataTable } from '../support/dataTable';
import { until } from '../support/stage';
import { createDocument } from '../support/trigger';
import { signAll } from '../support/wait';
import { own } from './runStage';

/**
 * examples/google-sheets-row-to-contract.json. The URL of Google stands in n8n's nodes, so a data table
 * of n8n is the sheet here, and a server of this test the storage.
 */
const { stage } = own;
const staff = 'people@example.com';
const create = 'POST /templates/createDocumentByTemplateV2';
const columns = [
	'Contract',
	'Name',
	'Email',
	'Role',
	'Start',
	'Status',
	'Document',
	'Copy',
] as const;
type Row = Record<(typeof columns)[number], string>;

let sheet: DataTable<Row>;
let workflow = '';
let drive: Server;
const stored: Buffer[] = [];
let storageIsFull = false;

/** The columns of a node of Google, as its form keeps them. */
interface Mapped {
	value: Record<string, string>;
	matchingColumns: [keyof Row];
}

function asDataTable({ name, parameters }: INode): Partial<INode> {
	const mapped = parameters.columns as Mapped | undefined;
	const [match] = mapped?.matchingColumns ?? ['Document'];
	const keyValue = name === 'Find its row' ? '={{ $json.documentId }}' : mapped?.value[match];
	const conditions = keyValue === undefined ? [] : [{ keyName: match, condition: 'eq', keyValue }];
	return {
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			resource: 'row',
			operation: mapped ? 'update' : 'get',
			dataTableId: { __rl: true, mode: 'id', value: sheet.id },
			matchType: 'allConditions',
			filters: { conditions },
			...(mapped ? { columns: mapped as unknown as INodeParameters } : { returnAll: true }),
			options: {},
		},
	};
}

function replaceGoogle({ nodes }: WorkflowInput): void {
	const { port } = drive.address() as AddressInfo;
	for (const node of nodes) {
		if (node.type === 'n8n-nodes-base.googleSheets') Object.assign(node, asDataTable(node));
		if (node.type === 'n8n-nodes-base.googleDrive') {
			const { inputDataFieldName } = node.parameters;
			Object.assign(node, {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url: `http://127.0.0.1:${port}/`,
					sendBody: true,
					contentType: 'binaryData',
					inputDataFieldName,
					options: {},
				},
			});
		}
		// n8n runs no schedule at once.
		if (node.type.endsWith('scheduleTrigger'))
			Object.assign(node, { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} });
		if (/google/i.test(Object.keys(node.credentials ?? {}).join())) delete node.credentials;
	}
}

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
const rowOf = async (contract: string) =>
	(await sheet.rows()).find((each) => each.Contract === contract);
const saysMissing = (subject: string) => subject.startsWith('Signed, but');
const change = async (contract: string, data: Partial<Row>) =>
	await sheet.change('Contract', contract, data);
async function run(): Promise<void> {
	const { status, error } = await own.n8n.api.waitForExecution(
		await own.n8n.api.run(workflow, 'Every five minutes'),
	);
	expect([status, error?.message]).toEqual(['success', undefined]);
}

describe('google-sheets-row-to-contract', () => {
	afterAll(own.unpublish);
	beforeAll(async () => {
		sheet = await dataTable<Row>(stage, 'Sheet', columns);
		drive = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request
				.on('data', (chunk: Buffer) => chunks.push(chunk))
				.on('end', () => {
					if (storageIsFull) return void response.writeHead(507).end();
					stored.push(Buffer.concat(chunks));
					response.setHeader('content-type', 'application/json');
					response.end(
						JSON.stringify({ webViewLink: `https://drive.example.com/${stored.length}` }),
					);
				});
		});
		await new Promise<void>((resolve) => drive.listen(0, '127.0.0.1', resolve));
		for (const type of ['googleSheetsOAuth2Api', 'googleDriveOAuth2Api'])
			own.credentials[type] = 'none';
		workflow = await own.publish('google-sheets-row-to-contract', replaceGoogle);
	});
	afterAll(() => drive?.close());

	test('each row that has no status is sent once, and says so; a refused one says why', async () => {
		await sheet.insert(
			row('A-1', { Name: `Zoë "Zed" O'Brien {{ 1 + 1 }}` }),
			row('A-2', { Email: 'nobody' }),
			row('A-3'),
			row('', { Name: 'No Number' }),
			row('A-4', { Status: 'Sent' }),
		);
		const count = own.documentCount();
		await run();
		await run();
		expect(own.documentCount()).toBe(count + 2);
		const document = stage.sandbox
			.documents()
			.find(({ signatory }) => signatory[0]?.emailID === 'a-1@sheet.example.com');
		expect(document?.signatory[0]?.name).toBe(`Zoë "Zed" O'Brien {{ 1 + 1 }}`);
		expect(await rowOf('A-1')).toMatchObject({ Status: 'Sent', Document: document?.documentID });
		expect((await rowOf('A-2'))?.Status).toMatch(/^Not sent: .*"nobody" is not an e-mail address/);
		expect((await rowOf(''))?.Status).toBe('');

		await change('A-2', { Email: 'a-2@sheet.example.com', Status: '' });
		await run();
		expect((await rowOf('A-2'))?.Status).toBe('Sent');
		expect(own.documentCount()).toBe(count + 3);

		await sheet.insert(row('E-1'), row('E-1', { Name: 'Somebody Else' }));
		await run();
		await run();
		expect(own.documentCount()).toBe(count + 4);
	});

	test('a lost answer is "May have been sent", also when it is tried again', async () => {
		await sheet.insert(row('B-1'));
		stage.sandbox.faults.set({ endpoint: create, times: 1, reset: 'before' });
		const count = own.documentCount();
		for (let round = 0; round < 2; round++) {
			await change('B-1', { Status: '' });
			await run();
			expect((await rowOf('B-1'))?.Status).toBe('May have been sent: look for it at the service');
		}
		expect(own.documentCount()).toBe(count);
		await change('B-1', { Contract: 'B-2', Status: '' });
		await run();
		expect((await rowOf('B-2'))?.Status).toBe('Sent');
		expect(own.documentCount()).toBe(count + 1);
	});

	test('the status could not be written: the next run writes it, and nothing is sent again', async () => {
		await sheet.insert(row('C-1'));
		await run();
		const sent = await rowOf('C-1');
		await change('C-1', { Status: '', Document: '' });
		const count = own.documentCount();
		await run();
		expect(await rowOf('C-1')).toMatchObject({ Status: 'Sent', Document: sent?.Document });
		expect(own.documentCount()).toBe(count);
	});

	test('signed, also two at once: each row has its status and the link to a stored copy', async () => {
		const [first, second] = [await rowOf('A-1'), await rowOf('A-3')];
		await Promise.all(
			[first, second].map(async (each) => await signAll(stage.sandbox, each?.Document ?? '')),
		);
		const signed = await until('both rows', async () => {
			const found = [await rowOf('A-1'), await rowOf('A-3')];
			return found.every((each) => each?.Status === 'Signed') && found;
		});
		expect(signed.map((each) => each?.Copy).sort()).toEqual([
			'https://drive.example.com/1',
			'https://drive.example.com/2',
		]);
		expect(stored.map((content) => content.subarray(0, 4).toString())).toEqual(['%PDF', '%PDF']);
		// The next run does not set them back, and an event that comes again stores no second copy.
		await run();
		await own.redeliver(workflow, 'completedDocument', first?.Document ?? '');
		expect(await rowOf('A-1')).toEqual(signed[0]);
		expect([stored.length, own.subjects(staff).filter(saysMissing).length]).toEqual([2, 0]);
	});

	test('signed without a row: the team gets the link; another template is not looked at', async () => {
		await signAll(stage.sandbox, await createDocument(stage.sandbox, 'Not of the sheet'));
		await change('A-2', { Document: 'lost' });
		const document = stage.sandbox
			.documents()
			.find(({ signatory }) => signatory[0]?.emailID === 'a-2@sheet.example.com');
		await signAll(stage.sandbox, document?.documentID ?? '');
		const mail = await own.mailTo(staff, 'Signed, but not in the sheet: ');
		expect(mail.text).toContain('no row of the sheet has this document');
		expect(mail.text).toMatch(/https?:\S+document\.pdf/);
		await stage.sandbox.idle();
		expect(own.subjects(staff).filter(saysMissing)).toHaveLength(1);
	});

	test('the copy cannot be stored: the team gets the link, and the row is not "Signed"', async () => {
		storageIsFull = true;
		const sent = await rowOf('B-2');
		await signAll(stage.sandbox, sent?.Document ?? '');
		const mail = await until('the mail', () =>
			own.mailsTo(staff).find(({ text }) => text.includes(sent?.Document ?? '')),
		);
		storageIsFull = false;
		expect(mail.subject).toMatch(/^Signed, but not in the sheet: /);
		expect(mail.text).toMatch(/507/);
		expect(mail.text).toMatch(/https?:\S+document\.pdf/);
		expect(await rowOf('B-2')).toMatchObject({ Status: 'Sent', Copy: '' });
	});

	test('200 rows: 200 contracts', async () => {
		await sheet.insert(...Array.from({ length: 200 }, (_, index) => row(`D-${index}`)));
		const count = own.documentCount();
		await run();
		expect(own.documentCount()).toBe(count + 200);
		expect(
			(await sheet.rows())
				.filter((each) => each.Contract.startsWith('D-'))
				.map((each) => each.Status),
		).toEqual(Array(200).fill('Sent'));
	});
});
