import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { outputOf } from '../../host/executions';
import { actionSteps, lineOf } from '../../host/workflow';
import { operationNamed } from '../operations';
import { useStage } from './support/stage';

const stage = useStage('send-once');

test('a Send Once Key holds over runs in the store of n8n, and one that comes to nothing sends nothing', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const workflow = lineOf('Send once', [
		action('Create', {
			...operationNamed('document/createFromTemplate').parameters,
			signatories: { signatory: [{ email: 'ada@example.com', name: 'Ada Lovelace' }] },
			options: { sendOnceKey: '={{ $json.contract }}' },
		}),
	]);
	const contracts = ['c-1', 'c-2', null, 'c-1', 4711];
	workflow.pinData = { Start: contracts.map((contract) => ({ json: { contract } })) };
	for (const node of workflow.nodes) {
		if (node.name === 'Create') node.onError = 'continueErrorOutput';
	}
	const { id } = await api.createWorkflow(workflow);
	const before = stage.sandbox.documents().length;
	for (const skipped of [
		[false, false, true, false],
		[true, true, true, true],
		// As if it had been deleted and added again.
		[true, true, true, true],
	]) {
		const execution = await api.waitForExecution(await api.run(id, 'Start'));
		expect(execution.status).toBe('success');
		const done = outputOf(execution, 'Create', 0).map(({ json }) => json);
		const errors = outputOf(execution, 'Create', 1).map(({ json }) => json.error as IDataObject);
		expect(done.map((json) => json.skipped ?? false)).toEqual(skipped);
		expect(errors.map(({ message }) => message)).toEqual([
			'Send Once Key: the expression gives no text or number for this item',
		]);
		expect(stage.sandbox.documents()).toHaveLength(before + 3);
		const nodes = workflow.nodes.map((node) => ({ ...node, id: randomUUID() }));
		await api.updateWorkflow(id, { nodes });
	}
});

test('Check Only in test runs: a test that calls a sub-workflow sends nothing', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const { parameters } = operationNamed('document/createFromTemplate');
	const options = { checkOnly: 'inTestRuns' };
	const called = lineOf('Called', [action('Create', { ...parameters, options })]);
	for (const node of called.nodes) {
		if (node.name !== 'Start') continue;
		node.type = 'n8n-nodes-base.executeWorkflowTrigger';
		node.typeVersion = 1.1;
		node.parameters = { inputSource: 'passthrough' };
	}
	const { id: calledId } = await api.createWorkflow(called);
	await api.activate(calledId);
	const workflowId = { __rl: true, mode: 'id', value: calledId };
	const call = { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 };
	const caller = lineOf('Calls', [{ name: 'Call', ...call, parameters: { workflowId } }]);
	caller.pinData = { Start: [{ json: { email: 'ada@example.com' } }] };
	const { id } = await api.createWorkflow(caller);
	const before = stage.sandbox.documents().length;
	const execution = await api.waitForExecution(await api.run(id, 'Start'));
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Call', 0).map(({ json }) => json.checkOnly)).toEqual([true]);
	expect(stage.sandbox.documents()).toHaveLength(before);
});
