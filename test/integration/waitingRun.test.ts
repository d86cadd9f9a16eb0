import { axios } from '../e2e/support/http';
import { ProcessedStore } from '../support/processedStore';
import { failureOf } from '../support/service';
import { proving, signing, useWaitingTest, waitingFor } from '../support/waiting';
import { until } from '../support/until';
import type { WaitingExecution } from '../support/waitingExecution';

const { service, begin, lastDocuments, lastIdentity, sign, registrations, call } = useWaitingTest();
const ids = ({ output }: WaitingExecution) => output.map(({ json }) => json.documentId);

describe('document / sendAndWait', () => {
	test('registers first, waits for ever, and goes on with the signed document', async () => {
		const execution = await begin(signing());
		const paths = service.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
		expect(paths.indexOf('POST /webhooks')).toBeGreaterThan(0);
		expect(paths.indexOf('POST /webhooks')).toBeLessThan(
			paths.indexOf('POST /templates/createDocumentByTemplateV2'),
		);
		expect(execution.status).toBe('waiting');
		expect(execution.until?.getFullYear()).toBeGreaterThan(2500);
		const [document] = lastDocuments(1);
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([
			{
				json: { documentId: document, status: 'COMPLETED', timedOut: false },
				pairedItem: { item: 0 },
			},
		]);
		await registrations(0);
	});

	test('brings the files along', async () => {
		const execution = await begin(signing({ downloadFiles: true }));
		await sign();
		expect(Object.keys(execution.output[0]?.binary ?? {}).sort()).toEqual([
			'certificate',
			'document',
			'pscCertificate',
		]);
	});

	test('gives the whole notification where Simplify is off', async () => {
		const execution = await begin(signing({ simplify: false }));
		await sign();
		expect(execution.output[0]?.json).toMatchObject({
			type: 'completedDocument',
			Document: { status: 'COMPLETED' },
		});
	});

	test('of several items waits for all of them, in whatever order they are signed', async () => {
		const execution = await begin({ ...signing(), items: [{}, {}, {}] });
		const created = execution.output.map(({ json }) => String(json.documentId));
		expect(service.sandbox.webhooks()).toHaveLength(1);
		await sign(created[2]);
		expect([execution.status, execution.runs]).toEqual(['waiting', 2]);
		await sign(created[0]);
		expect([execution.status, execution.runs]).toEqual(['waiting', 3]);
		await sign(created[1]);
		expect([execution.status, execution.runs]).toEqual(['success', 3]);
		expect(ids(execution)).toEqual(created);
		await registrations(0);
	});

	test('waits on where another document is signed, and an event says nothing', async () => {
		const execution = await begin(signing());
		const [own] = lastDocuments(1);
		const other = await begin(signing());
		await sign();
		expect([execution.status, other.status]).toEqual(['waiting', 'success']);
		await registrations(1);
		expect(await call({ type: 'completedDocument', Document: { documentID: 'x' } })).toEqual([
			200,
			'This execution waits for something else.',
		]);
		expect(await call('no JSON')).toEqual([400, 'The body must be a JSON object.']);
		expect(await call({ type: 'signDocument', Document: {} })).toEqual([
			422,
			'This workflow has not subscribed to this event.',
		]);
		expect(await call({ signverify: 'still waiting?' })).toEqual([200, 'This execution waits.']);
		await sign(own);
		expect(execution.status).toBe('success');
	});

	test.each(['', 'application/octet-stream', 'application/json; charset=utf-8', 'text/plain'])(
		'continues with an event of the content type "%s"',
		async (contentType) => {
			const execution = await begin(signing());
			const Document = { documentID: lastDocuments(1)[0], status: 'COMPLETED' };
			const event = { type: 'completedDocument', Document };
			expect(await call(event, undefined, contentType)).toEqual([200, 'Workflow was started']);
			expect(execution.status).toBe('success');
			expect(ids(execution)).toEqual(lastDocuments(1));
		},
	);

	test('has an event sent again that comes before n8n has written what is waited for', async () => {
		const execution = await begin(signing());
		execution.isWritten = false;
		const body = { type: 'completedDocument', Document: { documentID: lastDocuments(1)[0] } };
		expect(await call(body)).toEqual([503, 'This execution is about to wait. Send it again.']);
		execution.isWritten = true;
		await sign();
		expect(execution.status).toBe('success');
	});

	test('whose time is over says so, and what it knows', async () => {
		const limitWaitTime = { values: { amount: 2, unit: 'hours' } };
		const execution = await begin({ ...signing({ options: { limitWaitTime } }), items: [{}, {}] });
		const hours = ((execution.until?.getTime() ?? 0) - Date.now()) / 3_600_000;
		expect(hours).toBeCloseTo(2, 1);
		const [first, second] = execution.output.map(({ json }) => String(json.documentId));
		await sign(first);
		execution.passLimit();
		expect(await execution.timeOut()).toMatchObject([
			{ json: { documentId: first, timedOut: false } },
			{ json: { documentId: second, completed: false, timedOut: true } },
		]);
		expect(execution.status).toBe('success');
		await registrations(0);
	});

	test('that fails leaves no registration', async () => {
		service.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			answer: { status: 422, body: { message: 'no' } },
		});
		expect((await failureOf(begin(signing()))).message).toMatch('HTTP 422: no');
		await registrations(0);
		const execution = await begin({ ...signing(), continueOnFail: true });
		expect(execution.status).toBe('success');
		expect(execution.output[0]?.json.error).toMatchObject({ httpStatus: 422 });
		await registrations(0);
	});

	test('with one item that failed waits for the others', async () => {
		service.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			times: 1,
			answer: { status: 422, body: {} },
		});
		const execution = await begin({
			...signing({ options: { parallelRequests: 1 } }),
			items: [{}, {}],
			continueOnFail: true,
		});
		expect(execution.status).toBe('waiting');
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output.map(({ json }) => Object.keys(json)[0])).toEqual(['error', 'event']);
	});

	test('that cannot register sends nothing', async () => {
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', answer: { status: 400 } });
		const before = service.sandbox.documents().length;
		const error = (await failureOf(begin(signing()))) as Error & { description?: string };
		expect(error.message).toMatch('The service refused the request (HTTP 400)');
		expect(error.description).toMatch(/ Nothing was sent\. More: .*errors\.md#waiting$/);
		expect(service.sandbox.documents()).toHaveLength(before);
	});

	test('removes the registration of an execution that waits no longer', async () => {
		const canceled = await begin(signing());
		canceled.status = 'canceled';
		await begin(signing());
		await registrations(1);
		expect(service.sandbox.webhooks()[0]?.webHookUrl).not.toContain(canceled.address);
	});
});

describe('identity / sendAndWait', () => {
	test('goes on with the result', async () => {
		const execution = await begin(proving());
		expect(execution.status).toBe('waiting');
		const validationId = lastIdentity();
		await service.sandbox.completeIdentity(validationId, 'pass');
		await service.sandbox.idle();
		expect(execution.status).toBe('success');
		expect(execution.output[0]?.json).toMatchObject({
			validationId,
			email: 'ada@example.com',
			timedOut: false,
		});
		await registrations(0);
	});

	test('removes its registration also if the sender of the event left before the answer', async () => {
		const execution = await begin(proving());
		const event = { type: 'VERIFICATION_REQUEST_FINISHED', validationId: lastIdentity() };
		const [{ webHookUrl = '' } = {}] = service.sandbox.webhooks();
		// The results are missing, so the node asks for them for some seconds.
		await expect(axios.post(webHookUrl, event, { timeout: 300 })).rejects.toThrow('timeout');
		await until('it continues', () => execution.status === 'success');
		await registrations(0);
	});

	test('of several people tells them apart', async () => {
		const execution = await begin({ ...proving(), items: [{}, {}] });
		const people = execution.output.map(({ json }) => String(json.validationId));
		for (const id of [...people].reverse()) {
			expect(execution.status).toBe('waiting');
			await service.sandbox.completeIdentity(id, 'pass');
			await service.sandbox.idle();
		}
		expect(execution.status).toBe('success');
		expect(execution.output.map(({ json }) => json.validationId)).toEqual(people);
	});

	test('is sent the event again while the service cannot say how it ended', async () => {
		const execution = await begin(proving());
		service.sandbox.faults.set({
			endpoint: 'GET /identity/validation/request/:validationId',
			times: 2,
			answer: { status: 500 },
		});
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await service.sandbox.idle();
		expect(execution.status).toBe('success');
		const statuses = service.sandbox
			.deliveries()
			.at(-1)
			?.attempts.map(({ status }) => status);
		expect(statuses).toEqual([503, 503, 200]);
	});

	test('tells all items that wait for the same verification, or none of them yet', async () => {
		await begin(proving());
		const validationId = lastIdentity();
		const existing = proving({ verification: 'existing', validationId });
		const execution = await begin({ ...existing, items: [{}, {}, {}] });
		service.sandbox.faults.set({
			endpoint: 'GET /identity/validation/request/:validationId',
			times: 2,
			answer: { status: 500 },
		});
		await service.sandbox.completeIdentity(validationId, 'pass');
		await service.sandbox.idle();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject(
			[0, 1, 2].map(() => ({ json: { validationId, timedOut: false } })),
		);
	});

	test('waits for one that was asked for before, and not at all where that is done', async () => {
		await begin(proving());
		const validationId = lastIdentity();
		const existing = proving({ verification: 'existing', validationId });
		const execution = await begin(existing);
		expect(execution.status).toBe('waiting');
		await service.sandbox.completeIdentity(validationId, 'pass');
		await service.sandbox.idle();
		expect(execution.output[0]?.json).toMatchObject({ validationId, timedOut: false });
		const done = await begin(existing);
		expect(done.status).toBe('success');
		expect(done.output[0]?.json).toMatchObject({ validationId, timedOut: false });
	});

	test.each([
		[
			'an identity request',
			() => proving({ verification: 'existing', validationId: lastIdentity() }),
		],
		['a document', () => waitingFor(lastDocuments(1)[0] ?? '')],
	])('waits for %s sent before, also with a key that is left in the form', async (_, setup) => {
		await begin(proving());
		await begin(signing());
		const { parameters } = setup();
		const store = new ProcessedStore();
		const again = { parameters: { ...parameters, options: { sendOnceKey: 'k' } }, store };
		expect((await begin(again)).status).toBe('waiting');
		expect((await begin(again)).status).toBe('waiting');
		expect(store.size).toBe(0);
	});
});
