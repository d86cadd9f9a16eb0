import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { outputOf } from '../../host/executions';
import type { N8n } from '../../host/n8n';
import { loopback } from '../../host/ports';
import { documentEvents, eventTypes, identityEvents, type Document } from '../../sandbox/schemas';
import { derivedId } from '../../sandbox/util/ids';
import { requestIdentity } from '../operations/service';
import { clientOf } from '../support/credentials';
import { identityFinished } from '../support/events';
import { axios, post } from '../support/http';
import { agreement } from '../support/outputs';
import { everything } from '../support/sample';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { filterProblems } from '../../nodes/SignVerify/trigger/templateFilter';
import { until } from '../support/until';
import { dataTable } from './support/dataTable';
import { startAgain, useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	deleteWebhooks,
	eventsOf,
	loggedIn,
	registered,
	republish,
	retryExecution,
	triggerName,
	triggerWorkflow,
	type NextNode,
} from './support/trigger';
import { connect, credentialsOf, type Link, nodeOf } from './support/workflow';

// Only a real n8n shows when it calls the trigger's hooks, how it changes a request before the node gets it,
// and which parts of a workflow it stores. Faults in the service are tested in test/unit/lifecycle*.test.ts.
// Events are sent to n8n's webhook URL, even if the editor has a different URL.
const stage = useStage('trigger', async () => ({
	N8N_EDITOR_BASE_URL: 'https://editor.example.com/',
}));
/** The running n8n, which is replaced after a restart. */
let n8n: N8n;
let credential: string;
let documentID: string;

const addWorkflow = async (parameters: { events: string[]; [name: string]: unknown }) => {
	const workflow = triggerWorkflow('Trigger', parameters as never, credential);
	return (await n8n.api.createWorkflow(workflow)).id;
};
/** Publishes a workflow. @returns Its ID, and the URL that it registered. */
async function activeWorkflow(parameters: Parameters<typeof addWorkflow>[0]) {
	const before = new Set(stage.sandbox.webhooks().map(({ webHookID }) => webHookID));
	const id = await addWorkflow(parameters);
	await n8n.api.publish(id);
	const own = stage.sandbox.webhooks().find(({ webHookID }) => !before.has(webHookID));
	return { id, url: own?.webHookUrl ?? '' };
}
const rows = (...types: string[]) => types.map((type) => `${type} webhook`).sort();
/** Waits until all webhooks are gone. n8n removes them some seconds after a workflow is unpublished. */
const noneLeft = async () =>
	await until('all webhooks are removed', () => stage.sandbox.webhooks().length === 0);

beforeAll(async () => {
	n8n = stage.n8n;
	await clearStage(stage);
	credential = await credentialId(n8n.api);
	documentID = await createDocument(stage.sandbox);
});
afterEach(async () => {
	stage.sandbox.faults.clear();
	stage.sandbox.settings.reset();
	// A workflow left behind by one test must not affect the next one.
	for (const { id } of await n8n.api.listWorkflows()) {
		if (!Object.values(stage.workflows).includes(id)) await n8n.api.deleteWorkflow(id);
	}
	// The trigger removes its own after ten seconds. Every night, each test waits for that.
	if (everything) await noneLeft();
	else await deleteWebhooks(stage.sandbox);
});

test('a test run registers a second webhook and removes only that one at the end', async () => {
	const id = await addWorkflow({ events: ['signDocument'] });
	await n8n.api.publish(id);
	await n8n.api.listen(id, triggerName);
	expect(registered(stage.sandbox)).toEqual(['signDocument webhook', 'signDocument webhook-test']);
	await stage.sandbox.fire('signDocument', documentID);
	const executions = await allExecutions(n8n.api, id, 2);
	expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
	const testEnds = async () => {
		await until(
			'the webhook of the test run is removed',
			() => stage.sandbox.webhooks().length === 1,
		);
		expect(registered(stage.sandbox)).toEqual(rows('signDocument'));
	};
	await testEnds();

	// n8n also removes the webhook if a user stops the test run.
	await n8n.api.listen(id, triggerName);
	await n8n.api.stopListening(id);
	await testEnds();
});

test('each kind of invalid request is rejected with the expected status and does not start an execution', async () => {
	const { id, url } = await activeWorkflow({ events: ['signDocument'] });
	const bare = url.split('?')[0] ?? '';
	const body = { type: 'signDocument', Document: { documentID: 'd' }, addedOn: 1 };
	const as = (contentType: string) => ({ headers: { 'content-type': contentType } });
	const text = as('text/plain');
	const bytes = as('application/octet-stream');
	const capital = as('Application/JSON');
	const mixed = as('Multipart/Form-Data; boundary=x');
	const zipped = { headers: { ...bytes.headers, 'content-encoding': 'gzip' } };
	const form = new FormData();
	form.append('type', 'signDocument');
	const part =
		'--x\r\nContent-Disposition: form-data; name="type"\r\n\r\nsignDocument\r\n--x--\r\n';
	const deep = '['.repeat(5000) + ']'.repeat(5000);
	// Larger than n8n's request size limit.
	const large = Buffer.alloc(17 << 20, ' ');
	const oneBrace = Buffer.from('{');
	const calls: Array<[status: number, what: string, call: () => Promise<{ status: number }>]> = [
		[401, 'no secret', async () => await axios.post(bare, body)],
		[401, 'the secret twice', async () => await axios.post(`${url}&secret=x`, body)],
		[400, 'a list', async () => await axios.post(url, [body])],
		[200, 'no body', async () => await axios.post(url)],
		[200, 'an empty object', async () => await axios.post(url, {})],
		[200, 'no document', async () => await axios.post(url, { type: 'ping' })],
		[401, 'no body, no secret', async () => await axios.post(bare)],
		[400, 'no JSON', async () => await axios.post(url, 'hello', text)],
		[
			422,
			'no JSON, said to be',
			async () => await axios.post(url, oneBrace, as('application/json')),
		],
		[400, 'a form', async () => await axios.post(url, 'type=signDocument')],
		[400, 'a form of several parts', async () => await axios.post(url, form)],
		[400, 'XML', async () => await axios.post(url, '<type>x</type>', as('text/xml'))],
		[422, 'another event', async () => await axios.post(url, { ...body, type: 'sendDocument' })],
		[413, 'nested deeply', async () => await axios.post(url, deep, text)],
		[413, 'nine MB', async () => await axios.post(url, { ...body, note: 'x'.repeat(9 << 20) })],
		// n8n itself rejects JSON larger than N8N_PAYLOAD_SIZE_MAX, so this request never reaches the node.
		[500, '17 MB', async () => await axios.post(url, { ...body, note: 'x'.repeat(17 << 20) })],
		[413, '17 MB of bytes', async () => await axios.post(url, large, bytes)],
		[401, '17 MB of bytes, no secret', async () => await axios.post(bare, large, bytes)],
		[400, 'a form in capitals', async () => await axios.post(url, part, mixed)],
		[401, 'a form in capitals, no secret', async () => await axios.post(bare, part, mixed)],
		[401, 'JSON in capitals, no secret', async () => await axios.post(bare, '{}', capital)],
		[400, 'no gzip', async () => await axios.post(url, oneBrace, zipped)],
		[401, 'no gzip, no secret', async () => await axios.post(bare, oneBrace, zipped)],
		[404, 'GET', async () => await axios.get(url)],
		[404, 'PUT', async () => await axios.put(url, body)],
	];
	const responses: Array<[number, string]> = [];
	for (const [, what, call] of calls) responses.push([(await call()).status, what]);
	expect(responses).toEqual(calls.map(([status, what]) => [status, what]));
	expect(await stage.n8n.api.executions({ workflowId: id })).toEqual([]);

	// A JSON body is accepted even if its content type is not `application/json`.
	expect((await axios.post(url, JSON.stringify(body), text)).status).toBe(200);
	const other = Buffer.from(JSON.stringify({ ...body, addedOn: 2 }));
	expect((await axios.post(url, other, bytes)).status).toBe(200);
	const spelled = JSON.stringify({ ...body, addedOn: 3 });
	expect((await axios.post(url, spelled, capital)).status).toBe(200);
	expect(await allExecutions(stage.n8n.api, id, 3)).toHaveLength(3);
});

/**
 * Starts a proxy for the sandbox that calls each document webhook's URL before it is registered, and that
 * refuses to register it if the response isn't a success.
 * @returns The proxy's base URL, the statuses of the responses, and a function that stops the proxy.
 */
async function startCheckingService() {
	const statuses: number[] = [];
	const { origin, pathname } = new URL(stage.sandbox.baseUrl);
	const server = createServer((request, response) => {
		void (async () => {
			const { method = 'GET', url = '' } = request;
			const called = new URL(url, origin).searchParams.get('url');
			if (method === 'POST' && called) {
				const { status } = await axios.post(called, {});
				statuses.push(status);
				if (status > 299) {
					const body = { success: false, message: 'The URL does not respond' };
					response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
					return;
				}
			}
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const { data, status, headers } = await axios.request<Buffer>({
				method,
				url: origin + url,
				headers: request.headers,
				data: Buffer.concat(chunks),
				responseType: 'arraybuffer',
			});
			response.writeHead(status, { 'content-type': String(headers['content-type']) }).end(data);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { baseUrl: `http://${loopback}:${port}${pathname}`, statuses, close };
}

test('a service that calls the URL of a webhook before it registers the webhook starts no workflow by that', async () => {
	const service = await startCheckingService();
	try {
		const { sandbox } = stage;
		const checking = await n8n.api.createCredential({
			name: 'Checks URLs',
			type: 'signVerifyApi',
			data: { ...sandbox.account, baseUrl: service.baseUrl },
		});
		const events = ['sendDocument', 'signDocument', 'completedDocument'];
		const workflow = triggerWorkflow('Trigger', { events }, checking.id);
		const { id } = await n8n.api.createWorkflow(workflow);
		// For a test run, n8n opens the URL before the trigger registers it, too.
		await n8n.api.listen(id, triggerName);
		expect(registered(sandbox)).toEqual(events.map((event) => `${event} webhook-test`).sort());
		expect(service.statuses).toEqual([200, 200, 200]);
		await n8n.api.stopListening(id);
		await noneLeft();
		await n8n.api.publish(id);
		expect(registered(sandbox)).toEqual(rows(...events));
		expect(service.statuses).toEqual(Array(6).fill(200));
		expect(await n8n.api.executions({ workflowId: id })).toEqual([]);
		await sandbox.fire('signDocument', documentID);
		expect(await allExecutions(n8n.api, id, 1)).toHaveLength(1);
		await n8n.api.unpublish(id);
		await noneLeft();
	} finally {
		service.close();
	}
});

test('the trigger starts a workflow for each event, downloads files, and applies its filters', async () => {
	const { api } = n8n;
	const all = await activeWorkflow({
		events: [...eventTypes],
		downloadFiles: true,
	});
	const filtered = await activeWorkflow({
		events: ['signDocument'],
		filters: { templates: ['no-such-template'] },
	});
	for (const event of documentEvents) await stage.sandbox.fire(event, documentID);
	const service = { sandbox: stage.sandbox, client: clientOf(stage.sandbox) };
	const validationId = await requestIdentity(service, 'ana@example.com');
	for (const event of identityEvents) await stage.sandbox.fire(event, validationId);

	const executions = await allExecutions(api, all.id, eventTypes.length);
	const items = (
		await Promise.all(executions.map((execution) => api.execution(execution.id)))
	).flatMap((execution) => outputOf(execution, triggerName));
	expect(items.map(({ json }) => json.event).sort()).toEqual([...eventTypes].sort());
	const filesOf = (event: string) => {
		const item = items.find(({ json }) => json.event === event);
		return Object.entries(item?.binary ?? {}).map(([name, { fileName, mimeType }]) => [
			name,
			fileName,
			mimeType,
		]);
	};
	for (const event of ['completedDocument', 'sendDocument']) {
		expect(filesOf(event).sort()).toEqual([
			['certificate', expect.stringMatching(/certificate\.pdf$/), 'application/pdf'],
			['document', expect.stringMatching(/\.pdf$/), 'application/pdf'],
			['pscCertificate', expect.stringMatching(/PSC certificate\.pdf$/), 'application/pdf'],
		]);
	}
	expect(filesOf('signDocument')).toEqual([]);
	expect(items.find(({ json }) => json.event === identityFinished)?.json).toMatchObject({
		validationId,
	});
	const { webHookID } =
		stage.sandbox.webhooks().find(({ webHookUrl }) => webHookUrl === filtered.url) ?? {};
	const delivery = stage.sandbox.deliveries().find((sent) => sent.webHookID === webHookID);
	expect(delivery?.attempts[0]?.status).toBe(200);
	expect(await api.executions({ workflowId: filtered.id })).toEqual([]);
});

test("every document event shows in the same fields whom it's about, and Get Results reads this person's identity check", async () => {
	const { api } = n8n;
	const include = ['history', 'signingLinks'];
	const all = await activeWorkflow({ events: [...eventTypes], options: { include } });
	const results = { resource: 'identity', operation: 'getResults' };
	const next = {
		type: 'n8n-nodes-signverify.signVerify',
		parameters: { ...results, validationId: '={{ $json.signatory.validationId }}' },
		credentials: credentialsOf(credential),
	};
	const raw = await activeWorkflow({ events: [...eventTypes], options: { output: 'raw' } });
	const failed = { events: ['failedBiometric'] };
	const check = await api.createWorkflow(triggerWorkflow('Check', failed, credential, next));
	await api.publish(check.id);

	const id = await createDocument(stage.sandbox);
	for (const event of documentEvents) await stage.sandbox.fire(event, id);
	const service = { sandbox: stage.sandbox, client: clientOf(stage.sandbox) };
	const validationId = await requestIdentity(service, 'ana@example.com');
	await stage.sandbox.fire(identityFinished, validationId);

	// Creating the document has sent it to each of its signatories.
	const document = stage.sandbox.documents().find(({ documentID }) => documentID === id);
	const people = document?.signatory ?? [];
	const count = eventTypes.length + people.length;
	const outputs = await eventsOf(api, await allExecutions(api, all.id, count));
	// Raw output is what the service sent, whole.
	const rawOutputs = await eventsOf(api, await allExecutions(api, raw.id, count));
	const addressOf = (url: string) => new URL(url).pathname;
	const sent = stage.sandbox
		.deliveries()
		.filter(({ url }) => addressOf(url) === addressOf(raw.url))
		.map(({ body }) => body);
	expect(sent).toHaveLength(count);
	for (const body of sent) expect(rawOutputs).toContainEqual(body);

	const ofEvent = (event: string) => outputs.filter((output) => output.event === event);
	const [completed = {}] = ofEvent('completedDocument');
	for (const event of documentEvents) {
		for (const output of ofEvent(event)) {
			expect([event, Object.keys(output)]).toEqual([event, Object.keys(completed)]);
		}
	}
	// A time in milliseconds has 13 digits.
	expect(JSON.stringify(outputs)).not.toMatch(/:\d{13}[,}]/);

	const iso = (time = 0) => new Date(time).toISOString();
	const [first] = people;
	const person = {
		email: first?.emailID,
		name: first?.name,
		signed: false,
		signingLink: first?.signing.url,
		expiresAt: iso(first?.signing.expiry),
	};
	expect(ofEvent('failedBiometric')).toMatchObject([
		{
			documentId: id,
			title: document?.title,
			status: 'PENDING',
			createdAt: iso(document?.addedOn),
			signatory: {
				...person,
				invalid: true,
				invalidReason: 'The selfie doesn’t match the official ID',
				validationId: expect.stringMatching(/./) as string,
			},
		},
	]);
	for (const { signatory, history } of ofEvent('sendDocument')) {
		expect(people.map(({ emailID, name }) => ({ email: emailID, name }))).toContainEqual({
			email: (signatory as IDataObject).email,
			name: (signatory as IDataObject).name,
		});
		expect(history).toContainEqual({
			what: 'CREATED',
			who: stage.sandbox.account.userId,
			email: null,
			at: iso(document?.addedOn),
			ip: null,
		});
	}
	expect(ofEvent(identityFinished)).toEqual([
		{
			event: identityFinished,
			passed: null,
			validationId,
			email: 'ana@example.com',
			status: 'CREATED',
			customerId: null,
			happenedAt: expect.stringMatching(/Z$/) as string,
			eventId: expect.stringMatching(/./) as string,
		},
	]);

	const [run] = await allExecutions(api, check.id, 1);
	const execution = await api.execution(run?.id ?? '');
	expect(outputOf(execution, 'Next').map(({ json }) => json)).toMatchObject([{ passed: false }]);
});

test('a document starts a workflow only once its status is known to be completed, and only once', async () => {
	const { id, url } = await activeWorkflow({ events: ['completedDocument'] });
	const report = async (status: string) =>
		await post(url, { type: 'completedDocument', Document: { documentID, status } });
	const statuses = ['VOID', 'REVOKED', 'ARCHIVED', 'COMPLETED', 'COMPLETED', 'VOID'];
	const responses: number[] = [];
	for (const status of statuses) responses.push(await report(status));
	expect(responses).toEqual([200, 200, 422, 200, 200, 200]);
	const events = await eventsOf(n8n.api, await allExecutions(n8n.api, id, 1));
	expect(events).toMatchObject([{ documentId: documentID, status: 'COMPLETED' }]);
	const log = readFileSync(n8n.logFile, 'utf8');
	expect(log).toMatch(/SignVerify ignored .* status is "VOID"/);
	expect(log).toMatch(/SignVerify rejected .* status is "ARCHIVED"/);
});

test('a completed document whose file arrives later starts the workflow once more, and text is never taken for the file', async () => {
	const contents = { '/text': 'JVBERi0xLjcK'.repeat(10), '/file': '%PDF-1.7\n%%EOF\n' };
	const server = createServer(({ url = '' }, response) => {
		const [pathname = ''] = url.split('?');
		response.writeHead(200, { 'content-type': 'application/pdf', connection: 'close' });
		response.end(contents[pathname as keyof typeof contents]);
	});
	await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
	const origin = `http://${loopback}:${(server.address() as AddressInfo).port}`;
	const { id, url } = await activeWorkflow({
		events: ['completedDocument'],
		downloadFiles: true,
		files: ['document'],
	});
	const report = async (files: object) => {
		const Document = { documentID: 'late', status: 'COMPLETED', ...files };
		expect(await post(url, { type: 'completedDocument', Document })).toBe(200);
	};
	await report({});
	await report({ documentURL: `${origin}/gone` });
	await report({ documentURL: `${origin}/file?at=1` });
	await report({ documentURL: `${origin}/file?at=2` });
	const Document = { documentID: 'text', status: 'COMPLETED', documentURL: `${origin}/text` };
	expect(await post(url, { type: 'completedDocument', Document })).toBe(200);
	const items = await eventsOf(n8n.api, await allExecutions(n8n.api, id, 3));
	expect(items).toHaveLength(3);
	const missing = expect.arrayContaining([
		expect.objectContaining({ file: 'document' }),
	]) as unknown;
	expect(items).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ documentId: 'late', isSupplement: false, missingFiles: missing }),
			expect.objectContaining({
				documentId: 'late',
				isSupplement: true,
				attachmentFields: 'document',
				missingFiles: [],
			}),
			expect.objectContaining({
				documentId: 'text',
				attachmentFields: '',
				missingFiles: missing,
			}),
		]),
	);
	server.close();
});

/** The columns that n8n adds to each table, and the one that is different after each event. */
const changing = ['id', 'createdAt', 'updatedAt', 'event'];

/** A workflow that creates a table and keeps a row in it for each document and person. */
function registerWorkflow(table: string) {
	const dataTable = { type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 };
	const texts = [
		'event',
		'rowId',
		'documentId',
		'email',
		'name',
		'title',
		'people',
		'ip',
		'documentHash',
	];
	const columns = [
		...texts.map((name) => ({ name, type: 'string' })),
		...['sentAt', 'signedAt', 'completedAt'].map((name) => ({ name, type: 'date' })),
		{ name: 'signed', type: 'boolean' },
	];
	const key = { keyName: 'rowId', condition: 'eq', keyValue: '={{ $json.rowId }}' };
	const workflow = triggerWorkflow(
		'Register',
		{
			events: ['sendDocument', 'signDocument', 'completedDocument'],
			options: { include: ['history'], oneItemPerPerson: true },
		},
		credential,
		{
			...dataTable,
			parameters: {
				resource: 'table',
				operation: 'create',
				tableName: table,
				columns: { column: columns },
				options: { createIfNotExists: true },
			},
		},
	);
	const write = nodeOf({
		...dataTable,
		name: 'Write the row',
		// n8n runs the branch that is higher up first.
		position: [0, 200],
		parameters: {
			resource: 'row',
			operation: 'upsert',
			dataTableId: { __rl: true, mode: 'name', value: table },
			matchType: 'allConditions',
			filters: { conditions: [key] },
			columns: { mappingMode: 'autoMapInputData', value: null },
		},
	});
	workflow.nodes.push(write);
	const links: Link[] = ['Next', write.name].map((name) => [triggerName, name]);
	return { ...workflow, connections: connect(links) };
}

test('a table whose rows are the items of One Item per Person is complete although the events arrive in reverse order, with repeats', async () => {
	const { sandbox } = stage;
	const service = clientOf(sandbox);
	// Record the events before the trigger gets any of them.
	const types = ['sendDocument', 'signDocument', 'completedDocument'] as const;
	for (const type of types) await service.registerWebhook(type, `${sandbox.url}/nobody`);
	sandbox.settings.set({ deliveryBackoffMs: [] });
	const id = await service.createDocument(agreement);
	await sandbox.idle();
	for (const { email } of agreement.signatories) await sandbox.sign(id, email);
	await sandbox.idle();
	// An event about an identity has no document.
	const isOwn = (body: unknown) => (body as { Document?: Document }).Document?.documentID === id;
	const events = sandbox.deliveries().filter(({ body }) => isOwn(body));
	expect(events).toHaveLength(5);
	await deleteWebhooks(sandbox);

	const name = `Register ${id}`;
	const workflow = await n8n.api.createWorkflow(registerWorkflow(name));
	await n8n.api.publish(workflow.id);
	const urlOf = (type: unknown) =>
		sandbox.webhooks().find((webhook) => webhook.type === type)?.webHookUrl ?? '';
	let count = 0;
	const deliver = async (body: IDataObject) => {
		expect((await axios.post(urlOf(body.type), body)).status).toBe(200);
		const executions = await allExecutions(n8n.api, workflow.id, ++count);
		expect(executions.map(({ status }) => status)).toEqual(Array(count).fill('success'));
	};
	for (const { body } of [...events].reverse()) await deliver(body as IDataObject);
	const table = await dataTable<IDataObject>(stage, name);
	const rows = async () =>
		(await table.rows())
			.map((row) =>
				Object.fromEntries(Object.entries(row).filter(([key]) => !changing.includes(key))),
			)
			.sort((left, right) => String(left.email).localeCompare(String(right.email)));
	const iso = expect.stringMatching(/^\d{4}-.*Z$/) as string;
	const complete = await rows();
	expect(complete).toEqual(
		[...agreement.signatories].reverse().map((person) => ({
			...person,
			rowId: expect.stringMatching(`^${id}/\\w+$`) as string,
			documentId: id,
			title: 'Mutual non-disclosure agreement',
			people: agreement.signatories.map(({ name }) => name).join(', '),
			sentAt: iso,
			signed: true,
			signedAt: iso,
			completedAt: iso,
			ip: '127.0.0.1',
			documentHash: expect.stringMatching(/^\w{64}$/) as string,
		})),
	);

	// These late events know less, and their lists are older than the signatures. The spelling of the address keeps the
	// trigger from taking them for repeats.
	for (const { type, body } of events.slice(0, 4)) {
		const { addedOn, Document } = body as { addedOn: number; Document: Document };
		const signatory = Document.signatory.map(({ signatoryID, emailID, name }) => ({
			signatoryID,
			emailID,
			name,
			isSigned: 0,
		}));
		const emailID = Document.webhookData?.signatory?.emailID?.toUpperCase() ?? '';
		const webhookData = { signatory: { emailID } };
		await deliver({ type, addedOn, Document: { documentID: id, signatory, webhookData } });
	}
	// The sandbox's log shows when the document was created until it has been sent to the person.
	expect(await rows()).toEqual(complete.map((row) => ({ ...row, sentAt: iso })));
});

test('events still arrive after an execution has overwritten newer static data, and unpublishing removes all webhooks', async () => {
	const workflow = triggerWorkflow('Static data', { events: ['signDocument'] }, credential, {
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: 12 },
	});
	const jsCode = "$getWorkflowStaticData('global').count = Date.now();\nreturn $input.all();";
	const code = { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
	workflow.nodes.push(nodeOf({ name: 'Code', ...code }));
	Object.assign(workflow.connections, connect([['Next', 'Code']]));
	const { id } = await n8n.api.createWorkflow(workflow);
	await n8n.api.publish(id);
	await stage.sandbox.fire('signDocument', await createDocument(stage.sandbox));
	await until(
		'the execution starts',
		async () => (await n8n.api.executions({ workflowId: id })).length,
	);
	// Publish the trigger again while the execution is waiting. The static data in that execution is then out
	// of date.
	await republish(n8n.api, id, { events: ['sendDocument'] });
	await republish(n8n.api, id, { events: ['sendDocument', 'signDocument'] });
	await allExecutions(n8n.api, id, 1);

	await stage.sandbox.fire('signDocument', await createDocument(stage.sandbox));
	await stage.sandbox.idle();
	expect(
		stage.sandbox
			.deliveries()
			.at(-1)
			?.attempts.map(({ status }) => status),
	).toEqual([200]);
	await allExecutions(n8n.api, id, 2);
});

test.each<[string, IDataObject, string]>([
	[
		'expression returns nothing',
		{ templates: '={{ [] }}' },
		`Template Names or IDs: ${valueProblems.noValue.problem}`,
	],
	[
		'expression fails',
		{ templates: '={{ $json.template }}' },
		'Template Names or IDs: the expression fails (',
	],
	[
		"name isn't known",
		{ titleContains: 'Lease' },
		`Filters: ${filterProblems.unknownFilter('titleContains').problem}`,
	],
])('a trigger whose filter %s cannot be published', async (_what, filters, problem) => {
	const id = await addWorkflow({ events: ['signDocument'], filters });
	const published = await n8n.api.publish(id).catch((error: Error) => error.message);
	expect(published).toContain(problem);
	expect(stage.sandbox.webhooks()).toEqual([]);
});

test("a trigger whose filter lacks one of a template's IDs cannot be published, and starts for either ID once it contains both", async () => {
	const { sandbox } = stage;
	const [template] = sandbox.templates().filter(({ version }) => version === 'v2');
	const templateID = template?.templateID ?? '';
	const all = `${templateID},${derivedId(templateID)}`;
	const events = ['signDocument'];
	const id = await addWorkflow({ events, filters: { templates: [templateID] } });
	const published = await n8n.api.publish(id).catch((error: Error) => error.message);
	expect(published).toContain(`enter ${all} instead`);
	expect(sandbox.webhooks()).toEqual([]);
	await republish(n8n.api, id, { events, filters: { templates: [all] } });
	const url = sandbox.webhooks()[0]?.webHookUrl ?? '';
	const ids = [...all.split(','), 'another'];
	for (const [at, used] of ids.entries()) {
		const Document = { documentID: `filtered-${at}`, templateID: used };
		await axios.post(url, { type: 'signDocument', Document });
	}
	const started = await allExecutions(n8n.api, id, 2);
	expect(started).toHaveLength(2);
});

test('a refused identity webhook is named in the error without its secret, because it may still exist', async () => {
	const { faults } = stage.sandbox;
	const response = { status: 400, body: { success: false, message: 'Webhook refused' } };
	faults.set({ endpoint: 'POST /webhooks/verify', response });
	const id = await addWorkflow({ events: [identityFinished, 'signDocument'] });
	const published = await n8n.api.publish(id).catch((error: Error) => error.message);
	expect(published).toContain('Webhook refused');
	expect(published).toContain("may still contain this workflow's webhook for this event");
	expect(published).toMatch(/ http:\/\/[^?\s]+\/webhook\/[^?\s]+\. /);
	expect(published).not.toMatch(/[?&]secret=/);
	expect(stage.sandbox.webhooks()).toEqual([]);
});

test('a trigger with more events than Requests per Second allows cannot be published', async () => {
	const { id: limited } = await n8n.api.createCredential({
		name: 'Limited',
		type: 'signVerifyApi',
		data: { ...stage.sandbox.account, baseUrl: stage.sandbox.baseUrl, requestsPerSecond: 0.42 },
	});
	const workflow = triggerWorkflow('Trigger', { events: eventTypes }, limited);
	const { id } = await n8n.api.createWorkflow(workflow);
	const published = await n8n.api.publish(id).catch((error: Error) => error.message);
	expect(published).toContain(
		'With 0.42 Requests per Second, n8n would give up before the trigger',
	);
	expect(published).toMatch(/set Requests per Second to [\d.]+ or more.* select fewer events/);
	expect(stage.sandbox.webhooks()).toEqual([]);
	await republish(n8n.api, id, { events: ['signDocument'] });
	expect(stage.sandbox.webhooks()).toHaveLength(1);
});

test("an event is rejected instead of being lost while a filter's expression returns nothing", async () => {
	const { sandbox } = stage;
	const end = Date.now() + 10_000;
	const filters = { templates: `={{ Date.now() < ${end} ? 'a' : undefined }}` };
	const { id } = await activeWorkflow({ events: ['signDocument'], filters });
	await sleep(Math.max(0, end - Date.now()));
	// Disable further attempts, because later tests would have to wait for them.
	sandbox.settings.set({ deliveryBackoffMs: [] });
	const [delivery] = await sandbox.fire('signDocument', await createDocument(sandbox));
	const attempts = () => sandbox.deliveries().find(({ id }) => id === delivery?.id)?.attempts ?? [];
	await until('the first attempt is made', () => attempts().length);
	expect(attempts().map(({ status }) => status)).toEqual([500]);
	expect(await n8n.api.executions({ workflowId: id })).toEqual([]);
});

test('publishing a changed trigger keeps the webhook for an event that is still selected', async () => {
	const { sandbox } = stage;
	const { id } = await activeWorkflow({ events: ['signDocument'] });
	const [kept] = sandbox.webhooks();
	const documents: string[] = [];
	for (let count = 0; count < 20; count++) documents.push(await createDocument(sandbox));
	const seen = sandbox.deliveries().length;
	for (const endpoint of ['GET /webhooks', 'POST /webhooks', 'DELETE /webhooks']) {
		sandbox.faults.set({ endpoint, delayMs: 300 });
	}
	let isOver = false;
	let fired = 0;
	let unheard = 0;
	const firing = (async () => {
		for (; !isOver; fired++) {
			const document = documents[fired % documents.length] ?? '';
			if ((await sandbox.fire('signDocument', document)).length === 0) unheard++;
			// Slow enough for n8n to keep up even on a busy machine.
			await sleep(500);
		}
	})();
	await sleep(300);
	await republish(n8n.api, id, { events: ['signDocument', 'sendDocument'] });
	await republish(n8n.api, id, { events: ['signDocument'], filters: { templates: ['a'] } });
	isOver = true;
	await firing;
	sandbox.faults.clear();
	const attempts = sandbox
		.deliveries()
		.slice(seen)
		.map((delivery) => delivery.attempts[0]?.status);
	const refused = attempts.filter((status) => status !== 200);
	process.stdout.write(
		`publishing again: ${fired} events, ${unheard} without a webhook, ${refused.length} refused at first: ${refused.join(' ')}\n`,
	);
	expect(unheard).toBe(0);
	// While the workflow is being republished, n8n itself briefly returns 404, so the service sends these
	// events again. A 401 would mean that the secret is wrong.
	expect(refused.filter((status) => status !== 404)).toEqual([]);
	expect(sandbox.webhooks()).toContainEqual(kept);
	await until('the other webhook is removed', () => registered(sandbox).length === 1);
});

test('an n8n instance that is killed keeps every event it has accepted and gets every other event once after the restart', async () => {
	const wait: NextNode = {
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: 4 },
	};
	const workflow = triggerWorkflow('Killed', { events: ['signDocument'] }, credential, wait);
	const { id } = await n8n.api.createWorkflow(workflow);
	await n8n.api.publish(id);
	const before = stage.sandbox.webhooks();
	const documents: string[] = [];
	// Each event is about a different document, because a second event about the same signature counts as a
	// repeat.
	const fire = async () => {
		const document = await createDocument(stage.sandbox);
		documents.push(document);
		const [delivery] = await stage.sandbox.fire('signDocument', document);
		await stage.sandbox.idle();
		expect(stage.sandbox.deliveries().at(-1)).toMatchObject({
			id: delivery?.id,
			state: 'delivered',
		});
	};
	await fire();
	await fire();
	// Wait until both executions are past their first node. Otherwise, they would keep the status "running"
	// after n8n was killed (docs/trigger.md).
	const begun = `"eventName":"n8n.node.started","message":"n8n.node.started","payload":{"workflowId":"${id}"`;
	const log = path.join(n8n.userFolder, '.n8n/n8nEventLog.log');
	await until(
		'both executions run their second node',
		() => readFileSync(log, 'utf8').split(begun)[4],
	);
	await n8n.kill();

	// While n8n migrates its database, it responds to every request with 200, and events are lost
	// (docs/go-live.md, test/queue/restart.test.ts). To prevent that, the service must not retry until n8n
	// has started.
	stage.sandbox.settings.set({ deliveryBackoffMs: [3_600_000] });
	const [missed] = await stage.sandbox.fire('signDocument', documentID);
	const state = () => stage.sandbox.deliveries().find(({ id: own }) => own === missed?.id);
	await until('the first attempt is made', () => state()?.attempts.length);
	await startAgain(stage);
	n8n = stage.n8n;
	expect(stage.sandbox.webhooks()).toEqual(before);
	await axios.post(`${stage.sandbox.url}/sandbox/deliveries/${missed?.id}/resend`);
	await until('the event is delivered after the restart', () => state()?.state === 'delivered');
	const executions = await allExecutions(n8n.api, id, 3);
	expect(executions.map(({ status }) => status).sort()).toEqual(['crashed', 'crashed', 'success']);

	const client = await loggedIn(n8n.url, stage.owner);
	const crashed = executions.filter(({ status }) => status === 'crashed');
	for (const execution of crashed) await retryExecution(client, execution.id, false);
	const after = await allExecutions(n8n.api, id, 5);
	const retried = after.filter(({ mode }) => mode === 'retry');
	const succeeded = { status: 'success' };
	expect(retried).toMatchObject([succeeded, succeeded]);
	const events = await eventsOf(n8n.api, retried);
	expect(events.map(({ documentId }) => documentId).sort()).toEqual(documents.sort());
});
