import { signDocument } from '../operations/service';
import { axios, post } from '../support/http';
import { until } from '../support/until';
import { createDocument } from './support/trigger';
import { nextName, useWaiting, waiting } from './support/wait';

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
