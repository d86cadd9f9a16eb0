import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runReview } from '../../nodes/SignVerify/operations/review';

/** A review that an AI agent's call has begun, and how n8n's entry for it stands. */
function reviewOf(json: IDataObject, more: { metadata?: IDataObject; form?: IDataObject } = {}) {
	const { metadata, form = { resource: 'document', operation: 'sendAndWait' } } = more;
	const type = 'n8n-nodes-signverify.signVerifyHitlTool';
	const node: IDataObject = { name: 'SignVerify', type, parameters: form };
	const entry = { node, runIndex: 0, metadata, data: { main: [[{ json }]] } };
	const action = { id: 'call', input: {}, metadata: { hitl: { toolName: 'pay' } } };
	const agent = {
		node: { name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent' },
		data: { main: [[{ json: {} }]] },
		metadata: {
			subNodeExecutionData: { actions: [{ nodeName: 'SignVerify', runIndex: 0, action }] },
		},
	};
	const execute = {
		runExecutionData: {
			executionData: { nodeExecutionStack: [agent] },
			resultData: { runData: { SignVerify: [{}] } },
		},
		getNode: () => node,
		getExecuteData: () => entry,
		getInputData: () => entry.data.main[0],
		getNodeParameter: (name: string) => form[name],
		getSignedResumeUrl: () => 'https://n8n.example/waiting/1',
		continueOnFail: () => false,
		// As in n8n's Engine 2.0.
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	return { execute, entry };
}

test('a review that everybody has signed stays so when n8n runs its entry again', async () => {
	const signed = { approved: true, completed: true, status: 'completed' };
	const { execute } = reviewOf({ ...signed }, { metadata: { signVerifyWaited: true } });
	expect(await runReview(execute)).toEqual([[{ json: signed }]]);
});

test.each([
	['an n8n that cannot wait', undefined, 'Engine 2.0'],
	['an unknown operation', { resource: 'document', operation: 'x' }, 'Operation'],
])('%s tells the model why the tool was not run', async (_, form, reason) => {
	const { execute, entry } = reviewOf({ approved: true }, { ...(form ? { form } : {}) });
	const [[output] = []] = await runReview(execute);
	const chatInput: unknown = expect.stringMatching(`not everybody has signed.*${reason}`);
	expect(output?.json).toMatchObject({ approved: false, chatInput });
	// n8n must end the execution if the node throws, and at the limit it passes on the input.
	expect(entry.node).toMatchObject({ onError: 'stopWorkflow', continueOnFail: false });
	expect(execute.getInputData()[0]?.json.approved).toBe(false);
});
