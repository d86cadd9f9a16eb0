import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { hookContext, loadContext, trigger } from '../support/contexts';
import { useService } from '../support/service';
import { FakeResponse } from '../support/response';
import { activeTrigger } from '../support/webhook';

const service = useService();

/** What the addresses of a notification lead to. */
let server: Server;
let files: string;
const asked: Array<{ path: string; headers: IDataObject }> = [];
const late: ServerResponse[] = [];

beforeAll(async () => {
	server = createServer((request, response) => {
		const path = request.url ?? '';
		asked.push({ path, headers: request.headers });
		if (path.startsWith('/slow')) {
			late.push(response);
			if (path === '/slow-body')
				response.writeHead(200, { 'content-type': 'application/pdf' }).write('%PDF-');
		} else if (path === '/expired') response.writeHead(403).end('<Error/>');
		else response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 content');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	files = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
	for (const response of late.splice(0)) response.destroy();
	asked.length = 0;
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const completed = (addresses: IDataObject, documentID = String(Math.random())) => ({
	type: 'completedDocument',
	addedOn: 1,
	Document: { documentID, title: 'Lease: 2026/A', status: 'COMPLETED', ...addresses },
});

describe('files', () => {
	const node = (options: IDataObject = {}, simplify = true) =>
		activeTrigger(
			{ events: ['completedDocument', 'sendDocument'], downloadFiles: true, simplify, options },
			{ keeper: service.credential() },
		);

	test('come along as binary data, and no token goes to their addresses', async () => {
		const body = completed({
			documentURL: `${files}/document`,
			certificateURL: `${files}/certificate`,
			pscCertificateURL: `${files}/psc`,
		});
		const { items } = await node().call({ body });
		expect(items).toHaveLength(1);
		expect(items[0]?.json).not.toHaveProperty('missingFiles');
		expect(Object.keys(items[0]?.binary ?? {}).sort()).toEqual([
			'certificate',
			'document',
			'pscCertificate',
		]);
		expect(items[0]?.binary?.document).toMatchObject({
			fileName: 'Lease 2026 A.pdf',
			mimeType: 'application/pdf',
			data: Buffer.from('%PDF-1.7 content').toString('base64'),
		});
		expect(asked).toHaveLength(3);
		for (const { headers } of asked) {
			expect(Object.keys(headers)).not.toEqual(
				expect.arrayContaining([expect.stringMatching(/token|authorization|user-id|api-key/)]),
			);
		}
	});

	test('that cannot be had leave a note each, in simplified and in raw output', async () => {
		for (const simplify of [true, false]) {
			const body = completed({
				documentURL: `${files}/document`,
				certificateURL: `${files}/expired`,
				pscCertificateURL: 'file:///etc/passwd',
			});
			const { status, items } = await node({}, simplify).call({ body });
			expect(status).toBe(200);
			expect(Object.keys(items[0]?.binary ?? {})).toEqual(['document']);
			expect(items[0]?.json.missingFiles).toEqual([
				{ file: 'certificate', reason: expect.stringMatching(/403/) as string },
				{ file: 'pscCertificate', reason: 'its address is no http or https address' },
			]);
		}
		const nothing = await node().call({ body: completed({ documentURL: 'http://127.0.0.1:1/x' }) });
		expect(nothing.items[0]?.json.missingFiles).toEqual([
			{ file: 'document', reason: expect.stringMatching(/refuses connections/) as string },
			{ file: 'certificate', reason: 'the notification carries no address for it' },
			{ file: 'pscCertificate', reason: 'the notification carries no address for it' },
		]);
	});

	test('that do not come in time leave a note, and the others come', async () => {
		const body = completed({
			documentURL: `${files}/document`,
			certificateURL: `${files}/slow`,
			pscCertificateURL: `${files}/slow-body`,
		});
		const start = Date.now();
		const { items } = await node({ fileSeconds: 1 }).call({ body });
		expect(Date.now() - start).toBeLessThan(10_000);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['document']);
		expect(items[0]?.json.missingFiles).toEqual([
			{ file: 'certificate', reason: 'Could not download the certificate: it was not complete after 1 s' },
			{ file: 'pscCertificate', reason: 'Could not download the PSC certificate: it was not complete after 1 s' },
		]);
	});

	test('are taken once for an event that comes twice at the same time', async () => {
		const { call, start } = node();
		const body = completed({
			documentURL: `${files}/slow`,
			certificateURL: `${files}/certificate`,
		});
		const first = start({ body });
		const second = call({ body });
		while (late.length === 0) await new Promise((resolve) => setImmediate(resolve));
		late.shift()?.end('%PDF-late');
		const { data, response } = await first;
		expect(data.workflowData?.[0]).toHaveLength(1);
		response.status(200).json({});
		response.close();
		expect(await second).toMatchObject({
			status: 200,
			items: [],
			answer: { message: 'This event was already processed.' },
		});
		expect(asked.filter(({ path }) => path === '/slow')).toHaveLength(1);
	});

	test('of an event whose sender left meanwhile are not lost, nor the event taken twice', async () => {
		const { call, start } = node();
		const body = completed({ documentURL: `${files}/slow` });
		const response = new FakeResponse();
		const first = start({ body, response });
		while (late.length === 0) await new Promise((resolve) => setImmediate(resolve));
		response.close();
		const repeat = call({ body });
		late.shift()?.end('%PDF-late');
		expect((await first).data.workflowData?.[0]).toHaveLength(1);
		response.status(200).json({});
		expect(await repeat).toMatchObject({ status: 200, items: [] });
	});
});

describe('a call', () => {
	const event = { type: 'signDocument', addedOn: 1, Document: { documentID: 'd' } };

	test('that a filter holds back is 200', async () => {
		const { call } = activeTrigger({ events: ['signDocument'], filters: { templateIds: ['t'] } });
		const body = { ...event, Document: { ...event.Document, templateID: 'other' } };
		expect(await call({ body })).toMatchObject({ status: 200, items: [] });
	});

	test('to a node that is set up wrong is 500 without an execution, so that it is sent again', async () => {
		const { call, logged } = activeTrigger({ events: ['nonsense'] });
		expect(await call({ body: event })).toMatchObject({ status: 500, items: [] });
		expect(logged).toEqual([
			'SignVerify Trigger could not process an event: Events: there is no event "nonsense"',
		]);
	});

	test('is of the event that its address names where the body does not say so', async () => {
		const { call } = activeTrigger({ events: ['failedBiometric', 'pendingBiometric'] });
		const body = { type: 'FACE', result: 'low score' };
		const { status, items } = await call({ body, event: 'pendingBiometric' });
		expect(status).toBe(200);
		expect(items[0]?.json).toMatchObject({ ...body, event: 'pendingBiometric' });
		for (const event of ['signDocument', ['pendingBiometric'], undefined]) {
			expect(await call({ body, event })).toMatchObject({ status: 422, items: [] });
		}
	});

	test('gives the whole body where Simplify is off', async () => {
		const { call } = activeTrigger({ events: ['signDocument'], simplify: false });
		const body = { ...event, Document: { ...event.Document, signatory: [{ password: 'p' }] } };
		expect((await call({ body })).items).toEqual([{ json: body }]);
	});
});

test('wrong options are said at activation', async () => {
	for (const [options, message] of [[{ fileSeconds: 600 }, /File Time Limit/]] as const) {
		const context = hookContext(
			service.credential(),
			{ events: ['signDocument'], options },
			{},
			'http://127.0.0.1/x',
		);
		await expect(trigger.webhookMethods.default.create.call(context)).rejects.toThrow(message);
	}
});

test('the list of templates to filter by has those of both versions', async () => {
	const list = await trigger.methods.loadOptions.getTemplates.call(
		loadContext(service.credential(), {}),
	);
	expect(list.map(({ value }) => value).sort()).toEqual(
		service.sandbox
			.templates()
			.map(({ templateID }) => templateID)
			.sort(),
	);
});
