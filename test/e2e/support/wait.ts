import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution, ExecutionSummary, WorkflowInput } from '../../../host/apiTypes';
import { isRunning } from '../../../host/executions';
import { lineOf, toRealPeople, type Step } from '../../../host/workflow';
import type { N8nApi } from '../../../host/api';
import type { N8nClient } from '../../../host/apiClient';
import type { N8n } from '../../../host/n8n';
import type { Stage } from '../../../host/stage';
import type { Sandbox } from '../../../sandbox';
import { requestIdentity } from '../../operations/service';
import { clientOf } from '../../support/credentials';
import { filledForm, peopleFor, templateFor } from '../../support/service';
import { startAgain, useStage } from './stage';
import { until } from '../../support/until';
import { clearStage, credentialId, deleteWebhooks, loggedIn } from './trigger';
import { connect, credentialsOf, nodeOf } from './workflow';

/**
 * A workflow that creates an item for each value in a list, with the value in the item's `list` field. The
 * workflow can be started manually or by a POST to its webhook.
 *
 * @param list An object with the values in `list`, as JSON or as an expression.
 * @returns The workflow, and the part of its webhook's path that follows `/webhook/`.
 */
export function listWorkflow(
	name: string,
	list: string,
	steps: Step[],
): { workflow: WorkflowInput; path: string } {
	const path = randomUUID();
	const line = lineOf(name, [
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: list },
		},
		{ name: 'Items', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'list' } },
		...steps,
	]);
	const call = nodeOf({
		name: 'Call',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: 'POST' },
		webhookId: path,
	});
	const connections = { ...line.connections, ...connect([[call.name, 'List']]) };
	const settings = { executionOrder: 'v1' as const };
	return { path, workflow: { ...line, nodes: [...line.nodes, call], connections, settings } };
}

/** The names of the node that waits and of the node that follows it. */
export const waitingName = 'Sign';
export const nextName = 'Next';

/** A `listWorkflow` with this many items, in which a node waits for each item separately. */
export function waitingWorkflow(
	name: string,
	parameters: INodeParameters,
	credential: string,
	items = 1,
): ReturnType<typeof listWorkflow> {
	return listWorkflow(name, JSON.stringify({ list: [...Array(items).keys()] }), [
		{
			name: waitingName,
			type: 'n8n-nodes-signverify.signVerify',
			parameters,
			credentials: credentialsOf(credential),
		},
		{ name: nextName, type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
}

/** The filled-in form for document/sendAndWait with one of the sandbox's templates. */
export function sendAndWait(sandbox: Sandbox, rest: IDataObject = {}): INodeParameters {
	const template = templateFor(2, sandbox);
	return {
		resource: 'document',
		operation: 'sendAndWait',
		...filledForm(template),
		signatories: { signatory: peopleFor(template) },
		...toRealPeople,
		...rest,
	};
}

/** Waits until an execution is waiting. Fails if the execution ends instead. */
export async function untilWaiting(api: N8nApi, id: string): Promise<Execution> {
	const execution = await api.waitForExecution(id);
	expect(execution.error?.message).toBeUndefined();
	expect(execution.status).toBe('waiting');
	return execution;
}

const hasEnded = (execution: ExecutionSummary) =>
	!isRunning(execution) && execution.status !== 'waiting';

export async function untilEnded(api: N8nApi, id: string): Promise<Execution> {
	return await until(`execution ${id} has ended`, async () => {
		const execution = await api.execution(id);
		return hasEnded(execution) && execution;
	});
}

/** Waits until an execution has ended without an error. */
export async function untilSucceeded(api: N8nApi, id: string): Promise<Execution> {
	const done = await untilEnded(api, id);
	expect(done.error?.message).toBeUndefined();
	expect(done.status).toBe('success');
	return done;
}

/** Stops a waiting execution. It may end by itself at the same moment, which n8n reports with 500. */
export async function stopExecution(api: N8nApi, client: N8nClient, id: string): Promise<void> {
	await client.call('POST', `/executions/${id}/stop`).catch(async (error: unknown) => {
		if (!hasEnded(await api.execution(id))) throw error;
	});
}

/** The waiting executions of a workflow (at most 100). */
export async function waitingExecutions(
	api: N8nApi,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	return await api.executions({ workflowId, status: ['waiting'], limit: 100 });
}

/** Requests a verification. @returns The filled-in form for identity/sendAndWait. */
export async function waitUntilVerified(sandbox: Sandbox, email: string): Promise<INodeParameters> {
	const validationId = await requestIdentity({ sandbox, client: clientOf(sandbox) }, email);
	return { resource: 'identity', operation: 'sendAndWait', validationId };
}

export interface WaitingStage {
	stage: Stage;
	/** The running n8n, which is replaced after a restart. */
	readonly n8n: N8n;
	credential: string;
	restart(): Promise<void>;
	/** Stores a workflow that waits. */
	add(parameters: INodeParameters): Promise<{ id: string; path: string }>;
	lastDocument(): string;
	noRegistrations(): Promise<unknown>;
}

/** A real n8n for the tests in the calling file, with a sandbox that has no webhooks at the start. */
export function useWaiting(name: string): WaitingStage {
	const stage = useStage(name);
	const own: WaitingStage = {
		stage,
		get n8n() {
			return stage.n8n;
		},
		credential: '',
		async restart() {
			await stage.n8n.stop();
			await startAgain(stage);
		},
		async add(parameters) {
			const { workflow, path } = waitingWorkflow('Waits', parameters, own.credential);
			return { id: (await own.n8n.api.createWorkflow(workflow)).id, path };
		},
		lastDocument: () => stage.sandbox.documents().at(-1)?.documentID ?? '',
		noRegistrations: async () =>
			await until('all webhooks are removed', () => stage.sandbox.webhooks().length === 0),
	};
	beforeAll(async () => {
		await clearStage(stage);
		own.credential = await credentialId(stage.n8n.api);
	});
	afterEach(async () => {
		stage.sandbox.faults.clear();
		await endWaits(own);
	});
	return own;
}

/** Ends the executions that a failed test has left waiting, because they could make later tests fail. */
export async function endWaits({ n8n, stage }: Pick<WaitingStage, 'n8n' | 'stage'>): Promise<void> {
	if (stage.sandbox.webhooks().length === 0) return;
	const client = await loggedIn(n8n.url, stage.owner);
	for (const { id, status } of await n8n.api.executions()) {
		if (status === 'waiting') await stopExecution(n8n.api, client, id);
	}
	await deleteWebhooks(stage.sandbox);
}
