import type { IDataObject } from 'n8n-workflow';

import { action, executeContext } from '../support/contexts';
import { failureOf, useService } from '../support/service';

const service = useService();

/** Runs a waiting operation as far as it goes without n8n. */
async function refusal(parameters: IDataObject, change: object = {}, items = [{}]) {
	service.sandbox.forgetRequests();
	const context = executeContext(service.credential(), {
		parameters: { resource: 'identity', operation: 'sendAndWait', ...parameters },
		items,
	});
	const error = await failureOf(action.execute.call({ ...context, ...change }));
	// Nothing is sent, and nothing is registered.
	expect(service.sandbox.requests).toEqual([]);
	return error.message;
}
const email = 'ada@example.com';
const resumable = {
	getSignedResumeUrl: () => 'http://127.0.0.1:9/',
	runExecutionData: { executionData: { nodeExecutionStack: [] } },
};
const ofType = (type: string) => ({
	getNode: () => ({ name: 'SignVerify', type, parameters: {} }),
});

test.each(['signVerifyTool', 'signVerifyHitlTool'])('an AI agent cannot wait: %s', async (type) => {
	expect(await refusal({ email }, ofType(`n8n-nodes-signverify.${type}`))).toBe(
		'Operation: an AI agent cannot wait for it',
	);
});

const before = { resource: 'document', document: 'existing', documentId: 'one' };

test('an AI agent cannot wait for a document either', async () => {
	const type = ofType('n8n-nodes-signverify.signVerifyTool');
	expect(await refusal(before, type)).toBe('Operation: an AI agent cannot wait for it');
});

test.each(['', 'a/b', '..'])('a wrong document ID: "%s"', async (documentId) => {
	expect(await refusal({ ...before, documentId })).toMatch(/^Document ID: /);
});

test('an n8n without addresses for waiting executions', async () => {
	expect(await refusal({ email })).toBe(
		'Operation: this n8n is too old to wait for an event. Nothing was sent',
	);
});

test('an n8n that does not let a waiting node be run again', async () => {
	const { getSignedResumeUrl } = resumable;
	expect(await refusal({ email }, { getSignedResumeUrl })).toBe(
		'Operation: this n8n is too old to wait for an event. Nothing was sent',
	);
});

test("n8n's new engine, which would take the waiting node for one that is done", async () => {
	const engine2 = { ...resumable, getExecutionCancelSignal: () => undefined };
	expect(await refusal({ email }, engine2)).toBe(
		"Operation: n8n's Engine 2.0 cannot wait for an event. Nothing was sent",
	);
});

test.each([0, -1, 4000, 'soon'])('a time limit of %s days', async (amount) => {
	const limitWaitTime = { values: { amount, unit: 'days' } };
	expect(await refusal({ email, options: { limitWaitTime } }, resumable)).toBe(
		'Limit Wait Time: it is out of range',
	);
});

test('a wrong e-mail or validation ID', async () => {
	expect(await refusal({ email: 'ada' })).toMatch(/^Email: /);
	expect(await refusal({ verification: 'existing', validationId: 'a/b' })).toMatch(
		/^Validation ID: /,
	);
});
