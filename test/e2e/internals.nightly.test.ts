import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { outputOf } from '../../host/executions';
import { actionSteps, lineOf, type Step } from '../../host/workflow';
import * as internals from '../../nodes/SignVerify/n8nInternals';
import { post } from '../support/http';
import { useStage } from './support/stage';
import { until } from '../support/until';

const stage = useStage('internals', async (folder) => {
	const nodes = path.join(folder, 'custom');
	await mkdir(nodes);
	const probe = path.join(__dirname, 'support/internalsProbe.cjs');
	await copyFile(probe, path.join(nodes, 'InternalsProbe.node.js'));
	return { N8N_CUSTOM_EXTENSIONS: nodes };
});

test('the installed n8n has every internal part that n8nInternals.ts uses', async () => {
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

/**
 * Stores a workflow that contains the given step, and another workflow that calls it.
 * @returns The caller's ID.
 */
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
	await api.publish(calledId);
	const workflowId = { __rl: true, mode: 'id', value: calledId };
	const call = { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 };
	const caller = lineOf('Calls', [{ name: 'Call', ...call, parameters: { workflowId } }]);
	caller.pinData = { Start: [{ json: { email: 'ada@example.com' } }] };
	return (await api.createWorkflow(caller)).id;
}
