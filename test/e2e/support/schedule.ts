import type { INode } from 'n8n-workflow';

import type { N8nApi } from '../../../host/api';
import type { Execution } from '../../../host/apiTypes';
import { manualTrigger, nodeOf, subWorkflowCall, workflowWith } from './workflow';

/**
 * Lets {@link runAt} start a workflow instead of its schedule. If a test ran the schedule by hand, n8n would treat the
 * execution as a test, and a published schedule starts only at its time.
 */
export function replaceSchedule(nodes: INode[]): void {
	for (const node of nodes) {
		if (node.type !== 'n8n-nodes-base.scheduleTrigger') continue;
		const { name, type, parameters, typeVersion } = nodeOf({
			name: node.name,
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		});
		Object.assign(node, { name, type, parameters, typeVersion });
	}
}

/**
 * Runs a workflow as if its schedule had started it at this time. It isn't a test, because another workflow starts it.
 * @returns The finished execution of that other workflow, which fails if the workflow fails.
 */
export async function runAt(
	api: N8nApi,
	id: string,
	at: Date,
	patienceMs?: number,
): Promise<Execution> {
	const call = subWorkflowCall('Call', id);
	const nodes = [manualTrigger(), call];
	const schedule = [{ timestamp: at.toISOString() }];
	const caller = workflowWith('Caller', nodes, [['Start', 'Call']], schedule);
	const { id: callerId } = await api.createWorkflow(caller);
	return await api.waitForExecution(await api.run(callerId, 'Start'), patienceMs);
}
