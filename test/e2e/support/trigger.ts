import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { N8nApi } from '../../../host/api';
import { N8nClient } from '../../../host/apiClient';
import type { Execution, ExecutionSummary, Owner, WorkflowInput } from '../../../host/apiTypes';
import { isRunning, outputOf } from '../../../host/executions';
import type { Stage } from '../../../host/stage';
import type { Sandbox } from '../../../sandbox';
import { clientOf } from '../../support/credentials';
import { peopleFor, templateFor } from '../../support/service';
import { until } from '../../support/until';
import { credentialsOf, nodeOf, workflowWith } from './workflow';

export const triggerName = 'SignVerify Trigger';

/** The ID of the credential for the stage's sandbox. */
export async function credentialId(api: N8nApi): Promise<string> {
	const found = (await api.listCredentials()).find(({ type }) => type === 'signVerifyApi');
	return found?.id ?? '';
}

/** Unpublishes the stage's workflows so that all webhooks in the sandbox belong to the test. */
export async function clearStage({ n8n, sandbox, workflows }: Stage): Promise<void> {
	for (const id of Object.values(workflows)) await n8n.api.unpublish(id);
	await deleteWebhooks(sandbox);
}

/**
 * Deletes webhooks (by default, all of them), because the trigger waits ten seconds before it removes its own. A node
 * may remove one at the same moment, which the service reports with 404.
 */
export async function deleteWebhooks(
	sandbox: Sandbox,
	webhooks = sandbox.webhooks(),
): Promise<void> {
	const service = clientOf(sandbox);
	for (const { webHookID } of webhooks) {
		await service.deleteWebhook(webHookID).catch((error: unknown) => {
			if ((error as { httpCode?: unknown }).httpCode !== '404') throw error;
		});
	}
}

/** The properties of a node. Only the type is required. */
export type NextNode = Pick<INode, 'type'> & Partial<INode>;

/** A workflow with a trigger that has its own URL, followed by one node. */
export function triggerWorkflow(
	name: string,
	parameters: IDataObject,
	credential: string,
	next: NextNode = { type: 'n8n-nodes-base.noOp' },
): WorkflowInput {
	const trigger = nodeOf({
		name: triggerName,
		type: 'n8n-nodes-signverify.signVerifyTrigger',
		parameters: parameters as INode['parameters'],
		webhookId: randomUUID(),
		credentials: credentialsOf(credential),
	});
	const behind = nodeOf({ ...next, name: 'Next' });
	return workflowWith(name, [trigger, behind], [[triggerName, 'Next']]);
}

/** Changes the parameters of a workflow's trigger and publishes it again. */
export async function republish(api: N8nApi, id: string, parameters: IDataObject): Promise<void> {
	const { nodes } = await api.getWorkflow(id);
	const changed = nodes.map((node) =>
		node.name === triggerName ? { ...node, parameters: parameters as INode['parameters'] } : node,
	);
	await api.updateWorkflow(id, { nodes: changed });
	await api.publish(id);
}

/**
 * The sandbox's webhooks, each as its type and the first segment of its path. That segment is different in
 * test runs.
 */
export function registered({ webhooks }: Pick<Sandbox, 'webhooks'>): string[] {
	return webhooks()
		.map(({ type, webHookUrl }) => `${type} ${new URL(webHookUrl).pathname.split('/')[1]}`)
		.sort();
}

/** Creates a document that no one has signed yet. */
export async function createDocument(sandbox: Sandbox): Promise<string> {
	const template = templateFor(2, sandbox);
	return await clientOf(sandbox).createDocument({
		templateID: template.templateID,
		country: 'Mexico',
		inputs: Object.fromEntries(template.fields.map(({ key }) => [key, 'Ana'])),
		signatories: peopleFor(template),
	});
}

/**
 * Waits until a workflow has `count` executions and none of them is running. @returns At most 100 of them.
 */
export async function allExecutions(
	api: N8nApi,
	workflowId: string,
	count: number,
): Promise<ExecutionSummary[]> {
	return await until(`workflow ${workflowId} has ${count} executions`, async () => {
		const found = await api.executions({ workflowId, limit: 100 });
		return found.length >= count && !found.some(isRunning) ? found : undefined;
	});
}

/** The items that the trigger returned in these executions. */
export async function eventsOf(
	api: N8nApi,
	executions: ExecutionSummary[],
): Promise<IDataObject[]> {
	const whole: Execution[] = [];
	for (const { id } of executions) whole.push(await api.execution(id));
	return whole.flatMap((execution) => outputOf(execution, triggerName).map(({ json }) => json));
}

/** A logged-in client for calls to n8n's REST API that the host's client does not cover. */
export async function loggedIn(url: string, { email, password }: Owner): Promise<N8nClient> {
	const client = new N8nClient(url);
	await client.call('POST', '/login', { body: { emailOrLdapLoginId: email, password } });
	return client;
}

/**
 * Retries an execution, like the Retry command in the list of executions. n8n responds once the new execution
 * is waiting or has ended.
 * @returns The new execution's ID.
 */
export async function retryExecution(
	client: N8nClient,
	id: string,
	loadWorkflow: boolean,
): Promise<string> {
	const body = { loadWorkflow };
	return (await client.call<{ id: string }>('POST', `/executions/${id}/retry`, { body })).id;
}

/** All executions of a workflow, read page by page, because n8n returns at most 100 at a time. */
export async function everyExecution(
	client: N8nClient,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	const all: ExecutionSummary[] = [];
	let cursor: string | undefined;
	do {
		const page = await client.call<ExecutionPage>('GET', '/executions', {
			query: {
				filter: JSON.stringify({ workflowId }),
				limit: '100',
				...(cursor ? { cursor } : {}),
			},
		});
		all.push(...page.results);
		cursor = page.nextCursor ?? undefined;
	} while (cursor);
	return all;
}

interface ExecutionPage {
	results: ExecutionSummary[];
	nextCursor?: string | null;
}
