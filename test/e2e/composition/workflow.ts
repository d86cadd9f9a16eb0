import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import type { Item } from '../../operations';
import { type Link, manualTrigger, nodeOf, workflowWith } from '../support/workflow';

/** The names of the nodes in the matrix's workflows. */
export const names = { start: 'Start', node: 'Node under test', next: 'Next', failed: 'Failed' };

/**
 * A node that adds `source` to each item. `source` is the number of the Start node's item, which n8n finds
 * through paired items.
 */
export function sourceNode(name: string, start = names.start): INode {
	return nodeOf({
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			includeOtherFields: true,
			assignments: {
				assignments: [
					{
						id: randomUUID(),
						name: 'source',
						type: 'number',
						value: `={{ $('${start}').item.json.n }}`,
					},
				],
			},
		},
	});
}

/** A workflow with Start, the node under test, and a node after each of its outputs. */
export function workflowOf(name: string, node: INode, items: Item[]): WorkflowInput {
	const links: Link[] = [
		[names.start, node.name],
		[node.name, names.next],
	];
	if (node.onError === 'continueErrorOutput') links.push([node.name, names.failed, 1]);
	const nodes = [manualTrigger(), node, sourceNode(names.next), sourceNode(names.failed)];
	return workflowWith(name, nodes, links, items);
}
