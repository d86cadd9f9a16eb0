import type { IDataObject } from 'n8n-workflow';

import { action, executeContext, runAction, type RunSetup } from '../support/contexts';
import { failureOf, useService } from '../support/service';

const service = useService();
const email = 'ada@example.com';
const wait = { operation: 'sendAndWait', verification: 'new', email };
const proving = { ...wait, resource: 'identity' };
const signing = { ...wait, resource: 'document', document: 'existing', documentId: 'one' };

/** Runs a waiting operation as far as it goes without n8n. */
async function refusal(parameters: IDataObject, change: object = {}, rest: Partial<RunSetup> = {}) {
	service.sandbox.forgetRequests();
	const setup = { parameters: { ...proving, ...parameters }, ...rest };
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
	['a tool', proving, 'signVerifyTool'],
	['human review', proving, 'signVerifyHitlTool'],
	['a tool, for a document', signing, 'signVerifyTool'],
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

describe.each([proving, signing])('more than one item, with Check Only as without: %j', (form) => {
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
});

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
	expect(await refusal({ ...signing, documentId })).toMatch(/^Document ID: /);
});

test('a wrong e-mail or validation ID', async () => {
	expect(await refusal({ email: 'ada' })).toMatch(/^Email: /);
	const existing = { verification: 'existing', validationId: 'a/b' };
	expect(await refusal(existing)).toMatch(/^Validation ID: /);
});
