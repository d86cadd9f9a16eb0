import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import { lineOf, type Step } from '../../../host/workflow';

/**
 * A workflow that goes through a list, with an item for each of its values, as `list`: started by
 * hand and by a POST to a webhook of its own.
 *
 * @param list an object with the values as `list`: JSON, or an expression
 * @returns with the webhook's path, as it stands behind `/webhook/`
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
	const call: INode = {
		id: randomUUID(),
		name: 'Call',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position: [0, 200],
		parameters: { path, httpMethod: 'POST' },
		webhookId: path,
	};
	const connections = {
		...line.connections,
		[call.name]: { main: [[{ node: 'List', type: 'main' as const, index: 0 }]] },
	};
	const settings = { executionOrder: 'v1' as const };
	return { path, workflow: { ...line, nodes: [...line.nodes, call], connections, settings } };
}
