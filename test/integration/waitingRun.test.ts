import '../support/shortPauses';

import type { NodeExecutionHint } from 'n8n-workflow';

import { axios } from '../support/http';
import { runAction } from '../support/contexts';
import { bodiesAbout } from '../support/documentStates';
import { ProcessedStore } from '../n8n/processedStore';
import { proving, signing, useWaitingTest, waitingFor } from '../support/waiting';
import { until } from '../support/until';

const { service, host, begin, lastDocuments, lastIdentity, sign, registrations, call } =
	useWaitingTest();

describe('document / sendAndWait', () => {
	test('registers first, waits for 30 days, and goes on with the signed document', async () => {
		const hints: NodeExecutionHint[] = [];
		const execution = await begin({ ...signing(), hints });
		const paths = service.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
		expect(paths.indexOf('POST /webhooks')).toBeGreaterThan(0);
		expect(paths.indexOf('POST /webhooks')).toBeLessThan(
			paths.indexOf('POST /templates/createDocumentByTemplateV2'),
		);
		expect(execution.status).toBe('waiting');
		const days = ((execution.until?.getTime() ?? 0) - Date.now()) / 86_400_000;
		expect(days).toBeCloseTo(30, 2);
		// All that n8n shows of the node while it waits.
		expect(hints.map(({ message, type }) => [type, message])).toEqual([
			[
				'info',
				'Waiting for "Employment contract – Ada Lovelace", to be signed by Ada Lovelace (ada@example.com)',
			],
		]);
		const [document] = lastDocuments(1);
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([
			{
				json: {
					...{ documentId: document, status: 'COMPLETED', country: 'Mexico', timedOut: false },
					signatories: [
						{
							email: 'ada@example.com',
							role: 'Employee',
							signed: true,
							signedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
						},
					],
				},
				pairedItem: { item: 0 },
			},
		]);
		await registrations(0);
	});

	test('brings the files along', async () => {
		const execution = await begin(signing({ downloadFiles: true }));
		await sign();
		const names = ['document', 'certificate', 'pscCertificate'];
		expect(Object.keys(execution.output[0]?.binary ?? {})).toEqual(names);
		expect(execution.output[0]?.json).toMatchObject({
			fileNames: names.join(','),
			signatoryEmails: 'ada@example.com',
			notSignedEmails: '',
			linksExpire: null,
			completed: true,
		});
	});

	test('adds nothing to the notification with raw output', async () => {
		const execution = await begin(signing({ options: { output: 'raw' } }));
		await sign();
		expect(execution.output[0]?.json).toMatchObject({ type: 'completedDocument' });
		expect(execution.output[0]?.json).not.toHaveProperty('completed');
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
		await sign(own);
		expect(execution.status).toBe('success');
	});

	test('ends by what certainly says an end, and says which', async () => {
		const own = 'of-an-earlier-node';
		const begun = async () => await begin(waitingFor(own));
		let execution = await begun();
		for (const { body, wait } of bodiesAbout(own)) {
			const [status] = await call(body);
			const isOver = execution.status === 'success';
			const completed = isOver ? execution.output[0]?.json.completed : undefined;
			expect({ body, status, completed }).toEqual({ body, completed: undefined, ...wait });
			if (isOver) execution = await begun();
		}
	});

	test('has an event sent again that comes before n8n has written what is waited for', async () => {
		const execution = await begin(signing());
		execution.entity.trouble = 'notWritten';
		const body = { type: 'completedDocument', Document: { documentID: lastDocuments(1)[0] } };
		expect(await call(body)).toEqual([503, 'This execution is about to wait. Send it again.']);
		execution.entity.trouble = undefined;
		await sign();
		expect(execution.status).toBe('success');
	});
});

describe('identity / sendAndWait', () => {
	test('goes on with the result', async () => {
		const hints: NodeExecutionHint[] = [];
		const execution = await begin({ ...proving(), hints });
		expect(hints.map(({ message }) => message)).toEqual([
			'Waiting for the verification of ada@example.com',
		]);
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

	test('names the person who was asked before, while it waits and at the limit', async () => {
		const hints: NodeExecutionHint[] = [];
		const [asked] = await runAction(service.credential(), {
			parameters: { resource: 'identity', operation: 'request', email: 'ben@example.com' },
		});
		const validationId = String(asked?.json.validationId);
		const setup = proving({ verification: 'existing', validationId });
		const execution = await begin({ ...setup, hints });
		expect(hints.map(({ message }) => message)).toEqual([
			'Waiting for the verification of ben@example.com',
		]);
		expect((await execution.timeOut())[0]?.json).toMatchObject({
			...{ validationId, email: 'ben@example.com', timedOut: true },
		});
	});

	test('removes its registration also if the sender of the event left before the answer', async () => {
		const execution = await begin(proving());
		const event = { type: 'VERIFICATION_REQUEST_FINISHED', validationId: lastIdentity() };
		const [{ webHookUrl = '' } = {}] = service.sandbox.webhooks();
		const body = { success: true, responseCode: 200, responseData: { status: 'EXPIRED' } };
		service.sandbox.faults.set({
			endpoint: 'GET /identity/validation/request/:validationId',
			delayMs: 1000,
			answer: { status: 200, body },
		});
		await expect(axios.post(webHookUrl, event, { timeout: 300 })).rejects.toThrow('timeout');
		await until('it continues', () => execution.status === 'success');
		await registrations(0);
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

	test('refuses one that the service does not know, and leaves no webhook', async () => {
		const unknown = { verification: 'existing', validationId: '65f1c0de00000000000000ff' };
		await expect(begin(proving(unknown))).rejects.toThrow(
			'the service has no identity request with the ID "65f1c0de00000000000000ff"',
		);
		await registrations(0);
	});

	test.each([
		[
			'an identity request',
			() => proving({ verification: 'existing', validationId: lastIdentity() }),
		],
		['a document', () => waitingFor(lastDocuments(1)[0] ?? '')],
	])('waits for %s sent before, whatever a workflow still holds of options', async (_, setup) => {
		await begin(proving());
		await begin(signing());
		const { parameters } = setup();
		const store = new ProcessedStore();
		const options = { sendOnceKey: 'k', checkOnly: 'on' };
		const again = { parameters: { ...parameters, options }, store };
		expect((await begin(again)).status).toBe('waiting');
		expect((await begin(again)).status).toBe('waiting');
		expect(store.size).toBe(0);
	});
});

const type = 'VERIFICATION_REQUEST_FINISHED';
const results = 'GET /identity/session/results/:sessionId';
const request = 'GET /identity/validation/request/:validationId';
const unknown = { status: 404, body: { success: false, message: 'not found' } };

/** How each delivery of the last event was answered. */
const answers = () =>
	service.sandbox
		.deliveries()
		.at(-1)
		?.attempts.map(({ status }) => status);

// For its first event, the service is asked four times.
test('an event that comes before the service has the results is refused, and comes again', async () => {
	const fault = { endpoint: results, times: 6, answer: unknown };
	const execution = await begin(proving());
	service.sandbox.faults.set(fault);
	await service.sandbox.completeIdentity(lastIdentity(), 'pass');
	await service.sandbox.idle();
	expect(answers()).toEqual([503, 200]);
	const [{ json = {} } = {}] = execution.output;
	expect(json).toMatchObject({ status: 'COMPLETED', passed: true });
	expect(json).not.toHaveProperty('resultsMissing');
	await registrations(0);
});

test('if the service knows nothing of the request, the third event ends the wait and says so', async () => {
	const execution = await begin(proving());
	const validationId = lastIdentity();
	for (const endpoint of [request, results]) {
		service.sandbox.faults.set({ endpoint, answer: unknown });
	}
	const event = { type, validationId };
	const refused = [503, 'The service does not say so yet. Send it again.'];
	expect([await call(event), await call(event)]).toEqual([refused, refused]);
	expect(execution.status).toBe('waiting');
	expect(await call(event)).toEqual([200, 'Workflow was started']);
	const [{ json } = {}] = execution.output;
	expect(json).toMatchObject({ validationId, status: '', passed: null, resultsMissing: true });
	expect(json?.timedOut).toBe(false);
});

test('if n8n can no longer read the credential, events are refused, and the log says why once', async () => {
	const execution = await begin(proving());
	const { logged, database } = host.n8n;
	logged.length = 0;
	database.credentials = {};
	const event = { type, validationId: lastIdentity() };
	for (let count = 0; count < 3; count++) expect((await call(event))[0]).toBe(503);
	expect(execution.status).toBe('waiting');
	expect(logged).toEqual([
		expect.stringMatching(
			/^SignVerify could not process the event that it waits for: .*Credential with ID "\d+"/,
		),
	]);
});
