import { waitProblems } from '../../nodes/SignVerify/wait/waitProblems';
import '../support/shortPauses';

import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { axios } from '../support/http';
import { clientOf } from '../support/credentials';
import { identityFinished } from '../support/events';
import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { bodiesOf, documentStates } from '../support/documentStates';
import { wordsWith } from '../support/problemWords';
import { ProcessedStore } from '../n8n/processedStore';
import { failureOf, v2 } from '../support/service';
import { verificationWait, signatureWait, useWaitingTest } from '../support/waiting';
import { eventsThatEndWait } from '../../nodes/SignVerify/api/events';
import { noteOfFailedWait } from '../../nodes/SignVerify/item/outcome';
import { isInEngine2 } from '../../nodes/SignVerify/n8nInternals';
import { settle } from '../../nodes/SignVerify/util/async';
import { clearAll } from '../../nodes/SignVerify/util/processMemory';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { cannotWaitProblems } from '../../nodes/SignVerify/wait/canWait';
import { sampled } from '../support/sample';
import { until } from '../support/until';
import { signDocument } from '../operations/service';
import { publicUrlProblems } from '../../nodes/SignVerify/registrations/publicUrl';

const {
	service,
	host,
	begin,
	beginVerification,
	requested,
	lastDocument,
	lastIdentity,
	sign,
	registrations,
	urlFor,
	call,
} = useWaitingTest();
const { parameters: provingForm } = verificationWait('65f1c0de0000000000000401');
const { parameters: signingForm } = signatureWait();
const sent = () => service.sandbox.documents().length + service.sandbox.identityRequests().length;
const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
/** Each wait for a document registers one webhook for each of the events that can end it. */
const webhooksPerWait = eventsThatEndWait('document').length;

const results = 'GET /identity/session/results/:sessionId';
const request = 'GET /identity/validation/request/:validationId';
const unknown = { status: 404, body: { success: false, message: 'not found' } };
const refused = [503, expect.any(String)];
/** The response to an event that the wait isn't for. When an event ends a wait, n8n responds instead of the node. */
const ignored = [200, expect.not.stringContaining('Workflow was started')];
const statusIs = (status: string) => ({
	status: 200,
	body: { success: true, responseCode: 200, responseData: { status } },
});

describe('Document: Send for Signature and Wait', () => {
	test('registers its webhook before sending the document, waits up to 30 days, and continues once the document is signed', async () => {
		const hints: NodeExecutionHint[] = [];
		const execution = await begin({ ...signatureWait(), hints });
		const paths = service.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
		expect(paths.indexOf('POST /webhooks')).toBeGreaterThan(0);
		expect(paths.indexOf('POST /webhooks')).toBeLessThan(
			paths.indexOf('POST /templates/createDocumentByTemplateV2'),
		);
		expect(execution.status).toBe('waiting');
		const days = ((execution.until?.getTime() ?? 0) - Date.now()) / 86_400_000;
		expect(days).toBeCloseTo(30, 2);
		// While the node waits, this hint is the only thing that n8n shows about the wait.
		expect(hints.map(({ message, type }) => [type, message])).toEqual([
			['info', expect.stringMatching(/"Employment contract".* Ada Lovelace \(ada@example\.com\)/)],
		]);
		const document = lastDocument();
		await sign();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([
			{
				json: {
					documentId: document,
					status: 'COMPLETED',
					country: 'Mexico',
					outcome: 'completed',
					signatories: [
						{
							email: 'ada@example.com',
							role: 'employee',
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

	test('returns the notification unchanged as raw output', async () => {
		const execution = await begin(signatureWait({ options: { output: 'raw' } }));
		await sign();
		const { outcome, ...notification } = execution.output[0]?.json ?? {};
		expect(outcome).toBe('completed');
		expect(Object.keys(notification)).toEqual(['type', 'Document', 'addedOn']);
	});

	describe('ends only when a notification clearly reports an outcome, and outputs that outcome:', () => {
		/** How many of the events that report each state are sent, unless everything is tested. */
		const bodiesInSample = 6;

		test.each(documentStates.map((state) => [...state.row, state] as const))(
			'type %s, document: %s, so it %s',
			async (_type, _document, _wait, _trigger, state) => {
				let execution = await begin(signatureWait());
				let bodies = bodiesOf(state, lastDocument());
				for (const index of sampled([...bodies.keys()], bodiesInSample)) {
					const { body, wait } = bodies[index] ?? {};
					const [status] = await call(body, urlFor({ type: 'completedDocument' }));
					const isOver = execution.status === 'success';
					const outcome = isOver ? execution.output[0]?.json.outcome : undefined;
					expect({ body, status, outcome }).toEqual({ body, outcome: undefined, ...wait });
					if (!isOver) continue;
					execution = await begin(signatureWait());
					bodies = bodiesOf(state, lastDocument());
				}
			},
		);
	});

	test("keeps waiting if its document has an unknown status, and n8n's log names the status", async () => {
		const execution = await begin(signatureWait());
		const { logged } = host.n8n;
		const before = logged.length;
		const Document = { documentID: lastDocument(), status: 'ARCHIVED' };
		const url = urlFor({ type: 'completedDocument' });
		const event = { type: 'completedDocument', Document };
		expect((await call(event, url))[0]).toBe(422);
		expect(execution.status).toBe('waiting');
		expect(logged.slice(before)).toEqual([
			expect.stringMatching(
				/^SignVerify rejected completedDocument for a waiting execution: .*"ARCHIVED"/,
			),
		]);
		const other = { ...event, Document: { ...Document, documentID: 'another' } };
		expect(await call(other, url)).toEqual(ignored);
		expect(execution.status).toBe('waiting');
	});

	test.each<[string, IDataObject, string | undefined]>([
		['has signed', { isSigned: 1 }, undefined],
		['has not signed according to the list', { isSigned: 0 }, 'Ada Lovelace'],
		['has an invalid signature', { isSigned: 1, isInvalidSignature: true }, 'Ada Lovelace'],
		['has no name and has not signed', { isSigned: 0, name: '' }, 'ada@example.com'],
	])(
		'is completed with a note about a completed document in which a person %s',
		async (_what, facts, named) => {
			const execution = await begin(signatureWait());
			const ada = { emailID: 'ada@example.com', name: 'Ada Lovelace', ...facts };
			const ben = { emailID: 'ben@example.com', name: 'Ben', isSigned: 1 };
			const Document = { documentID: lastDocument(), status: 'COMPLETED', signatory: [ada, ben] };
			await call({ type: 'completedDocument', Document }, urlFor({ type: 'completedDocument' }));
			const { outcome, note, signatories } = execution.output[0]?.json ?? {};
			expect(outcome).toBe('completed');
			expect(note).toEqual(named && expect.stringContaining(`"${named}"`));
			expect(signatories).toMatchObject([
				{ signed: facts.isSigned === 1, invalid: facts.isInvalidSignature ?? null },
				{ signed: true },
			]);
		},
	);

	test('outputs no role for a person whom it has not sent the document', async () => {
		const execution = await begin(signatureWait());
		const stranger = { emailID: 'stranger@example.com', name: 'Someone else', isSigned: 1 };
		const ada = { emailID: 'ada@example.com', name: 'Ada Lovelace', isSigned: 1 };
		const signatory = [stranger, ada].map((person, index) => ({
			signatoryID: `s${index}`,
			...person,
		}));
		const Document = { documentID: lastDocument(), status: 'COMPLETED', signatory };
		await call({ type: 'completedDocument', Document }, urlFor({ type: 'completedDocument' }));
		expect(execution.output[0]?.json.signatories).toMatchObject([
			{ email: 'stranger@example.com', role: null },
			{ email: 'ada@example.com', role: 'employee' },
		]);
	});

	test.each([{}, { type: 'ping' }, { type: 'completedDocument', addedOn: 1 }])(
		'continues to wait after a call with the body %j, which is not an event',
		async (body) => {
			clearAll();
			const execution = await begin(signatureWait());
			const url = urlFor({ type: 'completedDocument' });
			const { logged } = host.n8n;
			const before = logged.length;
			for (let count = 0; count < 2; count++) {
				expect(await call(body, url)).toEqual(ignored);
			}
			expect(execution.status).toBe('waiting');
			// Without this line, nobody could find out why an execution whose document is signed keeps waiting.
			expect(logged.slice(before)).toEqual([
				expect.stringMatching(
					/^SignVerify ignored a call for completedDocument for a waiting execution: /,
				),
			]);
			const names = Object.keys(body).join('", "');
			expect(logged.at(-1)?.includes(`fields are "${names}".`)).toBe(names !== '');
			await sign();
			expect(execution.status).toBe('success');
		},
	);

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'stops the execution without sending anything if the node is used for human review of a tool call (On Error: %s)',
		async (onError) => {
			const type = 'n8n-nodes-signverify.signVerifyHitlTool';
			const sentBefore = sent();
			const settings = { type, onError };
			await expect(begin({ ...signatureWait(), settings })).rejects.toMatchObject({
				message: `Human review: ${cannotWaitProblems.humanReview.problem}`,
				description: expect.stringMatching(/#human-review/) as string,
			});
			expect(sent()).toBe(sentBefore);
			expect(registered()).toEqual([]);
		},
	);

	test('asks the service to resend an event that arrives before n8n has stored the wait', async () => {
		const execution = await begin(signatureWait());
		execution.entity.trouble = 'notWritten';
		const body = { type: 'completedDocument', Document: { documentID: lastDocument() } };
		expect((await call(body))[0]).toBe(503);
		execution.entity.trouble = undefined;
		await sign();
		expect(execution.status).toBe('success');
	});
});

describe('Identity: Wait Until Verified', () => {
	test("shows an existing request's email address in the hint while waiting and in the output after the time limit", async () => {
		const hints: NodeExecutionHint[] = [];
		const execution = await beginVerification({}, { hints });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('ada@example.com'),
		]);
		expect((await execution.timeOut())[0]?.json).toMatchObject({
			validationId: lastIdentity(),
			email: 'ada@example.com',
			outcome: 'timedOut',
		});
	});

	test("removes its webhook even if the event's sender disconnects before the response arrives", async () => {
		const execution = await beginVerification();
		const event = { type: identityFinished, validationId: lastIdentity() };
		const response = statusIs('EXPIRED');
		service.sandbox.faults.set({ endpoint: request, delayMs: 1000, response });
		await expect(axios.post(urlFor(event), event, { timeout: 300 })).rejects.toThrow('timeout');
		await until('the execution continues', () => execution.status === 'success');
		await registrations(0);
	});

	test('waits for an existing request, or continues immediately if the request has already finished', async () => {
		const validationId = await requested();
		const existing = verificationWait(validationId);
		const execution = await begin(existing);
		expect(execution.status).toBe('waiting');
		await service.sandbox.completeIdentity(validationId, 'pass');
		await service.sandbox.idle();
		expect(execution.output[0]?.json).toMatchObject({ validationId, outcome: 'completed' });
		const done = await begin(existing);
		expect(done.status).toBe('success');
		expect(done.output[0]?.json).toMatchObject({ validationId, outcome: 'completed' });
	});

	test('reads an existing request only once before it waits', async () => {
		const validationId = await requested();
		const before = service.sandbox.requests.length;
		const execution = await begin(verificationWait(validationId));
		expect(execution.status).toBe('waiting');
		const reads = service.sandbox.requests
			.slice(before)
			.filter(({ path }) => path === `/identity/validation/request/${validationId}`);
		expect(reads.map(({ method }) => method)).toEqual(['GET']);
	});

	test('waits even if the workflow still contains the options of an operation that sends', async () => {
		const { parameters } = verificationWait(await requested());
		const store = new ProcessedStore();
		const options = { sendOnceKey: "={{ 'k' }}", neverSend: true };
		const again = { parameters: { ...parameters, options }, store };
		expect((await begin(again)).status).toBe('waiting');
		expect((await begin(again)).status).toBe('waiting');
		expect(store.size).toBe(0);
	});
});

/** The status of the response to each attempt to deliver the last event. */
const statuses = () =>
	service.sandbox
		.deliveries()
		.at(-1)
		?.attempts.map(({ status }) => status);

// Each time the event arrives, the node asks the service for the results four times (wait/identityVerdict.ts). Six
// faults therefore affect all four calls the first time and two calls the second time.
test('an event that arrives before the results are available is rejected, and the service sends it again', async () => {
	const fault = { endpoint: results, times: 6, response: unknown };
	const execution = await beginVerification();
	service.sandbox.faults.set(fault);
	await service.sandbox.completeIdentity(lastIdentity(), 'pass');
	await service.sandbox.idle();
	expect(statuses()).toEqual([503, 200]);
	const [{ json = {} } = {}] = execution.output;
	expect(json).toMatchObject({ status: 'COMPLETED', passed: true });
	expect(json).not.toHaveProperty('resultsMissing');
	await registrations(0);
});

test("the third event ends the wait without results if the service doesn't recognize the request", async () => {
	const execution = await beginVerification();
	const validationId = lastIdentity();
	for (const endpoint of [request, results]) {
		service.sandbox.faults.set({ endpoint, response: unknown });
	}
	const event = { type: identityFinished, validationId };
	expect([await call(event), await call(event)]).toEqual([refused, refused]);
	expect(execution.status).toBe('waiting');
	expect(await call(event)).toEqual([200, 'Workflow was started']);
	const [{ json } = {}] = execution.output;
	expect(json).toMatchObject({ validationId, status: '', passed: null, resultsMissing: true });
	expect(json?.outcome).toBe('ended');
});

test("an event without an ID is rejected the first two times in case it arrived early, and never ends another person's wait", async () => {
	const execution = await beginVerification();
	const [own, other] = [1, 2].map((addedOn) => ({ type: identityFinished, addedOn }));
	expect([await call(other), await call(own), await call(other)]).toEqual(Array(3).fill(refused));
	expect(await call(other)).toEqual(ignored);
	expect(execution.status).toBe('waiting');
	service.sandbox.faults.set({ endpoint: request, response: statusIs('REJECTED') });
	expect(await call(own)).toEqual([200, 'Workflow was started']);
	expect(execution.output[0]?.json).toMatchObject({ status: 'REJECTED', passed: false });
});

test('events are rejected while n8n cannot read the credential, and the reason is logged once', async () => {
	const execution = await beginVerification();
	const { logged, database } = host.n8n;
	database.credentials = {};
	const event = { type: identityFinished, validationId: lastIdentity() };
	for (let count = 0; count < 3; count++) expect((await call(event))[0]).toBe(503);
	expect(execution.status).toBe('waiting');
	expect(logged).toEqual([
		expect.stringMatching(
			/^SignVerify couldn't process the event that it's waiting for: .*Credential with ID "\d+"/,
		),
	]);
});

/** Runs a waiting operation that must be rejected before it makes any call. @returns The error message. */
async function refusal(parameters: IDataObject, change: object = {}, rest: Partial<RunSetup> = {}) {
	service.sandbox.forgetRequests();
	const setup = { parameters: { ...provingForm, ...parameters }, ...rest };
	const context = executeContext(service.credential(), setup);
	const error = await failureOf(action.execute.call({ ...context, ...change }));
	// No call was made, so nothing was sent and no webhook was registered.
	expect(service.sandbox.requests).toEqual([]);
	return error.message;
}

const tooOld = `Operation: ${cannotWaitProblems.oldVersion('').problem}`;
// Engine 2.0 stores only the message, so the message also contains the remedy.
const noEngine2 = expect.stringMatching(
	new RegExp(`^Operation: ${cannotWaitProblems.engine2('').problem}`),
);
const tool = { name: 'SignVerify', type: 'n8n-nodes-signverify.signVerifyTool', parameters: {} };

test.each([
	[
		'an n8n version that does not provide URLs for waiting executions',
		{ getSignedResumeUrl: undefined },
		tooOld,
	],
	[
		'an n8n version that does not provide the addresses of its endpoints',
		{ additionalData: {} },
		tooOld,
	],
	[
		"an n8n version that does not provide the execution's data",
		{ runExecutionData: undefined },
		tooOld,
	],
	["an n8n version that does not provide the node's input", { getExecuteData: () => ({}) }, tooOld],
	[
		'an AI agent tool',
		{ getNode: () => tool },
		// An agent's model reads only the message, so the message also contains the remedy.
		expect.stringMatching(new RegExp(`^Operation: ${cannotWaitProblems.agent.problem}`)),
	],
	[
		"n8n's Engine 2.0, which would treat the waiting node as finished",
		{ getExecutionCancelSignal: () => undefined },
		noEngine2,
	],
	[
		"n8n's Engine 2.0, even if each step has a cancel signal",
		{ getExecutionId: () => '0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b' },
		noEngine2,
	],
])('a wait is rejected and nothing is sent in %s', async (_name, change, message) => {
	expect(await refusal({}, change)).toEqual(message);
});

test.each([
	'7',
	'',
	'__UNKNOWN__',
	'unsaved',
	'0199a1b2-c3d4-7e5f',
	'x0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b',
])('an execution with the ID %j is not mistaken for one in Engine 2.0', (id) => {
	const context = executeContext(service.credential(), signatureWait());
	expect(isInEngine2({ ...context, getExecutionId: () => id })).toBe(false);
});

describe('a wait for more than one item', () => {
	const items = [{}, {}, {}];
	const message = `Operation: ${cannotWaitProblems.severalItems(3, '').problem}`;

	test('stops the execution if On Error is set to Stop, even with Never Send', async () => {
		expect(await refusal({ options: { neverSend: true } }, {}, { items })).toBe(message);
	});

	test('causes an error that mentions sending only if the operation sends', async () => {
		const descriptionOf = async (setup: RunSetup) => {
			const context = executeContext(service.credential(), { ...setup, items });
			return (await failureOf(action.execute.call(context))).description;
		};
		expect(await descriptionOf(signatureWait())).toContain(' Nothing was sent. More: ');
		const ofWait = await descriptionOf(verificationWait(await requested()));
		expect(ofWait).toContain(` ${noteOfFailedWait('identity')} More: `);
		expect(ofWait).toContain(
			'100 people, continue in a second workflow that starts with a SignVerify Trigger.',
		);
		const later = { ...signatureWait(), earlierOutput: [[{ json: { documentId: 'd' } }]] };
		expect(await descriptionOf(later)).toContain(
			' Nothing was sent this time. Earlier iterations ',
		);
	});

	test('returns an error with advice for each item if On Error is set to Continue', async () => {
		service.sandbox.forgetRequests();
		const setup = { parameters: signingForm, items, continueOnFail: true };
		const output = await runAction(service.credential(), setup);
		const { remedy, docsAnchor } = cannotWaitProblems.severalItems(
			3,
			'use Send document for signature, and continue in a second workflow that starts with a SignVerify Trigger',
		);
		const description = wordsWith(`${remedy}…#${docsAnchor}`, true);
		expect(output).toMatchObject(
			[0, 1, 2].map((item) => ({
				json: {
					error: {
						message,
						description: expect.stringMatching(description) as string,
						invalidFields: ['Operation'],
						itemIndex: item,
					},
				},
				pairedItem: { item },
			})),
		);
		expect(service.sandbox.requests).toEqual([]);
	});
});

test.each([
	[
		0,
		'days',
		`Limit Wait Time: ${valueProblems.notInRange('a number above 0 and at most 3650').problem}`,
	],
	[
		3651,
		'days',
		`Limit Wait Time: ${valueProblems.notInRange('a number above 0 and at most 3650').problem}`,
	],
	[
		'soon',
		'minutes',
		`Limit Wait Time: ${valueProblems.notInRange('a number above 0 and at most 5256000').problem}`,
	],
	[1, 'constructor', `Limit Wait Time, Unit: ${valueProblems.notAChoice('').problem}`],
])('a time limit of "%s %s" is rejected', async (limitWaitTime, limitWaitTimeUnit, message) => {
	expect(await refusal({ limitWaitTime, limitWaitTimeUnit })).toBe(message);
});

test('the error after a failed webhook registration states that the item was not sent', async () => {
	service.sandbox.faults.set({ endpoint: 'POST /webhooks', response: { status: 400 } });
	const error = (await failureOf(begin(signatureWait()))) as Error & { description?: string };
	expect(error.message).toMatch('The service rejected the request (HTTP 400)');
	expect(error.description).toMatch(
		/ The item wasn't sent\. More: \S+troubleshooting\.md#event-not-registered$/,
	);
});

describe.each(['simplified', 'raw'])('a Send Once Key is in the %s output of a wait', (output) => {
	const keyed = (options: IDataObject = {}): RunSetup => ({
		...signatureWait({ options: { output, sendOnceKey: "={{ 'C-7' }}", ...options } }),
		store: new ProcessedStore(),
	});

	test.each([{}, { includeInput: true }])('when everyone has signed, with %j', async (more) => {
		const execution = await begin(keyed(more));
		await sign();
		expect(execution.output[0]?.json).toMatchObject({ outcome: 'completed', sendOnceKey: 'C-7' });
		expect('input' in (execution.output[0]?.json ?? {})).toBe('includeInput' in more);
	});

	test('when the limit is reached', async () => {
		const [item] = await (await begin(keyed())).timeOut();
		expect(item?.json).toMatchObject({ outcome: 'timedOut', sendOnceKey: 'C-7' });
	});

	test('after the execution was stopped and retried', async () => {
		const { entity } = await begin(keyed());
		host.n8n.stop(entity);
		const retried = host.n8n.retry(entity, false);
		await host.n8n.idle();
		const [run] = retried?.data.runs ?? [];
		expect(run?.success[0]?.json).toMatchObject({ outcome: 'timedOut', sendOnceKey: 'C-7' });
	});

	test('only if the item has one', async () => {
		const execution = await begin(signatureWait({ options: { output } }));
		expect(execution.output[0]?.json).not.toHaveProperty('sendOnceKey');
		await sign();
		expect(execution.output[0]?.json).toMatchObject({ outcome: 'completed' });
		expect(execution.output[0]?.json).not.toHaveProperty('sendOnceKey');
		const [atLimit] = await (await begin(signatureWait({ options: { output } }))).timeOut();
		expect(atLimit?.json).not.toHaveProperty('sendOnceKey');
	});
});

test('a document that the service rejects does not leave a webhook behind', async () => {
	service.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		response: { status: 422, body: { success: false, message: 'no' } },
	});
	expect((await failureOf(begin(signatureWait()))).message).toMatch('HTTP 422: "no"');
	await registrations(0);
	const execution = await begin({ ...signatureWait(), continueOnFail: true });
	expect(execution.status).toBe('success');
	expect(execution.output[0]?.json.error).toMatchObject({ httpStatus: 422 });
	await registrations(0);
});

describe('an execution that n8n cannot pause', () => {
	test('fails with an error that names the sent document, and keeps the Send Once Key', async () => {
		const before = sent();
		const store = new ProcessedStore();
		const setup = {
			...signatureWait({ options: { sendOnceKey: "={{ 'k' }}" } }),
			store,
			continueOnFail: true,
		};
		const execution = await begin({ ...setup, cannotWait: true });
		const document = lastDocument();
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([
			{
				json: {
					error: {
						message: waitProblems.notPutToWait(`document ${document}`, 'The database is locked')
							.problem,
						outcome: 'check',
					},
				},
			},
		]);
		const { description } = execution.output[0]?.json.error as { description: string };
		expect(description).toContain("Don't send it again.");
		expect(description).toContain('so later executions skip this item.');
		expect(description).not.toContain('give the item a different key');
		await registrations(0);
		const again = await begin(setup);
		expect(again.output).toMatchObject([{ json: { outcome: 'check' } }]);
		expect(sent()).toBe(before + 1);
	});

	test('sends nothing and frees the Send Once Key if n8n returns no URL for the wait', async () => {
		const before = sent();
		const store = new ProcessedStore();
		const setup = { ...signatureWait({ options: { sendOnceKey: "={{ 'k' }}" } }), store };
		const context = executeContext(service.credential(), setup);
		const getSignedResumeUrl = () => {
			throw new Error('No instance ID');
		};
		Object.assign(context, { getSignedResumeUrl });
		const error = await failureOf(action.execute.call(context));
		expect(error.message).toBe(
			waitProblems.notBegun({ noun: 'the document', reason: 'No instance ID' }).problem,
		);
		expect(error.description).toMatch(/ The item wasn't sent\.$/);
		expect(sent()).toEqual(before);
		expect(store.size).toBe(0);
	});

	test('fails with the reason if the node only waits', async () => {
		const setup = { continueOnFail: true, cannotWait: true };
		const execution = await beginVerification({}, setup);
		const facts = { noun: 'the identity request', reason: 'The database is locked' };
		expect(execution.output).toMatchObject([
			{ json: { error: { message: waitProblems.notBegun(facts).problem, outcome: 'failed' } } },
		]);
	});
});

test.each(['It is {{ done }}', 'a }} b', '{{', 'He said "{{ hi }}" {it\'s} }}', '`${x}`'])(
	'a node named %j receives its event',
	async (name) => {
		const execution = await begin({ ...signatureWait(), settings: { name } });
		await sign();
		expect(execution.status).toBe('success');
		expect(host.n8n.logged).toEqual([]);
	},
);

describe("n8n's public URL", () => {
	let url = '';
	/** Changes the public URL of n8n, which keeps receiving calls at its endpoints. */
	const setPublicUrl = (path: string) => Object.assign(host.n8n, { url: `${url}${path}` });
	beforeAll(() => {
		url = host.n8n.url;
	});
	afterEach(() => setPublicUrl(''));

	const waits: Array<[string, () => RunSetup]> = [
		['a document', () => signatureWait()],
		['a verification', () => verificationWait(lastIdentity())],
	];

	test.each(waits)('with an empty part keeps a wait for %s from beginning', async (what, setup) => {
		await requested();
		const before = { sent: sent(), urls: registered() };
		setPublicUrl('/');
		const error = await failureOf(begin(setup()));
		expect(error.message).toBe(
			`n8n's public URL: ${publicUrlProblems.withEmptyPart({ shown: `${url}//`, right: '' }).problem}`,
		);
		const { remedy } = publicUrlProblems.withEmptyPart({ shown: '', right: `${url}/` });
		const ofSending = what === 'a document' ? ' Nothing was sent.' : '';
		expect(error.description).toBe(`${remedy}${ofSending}`);
		expect({ sent: sent(), urls: registered() }).toEqual(before);
	});

	test.each(waits)(
		'that is no URL is named in the error instead of an old version of n8n (for %s)',
		async (_name, setup) => {
			const before = sent();
			Object.assign(host.n8n, { url: 'n8n.example.com' });
			const error = await failureOf(begin(setup()));
			expect(error.message).toBe(`n8n's public URL: ${publicUrlProblems.noUrl.problem}`);
			expect(sent()).toBe(before);
		},
	);

	test('with an empty part does not keep a document from being sent without a wait', async () => {
		const before = sent();
		setPublicUrl('/');
		await begin({ parameters: { ...signingForm, operation: 'send' } });
		expect(sent()).toBe(before + 1);
	});

	const warning = () => {
		const facts = { shown: `${url}/webhook/`, right: `${url}/`, name: 'webhook' };
		const { problem, remedy } = publicUrlProblems.withEndpoint(facts);
		return `n8n's public URL: ${problem}. ${remedy}`;
	};

	test("that ends with an endpoint's name causes a warning before the document is sent", async () => {
		const before = sent();
		setPublicUrl('/webhook');
		const [preview] = (await begin(signatureWait({ options: { neverSend: true } }))).output;
		expect(preview?.json).toMatchObject({ outcome: 'nothing', warnings: [warning()] });
		expect(sent()).toBe(before);
		// A proxy may make the URL right, so the node doesn't refuse it.
		const hints: NodeExecutionHint[] = [];
		await begin({ ...signatureWait({ options: {} }), hints });
		expect(sent()).toBe(before + 1);
		expect(hints.map(({ message }) => message)).toContainEqual(warning());
	});

	test.each(waits)(
		"that ends with an endpoint's name does not keep a wait for %s from beginning",
		async (_name, setup) => {
			await requested();
			setPublicUrl('/webhook');
			const hints: NodeExecutionHint[] = [];
			const execution = await begin({ ...setup(), hints });
			expect(execution.status).toBe('waiting');
			expect(hints.map(({ message }) => message)).toContainEqual(
				expect.stringMatching(/^n8n's public URL: ends with \/webhook /),
			);
		},
	);
});

describe("a waiting execution's URL", () => {
	test("is shown by Webhook: Get Many with the execution's ID, but without its secret and signature", async () => {
		const execution = await begin(signatureWait());
		const parameters = { resource: 'webhook', operation: 'getAll', returnAll: true };
		const listed = await runAction(service.credential(), { parameters });
		const { id } = execution.entity;
		const own = listed.filter(({ json }) => String(json.webhookUrl).includes(`/${id}/`));
		expect(own).toHaveLength(webhooksPerWait);
		for (const { json } of own) {
			expect(json.webhookUrl).toMatch(/\?secret=…&until=…&signature=…$/);
		}
	});

	test('gets no event after someone has deleted its webhook, so the execution continues only at its limit', async () => {
		const execution = await begin(signatureWait());
		for (const { webHookID } of service.sandbox.webhooks()) {
			await clientOf(service.sandbox).deleteWebhook(webHookID);
		}
		await sign();
		expect(execution.status).toBe('waiting');
		const [item] = await execution.timeOut();
		expect(execution.status).toBe('success');
		expect(item?.json).toMatchObject({ outcome: 'timedOut' });
	});

	test("requires the wait's secret in addition to n8n's signature", async () => {
		const execution = await begin(signatureWait());
		const event = {
			type: 'completedDocument',
			Document: { documentID: lastDocument(), status: 'COMPLETED' },
		};
		const signed = (parameters: string) => {
			const url = `${host.n8n.url}/webhook-waiting/${execution.entity.id}/node${parameters}`;
			return `${url}${parameters ? '&' : '?'}signature=${host.n8n.sign(url)}`;
		};
		const refusal = [401, 'The secret in the URL is missing or wrong.'];
		expect(await call(event, signed(''))).toEqual(refusal);
		expect(await call(event, signed('?secret=guessed'))).toEqual(refusal);
		const another = signed(`?secret=${'x'.repeat(43)}`);
		expect(await call(event, another)).toEqual([200, 'This wait is over.']);
		expect(execution.status).toBe('waiting');
	});
});

const hour = 3_600_000;

/** Registers copies of a waiting execution's URL, with one of these changes in each. @returns Their URLs. */
async function registerLike(url: string, ...changes: Array<(copy: URL) => void>) {
	const urls: string[] = [];
	for (const [index, change] of changes.entries()) {
		const copy = new URL(url);
		copy.searchParams.set('secret', `other-${index}`);
		change(copy);
		await clientOf(service.sandbox).registerWebhook('completedDocument', copy.href);
		urls.push(copy.href);
	}
	return urls;
}

const endedBefore = (ms: number) => (url: URL) =>
	url.searchParams.set('until', String(Date.now() - ms));

test('webhooks are kept if their wait is not over or if they belong to another n8n instance', async () => {
	await begin(signatureWait());
	const [own = ''] = registered();
	const expire = endedBefore(48 * hour);
	const stay = await registerLike(
		own,
		endedBefore(23 * hour),
		(url) => url.searchParams.delete('until'),
		(url) => url.searchParams.set('until', 'soon'),
		// The next two are a URL of a different n8n instance, such as a copy of this one, and a URL that
		// belongs to no wait.
		(url) => (expire(url), (url.port = '1')),
		(url) => (expire(url), url.searchParams.delete('secret')),
	);
	const [expired = ''] = await registerLike(own, (url) => {
		expire(url);
		url.searchParams.set('secret', 'expired');
	});
	await begin(signatureWait());
	await until('the expired webhook is removed', () => !registered().includes(expired));
	expect(registered()).toHaveLength(2 * webhooksPerWait + stay.length);
	expect(registered()).toEqual(expect.arrayContaining([own, ...stay]));
});

describe('Waiting without a document ID', () => {
	const creation = 'POST /templates/createDocumentByTemplateV2';
	const sentInVain = waitProblems.noDocumentId.problem;
	const refusedUnsent = waitProblems.noEarlierDocumentId.problem;
	const returnsIds = (does: boolean) =>
		service.sandbox.settings.set({ createReturnsOnlySuccess: !does });
	const sendWithoutWaiting = async () => await runAction(service.credential(), { parameters: v2 });

	beforeEach(() => {
		clearAll();
		returnsIds(false);
	});
	afterAll(() => service.sandbox.settings.reset());

	test('the first wait sends its document, ends in an error that reports this, and leaves no webhook behind', async () => {
		const store = new ProcessedStore();
		const setup = { ...signatureWait({ options: { sendOnceKey: "={{ 'k' }}" } }), store };
		const count = sent();
		const error = (await failureOf(begin(setup))) as Error & { description?: string };
		expect(error.message).toBe(sentInVain);
		const { remedy: advice, docsAnchor } = waitProblems.noDocumentId;
		expect(advice).toContain("Don't send it again");
		expect(error.description).toMatch(
			wordsWith(`${advice}… Send Once Key "k" …#${docsAnchor}`, true),
		);
		expect(sent()).toBe(count + 1);
		expect(registered()).toEqual([]);
		const again = await begin(setup);
		expect(again.output).toMatchObject([{ json: { outcome: 'check' } }]);
		expect(sent()).toBe(count + 1);
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'later waits are refused before anything is sent or registered, and their Send Once Key can be used again (On Error: %s)',
		async (onError) => {
			await failureOf(begin(signatureWait()));
			const store = new ProcessedStore();
			const setup = { ...signatureWait({ options: { sendOnceKey: "={{ 'k' }}" } }), store };
			const count = sent();
			service.sandbox.forgetRequests();
			const later = await settle(begin({ ...setup, settings: { onError } }));
			const message = later.ok
				? (later.value.output[0]?.json.error as IDataObject).message
				: (later.error as Error).message;
			expect(message).toBe(refusedUnsent);
			if (later.ok) {
				expect(later.value.output[0]?.json.error).toMatchObject({ outcome: 'failed' });
			}
			const calls = service.sandbox.requests.map(({ method }) => method);
			expect(calls).not.toContain('POST');
			expect({ sent: sent(), registered: registered(), keys: store.size }).toEqual({
				sent: count,
				registered: [],
				keys: 0,
			});
		},
	);

	test('a response with an ID, even to a document sent without waiting, lets documents be waited for again', async () => {
		await failureOf(begin(signatureWait()));
		await sendWithoutWaiting();
		expect((await failureOf(begin(signatureWait()))).message).toBe(refusedUnsent);
		returnsIds(true);
		expect((await failureOf(begin(signatureWait()))).message).toBe(refusedUnsent);
		await sendWithoutWaiting();
		const execution = await begin(signatureWait());
		expect(execution.status).toBe('waiting');
		await sign();
		expect(execution.status).toBe('success');
	});

	test('a document sent without waiting does not keep the next one from being sent', async () => {
		await sendWithoutWaiting();
		expect((await failureOf(begin(signatureWait()))).message).toBe(sentInVain);
	});

	test('one more document is sent after a restart, because the process has forgotten the error', async () => {
		await failureOf(begin(signatureWait()));
		clearAll();
		expect((await failureOf(begin(signatureWait()))).message).toBe(sentInVain);
	});

	test('waits in other accounts are not refused', async () => {
		await failureOf(begin(signatureWait()));
		returnsIds(true);
		// The same sandbox at another URL counts as another account.
		const baseUrl = String(service.credential().read().baseUrl).replace('127.0.0.1', 'localhost');
		const execution = await host.start(service.credential({ baseUrl }), signatureWait());
		expect(execution.status).toBe('waiting');
	});

	test.each([null, '', '  ', undefined])(
		'the error is the same if the ID is %j',
		async (documentID) => {
			const responseData = { documentID, status: 'PENDING', title: 'Lease' };
			const body = { success: true, responseCode: 200, responseData };
			service.sandbox.faults.set({ endpoint: creation, response: { status: 200, body } });
			expect((await failureOf(begin(signatureWait()))).message).toBe(sentInVain);
			await registrations(0);
		},
	);

	test('a wait for an identity request is not refused', async () => {
		await failureOf(begin(signatureWait()));
		expect((await beginVerification()).status).toBe('waiting');
	});

	test('a lost response to the create call leaves no webhook behind', async () => {
		service.sandbox.faults.set({ endpoint: creation, reset: 'after', times: 1 });
		expect((await failureOf(begin(signatureWait()))).message).toMatch('may have been created');
		await registrations(0);
	});
});

test.each(['simplified', 'raw'])(
	"an event that quotes its URL doesn't bring the secret and n8n's signature into the %s output",
	async (output) => {
		const execution = await begin(signatureWait({ options: { output } }));
		const url = urlFor({ type: 'completedDocument' });
		const { searchParams } = new URL(url);
		const title = `To ${url}`;
		const Document = { documentID: lastDocument(), status: 'COMPLETED', title };
		await call({ type: 'completedDocument', source: url, Document });
		expect(execution.status).toBe('success');
		const shown = JSON.stringify(execution.output);
		expect(shown).toContain('signature=…');
		for (const name of ['secret', 'signature']) {
			expect(shown).not.toContain(searchParams.get(name));
		}
	},
);

test('two waits for the same people and template each end when their own document is signed', async () => {
	const first = await begin(signatureWait());
	const document = lastDocument();
	const second = await begin(signatureWait());
	service.sandbox.forgetRequests();
	await sign();
	expect(first.status).toBe('waiting');
	expect(second.status).toBe('success');
	await signDocument(service.sandbox, document);
	await service.sandbox.idle();
	expect(first.output[0]?.json).toMatchObject({ documentId: document });
	await registrations(0);
});

test('if two branches lead to the node, it sends and waits in the second one after the wait in the first one', async () => {
	const before = sent();
	const setup = { ...signatureWait(), items: [{}, {}] };
	const workflow = host.n8n.workflowOf(service.credential(), setup);
	const execution = host.n8n.start({ ...workflow, branches: 2 });
	await host.n8n.idle();
	expect([execution?.status, sent()]).toEqual(['waiting', before + 1]);
	await sign();
	expect([execution?.status, sent()]).toEqual(['waiting', before + 2]);
	await sign();
	expect(execution?.status).toBe('success');
	await registrations(0);
});
