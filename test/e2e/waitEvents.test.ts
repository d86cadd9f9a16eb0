import { readFile } from 'node:fs/promises';

import { outputOf } from '../../host/executions';
import { signDocument } from '../operations/service';
import { clientOf } from '../support/credentials';
import { axios, post } from './support/http';
import { until } from '../support/until';
import { createDocument, loggedIn } from './support/trigger';
import {
	identityAndWait,
	nextName,
	succeeded,
	useWaiting,
	waiting,
	waitingWorkflow,
} from './support/wait';

const own = useWaiting('wait-events');

test('foreign, forged, malformed, repeated and late events end nothing in error', async () => {
	const { execution, address, document } = await own.startWaiting();
	const foreign = await createDocument(own.stage.sandbox);
	const [other] = await own.stage.sandbox.fire('completedDocument', foreign);
	await own.stage.sandbox.idle();
	expect(
		own.stage.sandbox
			.deliveries()
			.at(-1)
			?.attempts.map(({ status }) => status),
	).toEqual([200]);
	const flood = Array.from({ length: 100 }, async () => await post(address, other?.body));
	expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));

	const forged = new URL(address);
	forged.searchParams.set('signature', '0'.repeat(64));
	expect(await post(forged.href, other?.body)).toBe(401);
	expect(await post(`${address}&more=1`, other?.body)).toBe(401);
	expect(await post(address.split('?')[0] ?? '', other?.body)).toBe(401);
	expect(await post(address, '')).toBe(400);
	expect(await post(address, [1])).toBe(400);
	expect(await post(address, { type: 'signDocument', Document: {} })).toBe(422);
	expect(await post(address, { type: 'completedDocument', Document: null })).toBe(200);
	const open = { documentID: document, status: 'PENDING' };
	const rejected = { ...open, status: 'CANCELED', isCanceled: true };
	expect(await post(address, { type: 'rejectedDocument', Document: rejected })).toBe(422);
	expect(await post(address, { type: 'TEST', Document: open })).toBe(422);
	expect(await post(address, { Document: open })).toBe(200);
	expect((await axios.get(address)).status).toBe(200);
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');

	const body = JSON.parse(JSON.stringify(other?.body).replaceAll(foreign, document)) as unknown;
	const five = await Promise.all([1, 2, 3, 4, 5].map(async () => await post(address, body)));
	// n8n refuses those that come while it continues the execution; they would be sent again.
	expect(five.filter((status) => status !== 409)).toContain(200);
	expect(five.filter((status) => status !== 200 && status !== 409)).toEqual([]);
	expect(await own.documentOf(execution)).toEqual([document]);
	expect(await post(address, body)).toBe(200);
	expect((await own.n8n.api.execution(execution)).runData[nextName]).toHaveLength(1);
	await own.noRegistrations();
});

test('a document that was canceled at the service continues the execution as not completed', async () => {
	const { execution, document } = await own.startWaiting();
	own.stage.sandbox.settings.set({ quirks: { canceled: true } });
	await own.stage.sandbox.fire('completedDocument', document);
	own.stage.sandbox.settings.set({});
	const done = await succeeded(own.n8n.api, execution);
	expect(outputOf(done, nextName)[0]?.json).toMatchObject({
		...{ documentId: document, completed: false, timedOut: false },
	});
	await own.noRegistrations();
});

test.each(['', 'application/octet-stream'])(
	'an event with the content type "%s" is read, and continues the execution',
	async (contentType) => {
		const { execution, address, document } = await own.startWaiting();
		const Document = { documentID: document, status: 'COMPLETED' };
		const event = Buffer.from(JSON.stringify({ type: 'completedDocument', Document }));
		const headers = { 'content-type': contentType === '' ? false : contentType };
		expect((await axios.post(address, event, { headers })).status).toBe(200);
		expect(await own.documentOf(execution)).toEqual([document]);
		await own.noRegistrations();
	},
);

// n8n 2.41 has stored a production run by then, but not one by hand.
test.each([
	['by hand', [409, 500]],
	['in production', [409]],
])(
	'an event before the execution waits is refused by n8n and sent again: %s',
	async (kind, refusals) => {
		own.stage.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			// On a busy machine it takes a while until the event is there.
			delayMs: 5000,
			times: 1,
		});
		const foreign = own.stage.sandbox.documents()[0]?.documentID ?? '';
		const { id, path } = await own.add();
		if (kind === 'by hand') await own.n8n.api.run(id, 'Start');
		else {
			await own.n8n.api.activate(id);
			expect(await post(`${own.n8n.url}/webhook/${path}`, {})).toBe(200);
		}
		await until('it is registered', () => own.stage.sandbox.webhooks().length === 1);
		const [delivery] = await own.stage.sandbox.fire('completedDocument', foreign);
		const execution = (await own.n8n.api.executions({ workflowId: id }))[0]?.id ?? '';
		await waiting(own.n8n.api, execution);
		await own.stage.sandbox.idle();
		const attempts = own.stage.sandbox
			.deliveries()
			.find((each) => each.id === delivery?.id)?.attempts;
		expect(refusals).toContain(attempts?.[0]?.status);
		expect(attempts?.at(-1)?.status).toBe(200);
		const document = own.lastDocument();
		await signDocument(own.stage.sandbox, document);
		expect(await own.documentOf(execution)).toEqual([document]);
		await own.noRegistrations();
	},
);

test('identity events that name another request, none, or come while the service is silent', async () => {
	const { id } = await own.add(identityAndWait({ email: 'ana@example.com' }));
	const execution = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, execution);
	const address = own.stage.sandbox.webhooks()[0]?.webHookUrl ?? '';
	const validationId = own.stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
	const type = 'VERIFICATION_REQUEST_FINISHED';
	const status = async () => (await own.n8n.api.execution(execution)).status;

	expect(await post(address, { type, validationId: 'another' })).toBe(200);
	expect(await post(address, { type })).toBe(200);
	own.stage.sandbox.faults.set({ endpoint: '*', answer: { status: 502 } });
	expect(await post(address, { type })).toBe(503);
	expect(await post(address, { type, validationId })).toBe(503);
	expect(await status()).toBe('waiting');
	own.stage.sandbox.faults.clear();
	// The service has no results, so it would be a verdict that nobody gave.
	expect(await post(address, { type, validationId })).toBe(503);
	expect(await status()).toBe('waiting');

	// The service's own notification does not come; one without an ID makes the node ask.
	const [registration] = own.stage.sandbox.webhooks();
	await clientOf(own.stage.sandbox).deleteWebhook(registration?.webHookID ?? '');
	await own.stage.sandbox.completeIdentity(validationId, 'pass');
	expect(await status()).toBe('waiting');
	expect(await post(address, { type })).toBe(200);
	const done = await succeeded(own.n8n.api, execution);
	expect(outputOf(done, nextName)[0]?.json).toMatchObject({ validationId, timedOut: false });
	await own.noRegistrations();
});

test('after its credential was deleted, a wait refuses events, and the log says why once', async () => {
	const { baseUrl, account } = own.stage.sandbox;
	const data = { baseUrl, ...account };
	const made = { name: 'To be deleted', type: 'signVerifyApi', data };
	const { id: credential } = await own.n8n.api.createCredential(made);
	const form = identityAndWait({ email: 'ana@example.com' });
	const { workflow } = waitingWorkflow('Without credential', form, credential);
	const { id } = await own.n8n.api.createWorkflow(workflow);
	const execution = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, execution);
	const address = own.stage.sandbox.webhooks()[0]?.webHookUrl ?? '';
	const validationId = own.stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	await client.call('DELETE', `/credentials/${credential}`);

	const event = { type: 'VERIFICATION_REQUEST_FINISHED', validationId };
	for (let count = 0; count < 3; count++) expect(await post(address, event)).toBe(503);
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');
	const log = await readFile(own.n8n.logFile, 'utf8');
	const lines = log.split('\n').filter((line) => line.includes(credential));
	expect(lines).toEqual([expect.stringContaining('the event that it waits for: ')]);
});

test('a webhook of an expired wait is removed by the next wait, and no other', async () => {
	const kept = await own.startWaiting();
	const expired = new URL(kept.address);
	expired.searchParams.set('secret', 'expired');
	expired.searchParams.set('until', String(Date.now() - 25 * 3_600_000));
	await clientOf(own.stage.sandbox).registerWebhook('completedDocument', expired.href);
	const second = await own.startWaiting();
	await until('it is removed', () => own.stage.sandbox.webhooks().length === 2);
	const urls = own.stage.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
	expect(urls.sort()).toEqual([kept.address, second.address].sort());
	for (const { execution, document } of [second, kept]) {
		await signDocument(own.stage.sandbox, document);
		expect(await own.documentOf(execution)).toEqual([document]);
	}
	await own.noRegistrations();
});
