import path from 'node:path';

import { freePorts, LOOPBACK } from '../../host/ports';
import { outputOf } from '../../host/executions';
import { colleague, contractForm } from '../../host/onboarding';
import { startPostgres } from '../../host/queue/postgres';
import type { Service } from '../../host/queue/service';
import { actionSteps, lineOf } from '../../host/workflow';
import { until, useStage } from '../e2e/support/stage';

let postgres: Service | undefined;

/** n8n's new engine, which 2.41.1 has behind a module. It keeps its executions in a PostgreSQL of its own. */
async function engine2(folder: string): Promise<Record<string, string>> {
	const [port, enginePort, controlPort] = (await freePorts(3)) as [number, number, number];
	const password = 'of-this-test';
	const started = await startPostgres({ folder: path.join(folder, 'postgres'), port, password });
	postgres = started.service;
	const { DB_POSTGRESDB_USER: user, DB_POSTGRESDB_DATABASE: database } = started.env;
	return {
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: `postgres://${user}:${password}@${LOOPBACK}:${port}/${database}`,
		N8N_ENGINE_HOST: LOOPBACK,
		N8N_ENGINE_PORT: String(enginePort),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
	};
}

const stage = useStage('engine2', engine2);
afterAll(async () => await postgres?.stop());

const settings = { executionOrder: 'v1', engineType: 'v2' } as object;

/** Runs a SignVerify node after a Manual Trigger. */
async function run(parameters: object, engine: object = settings) {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const line = lineOf('In an engine', [action('SignVerify', parameters as never)]);
	const { id } = await api.createWorkflow({ ...line, settings: engine });
	return await api.waitForExecution(await api.run(id, 'Start'));
}

// n8n: "Engine 2.0 does not support credentials with an expirable property yet".
test('the action node gets no token, and nothing is sent', async () => {
	const execution = await run(contractForm);
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(/could not be reached$/);
	expect(stage.sandbox.documents()).toEqual([]);
	expect(stage.sandbox.requests.filter(({ path: called }) => called.includes('create'))).toEqual(
		[],
	);
});

test('an operation that waits refuses, and nothing is sent', async () => {
	const request = {
		resource: 'identity',
		operation: 'sendAndWait',
		verification: 'new',
		email: colleague.email,
	};
	const execution = await run(request);
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toBe(
		"Operation: n8n's Engine 2.0 cannot wait for an event. Nothing was sent",
	);
	expect(stage.sandbox.identityRequests()).toEqual([]);
	const registered = stage.sandbox
		.webhooks()
		.filter(({ webHookUrl }) => webHookUrl.includes('webhook-waiting'));
	expect(registered).toEqual([]);
});

test('an event starts a workflow with the trigger', async () => {
	const { api } = stage.n8n;
	const credential = (await api.listCredentials()).find(({ type }) => type === 'signVerifyApi');
	const line = lineOf('Started by an event', [
		{ name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
	const [start] = line.nodes;
	Object.assign(start ?? {}, {
		type: 'n8n-nodes-signverify.signVerifyTrigger',
		webhookId: 'engine2',
		parameters: { events: ['sendDocument'] },
		credentials: { signVerifyApi: credential },
	});
	const { id } = await api.createWorkflow({ ...line, settings });
	await api.activate(id);
	// In the engine before it.
	expect((await run(contractForm, { executionOrder: 'v1' })).status).toBe('success');
	const [summary] = await until('the event started an execution', async () => {
		const found = await api.executions({ workflowId: id });
		return found.length > 0 && found;
	});
	const execution = await api.waitForExecution(summary?.id ?? '');
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Next')[0]?.json).toMatchObject({ event: 'sendDocument' });
	await api.deactivate(id);
});
