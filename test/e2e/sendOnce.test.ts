import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { outputOf } from '../../host/executions';
import { actionSteps, lineOf, type Step } from '../../host/workflow';
import * as internals from '../../nodes/SignVerify/n8nInternals';
import { operationNamed } from '../operations';
import { post } from '../support/http';
import { useStage } from './support/stage';
import { until } from '../support/until';

const stage = useStage('send-once', async (folder) => {
	const nodes = path.join(folder, 'custom');
	await mkdir(nodes);
	const probe = path.join(__dirname, 'support/internalsProbe.cjs');
	await copyFile(probe, path.join(nodes, 'InternalsProbe.node.js'));
	return { N8N_CUSTOM_EXTENSIONS: nodes };
});

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

test('this n8n has all that n8nInternals.ts uses; if not: the part by its name, and what n8n said', async () => {
	const { api, userFolder } = stage.n8n;
	const parameters = { operation: 'sendAndWait' };
	const step = (await actionSteps(api))('Probe', parameters);
	const probe = { ...step, type: 'CUSTOM.internalsProbe' };
	const execution = await api.run(await callerOf(probe), 'Start');
	const { error } = await api.waitForExecution(execution);
	expect(error?.message).toBeUndefined();
	expect(await post(await readFile(path.join(userFolder, 'probe-url'), 'utf8'), {})).toBe(200);
	const done = await until('the probe has ended', async () => {
		const ended = await api.execution(execution);
		return ended.status === 'success' && ended;
	});
	const parts = Object.keys(internals).map((name) => [name, true]);
	expect(outputOf(done, 'Call')[0]?.json).toEqual(Object.fromEntries(parts));
});

/** Stores a workflow that calls another one with the step; gives its ID. */
async function callerOf(step: Step): Promise<string> {
	const { api } = stage.n8n;
	const called = lineOf('Called', [step]);
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
	return (await api.createWorkflow(caller)).id;
}
