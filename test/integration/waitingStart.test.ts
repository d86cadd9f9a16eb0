import type { IDataObject } from 'n8n-workflow';

import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { failureOf } from '../support/service';
import type { Fault } from '../../sandbox';
import { ProcessedStore } from '../n8n/processedStore';
import { proving, signing, useWaitingTest, waitingFor } from '../support/waiting';

const { service, begin, sign, registrations, lastDocuments } = useWaitingTest();
const { parameters: provingForm } = proving();
const { parameters: signingForm } = waitingFor('one');

/** Runs a waiting operation as far as it goes without n8n. */
async function refusal(parameters: IDataObject, change: object = {}, rest: Partial<RunSetup> = {}) {
	service.sandbox.forgetRequests();
	const setup = { parameters: { ...provingForm, ...parameters }, ...rest };
	const context = executeContext(service.credential(), setup);
	const error = await failureOf(action.execute.call({ ...context, ...change }));
	// Nothing is sent, and nothing is registered.
	expect(service.sandbox.requests).toEqual([]);
	return error.message;
}
const ofType = (type: string) => ({
	getNode: () => ({ name: 'SignVerify', type, parameters: {} }),
});

test.each([
	['a tool', provingForm, 'signVerifyTool'],
	['a tool, for a document', signingForm, 'signVerifyTool'],
])('an AI agent cannot wait: %s', async (_name, parameters, type) => {
	expect(await refusal(parameters, ofType(`n8n-nodes-signverify.${type}`))).toBe(
		'Operation: an AI agent cannot wait for it',
	);
});

test.each([
	['URLs for waiting executions', { getSignedResumeUrl: undefined }],
	['the data of the execution', { runExecutionData: undefined }],
	['an input to pass on', { getExecuteData: () => ({}) }],
])('an n8n without %s', async (_name, change) => {
	expect(await refusal({}, change)).toBe(
		'Operation: this n8n is too old to wait for an event. Nothing was sent',
	);
});

test("n8n's new engine, which would take the waiting node for one that is done", async () => {
	const engine2 = { getExecutionCancelSignal: () => undefined };
	expect(await refusal({}, engine2)).toBe(
		"Operation: n8n's Engine 2.0 cannot wait for an event. Nothing was sent",
	);
});

describe.each([provingForm, signingForm])(
	'more than one item, with Check Only as without: %j',
	(form) => {
		const items = [{}, {}, {}];
		const message =
			'Operation: an execution can wait for one item, and this node got 3. Nothing was sent';

		test.each([false, true])('On Error: Stop (Check Only: %s)', async (checkOnly) => {
			expect(await refusal({ ...form, options: { checkOnly } }, {}, { items })).toBe(message);
		});

		test('On Error: Continue gives an error for each item, which says what to do', async () => {
			service.sandbox.forgetRequests();
			const setup = { parameters: form, items, continueOnFail: true };
			const output = await runAction(service.credential(), setup);
			expect(output).toEqual(
				[0, 1, 2].map((item) => ({
					json: {
						error: {
							message,
							description: expect.stringMatching(
								/Loop Over Items.*more than about 100 people.*#waiting$/,
							),
							invalidFields: ['Operation'],
							itemIndex: item,
						},
					},
					pairedItem: { item },
				})),
			);
			expect(service.sandbox.requests).toEqual([]);
		});
	},
);

test.each([
	[0, 'days', 'Limit Wait Time: it must be a number above 0 and at most 3650'],
	[-1, 'days', 'Limit Wait Time: it must be a number above 0 and at most 3650'],
	[3651, 'days', 'Limit Wait Time: it must be a number above 0 and at most 3650'],
	[87601, 'hours', 'Limit Wait Time: it must be a number above 0 and at most 87600'],
	['soon', 'minutes', 'Limit Wait Time: it must be a number above 0 and at most 5256000'],
	[1, 'weeks', 'Limit Wait Time Unit: there is no such choice'],
	[1, 'constructor', 'Limit Wait Time Unit: there is no such choice'],
])('a time limit of %s %s', async (limitWaitTime, limitWaitTimeUnit, message) => {
	expect(await refusal({ limitWaitTime, limitWaitTimeUnit })).toBe(message);
});

test.each(['', 'a/b', '..'])('a wrong document ID: "%s"', async (documentId) => {
	expect(await refusal({ ...signingForm, documentId })).toMatch(/^Document ID: /);
});

test('a wrong e-mail or validation ID', async () => {
	expect(await refusal({ email: 'ada' })).toMatch(/^Email: /);
	const existing = { verification: 'existing', validationId: 'a/b' };
	expect(await refusal(existing)).toMatch(/^Validation ID: /);
});

const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const sent = () => service.sandbox.documents().length + service.sandbox.identityRequests().length;

const registrationFaults: Array<[string, string, Omit<Fault, 'endpoint'>]> = [
	['one 502', 'POST /webhooks', { times: 1, answer: { status: 502, body: 'bad' } }],
	['a broken connection', 'POST /webhooks', { times: 1, reset: 'before' }],
	['a lost answer', 'POST /webhooks', { times: 1, reset: 'after' }],
	['400', 'POST /webhooks', { answer: { status: 400, body: {} } }],
	[
		'a refusal inside a 200',
		'POST /webhooks',
		{ answer: { status: 200, body: { responseCode: 400, message: 'no' } } },
	],
	['403', 'POST /webhooks', { answer: { status: 403, body: {} } }],
	['a refused token', 'POST /access/token', { answer: { status: 401, body: {} } }],
];

describe.each(registrationFaults)('where the registration meets %s', (_, endpoint, fault) => {
	const once = 'times' in fault;

	test.each([
		['document', signing()],
		['identity', proving()],
	])('On Error: Continue gives an error for the %s, and nothing is sent', async (_kind, setup) => {
		const before = sent();
		service.sandbox.faults.set({ ...fault, endpoint: forKind(endpoint, setup.parameters) });
		const execution = await begin({ ...setup, continueOnFail: true });
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([{ json: { error: {} }, pairedItem: { item: 0 } }]);
		expect(sent()).toBe(before);
		service.sandbox.faults.clear();
	});

	test(once ? 'Retry On Fail sends the document once' : 'Retry On Fail sends nothing', async () => {
		const before = sent();
		service.sandbox.faults.set({ ...fault, endpoint });
		const run = begin({ ...signing(), settings: retry });
		if (!once) {
			await failureOf(run);
			expect(sent()).toBe(before);
			return;
		}
		const execution = await run;
		expect(execution.status).toBe('waiting');
		expect(sent()).toBe(before + 1);
		await sign();
		expect(execution.output).toMatchObject([{ json: { completed: true } }]);
		// After a lost answer, the service may have two of them.
		await registrations(0);
	});
});

function forKind(endpoint: string, { resource }: IDataObject): string {
	return resource === 'identity' && endpoint === 'POST /webhooks'
		? 'POST /webhooks/verify'
		: endpoint;
}

test('where nothing was registered, the error says that nothing was sent', async () => {
	service.sandbox.faults.set({ endpoint: 'POST /webhooks', answer: { status: 400 } });
	const error = (await failureOf(begin(signing()))) as Error & { description?: string };
	expect(error.message).toMatch('The service refused the request (HTTP 400)');
	expect(error.description).toMatch(/ Nothing was sent\. <a href=".*errors\.md#waiting" /);
});

test('a refused document leaves no webhook', async () => {
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

test('a lost answer to sending is not waited for, and not sent again by Retry On Fail', async () => {
	service.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		times: 1,
		reset: 'after',
	});
	const before = sent();
	const execution = await begin({ ...signing(), settings: retry, continueOnFail: true });
	expect(execution.status).toBe('success');
	expect(execution.output).toMatchObject([{ json: { error: { mayHaveBeenCreated: true } } }]);
	expect(sent()).toBe(before + 1);
	await registrations(0);
});

test('an identity request without any ID cannot be waited for, and says that it may exist', async () => {
	const body = { success: true, responseData: { url: 'https://example.com/x' } };
	const answer = { status: 200, body };
	service.sandbox.faults.set({ endpoint: 'POST /identity/validation/request', answer });
	expect((await failureOf(begin(proving()))).message).toBe(
		'The service gave no validationId to wait for, so the identity request may have been created',
	);
	await registrations(0);
});

describe('where n8n cannot put the execution to wait', () => {
	test('the error names what was sent, and its Send Once Key is kept', async () => {
		const before = sent();
		const store = new ProcessedStore();
		const setup = { ...signing({ options: { sendOnceKey: 'k' } }), store, continueOnFail: true };
		const execution = await begin({ ...setup, cannotWait: true });
		const [document] = lastDocuments(1);
		expect(execution.status).toBe('success');
		expect(execution.output).toMatchObject([
			{
				json: {
					error: {
						message: `Sent (document ${document}), but n8n cannot wait for it: The database is locked`,
						mayHaveBeenCreated: true,
					},
				},
			},
		]);
		await registrations(0);
		const again = await begin(setup);
		expect(again.output).toMatchObject([{ json: { skipped: true } }]);
		expect(sent()).toBe(before + 1);
	});

	test('Retry On Fail does not send it again', async () => {
		const before = sent();
		await failureOf(begin({ ...signing(), settings: retry, cannotWait: true }));
		expect(sent()).toBe(before + 1);
	});
});
