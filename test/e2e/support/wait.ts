import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { N8nApi } from '../../../host/api';
import type { Execution, WorkflowInput } from '../../../host/api-types';
import type { Sandbox } from '../../../sandbox';
import { until } from './stage';

/** The node that waits, and the one behind it, in the workflows of these tests. */
export const waitingName = 'Sign';
export const nextName = 'Next';

/** A workflow that waits: started by hand and by a call to a webhook of its own. */
export function waitingWorkflow(
	name: string,
	parameters: INodeParameters,
	credential: string,
	items = 1,
): { workflow: WorkflowInput; path: string } {
	const path = randomUUID();
	const node = (name_: string, type: string, rest: Partial<INode>): INode => ({
		id: randomUUID(),
		name: name_,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...rest,
	});
	const next = (target: string) => ({
		main: [[{ node: target, type: 'main' as const, index: 0 }]],
	});
	return {
		path,
		workflow: {
			name,
			nodes: [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Call', 'n8n-nodes-base.webhook', {
					typeVersion: 2,
					parameters: { path, httpMethod: 'POST' },
					webhookId: path,
				}),
				node('List', 'n8n-nodes-base.set', {
					typeVersion: 3.4,
					parameters: { mode: 'raw', jsonOutput: JSON.stringify({ list: numbers(items) }) },
				}),
				node('Items', 'n8n-nodes-base.splitOut', { parameters: { fieldToSplitOut: 'list' } }),
				node(waitingName, 'n8n-nodes-signverify.signVerify', {
					parameters,
					credentials: { signVerifyApi: { id: credential, name: 'SignVerify sandbox' } },
				}),
				node(nextName, 'n8n-nodes-base.noOp', {}),
			],
			connections: {
				Start: next('List'),
				Call: next('List'),
				List: next('Items'),
				Items: next(waitingName),
				[waitingName]: next(nextName),
			},
			settings: { executionOrder: 'v1' },
		},
	};
}

/** The form of document / sendAndWait for a template of the sandbox, filled in. */
export function sendAndWait(sandbox: Sandbox, rest: IDataObject = {}): INodeParameters {
	const template = sandbox.templates().find(({ templateID }) => templateID.endsWith('202'));
	if (!template) throw new Error('The sandbox has no such template.');
	return {
		resource: 'document',
		operation: 'sendAndWait',
		templateVersion: 'v2',
		templateId: { __rl: true, mode: 'id', value: template.templateID },
		fields: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(template.fields.map(({ key }) => [key, 'Ana'])),
		},
		signatories: {
			signatory: template.slots.map((_, index) => ({
				email: `person-${index}@example.com`,
				name: `Person number ${index}`,
			})),
		},
		country: 'Mexico',
		...rest,
	};
}

/** Waits until an execution waits, or has ended. */
export async function waiting(api: N8nApi, id: string): Promise<Execution> {
	const execution = await api.waitForExecution(id);
	expect([execution.status, execution.error?.message]).toEqual(['waiting', undefined]);
	return execution;
}

/** Waits until an execution has gone on to its end. */
export async function ended(api: N8nApi, id: string, timeoutMs = 20_000): Promise<Execution> {
	return await until(
		`the end of execution ${id}`,
		async () => {
			const execution = await api.execution(id);
			return ['waiting', 'running', 'new'].includes(execution.status) ? undefined : execution;
		},
		timeoutMs,
	);
}

/** Everybody signs a document. */
export async function signAll(sandbox: Sandbox, documentID: string): Promise<void> {
	const document = sandbox.documents().find((each) => each.documentID === documentID);
	for (const each of document?.signatory ?? []) {
		await sandbox.sign(documentID, each.emailID);
	}
}

/** The form of identity / sendAndWait. */
export function identityAndWait(rest: IDataObject): INodeParameters {
	return { resource: 'identity', operation: 'sendAndWait', ...rest };
}

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}
