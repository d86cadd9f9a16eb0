import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import type { Item } from '../../operations';
import { type Link, manualTrigger, nodeOf, workflowWith } from '../support/workflow';

/** The nodes of a workflow of the matrix. */
export const names = { start: 'Start', node: 'Node under test', next: 'Next', failed: 'Failed' };

/** A node that adds `source`: the number of the item that came in at the start, which n8n finds by pairing. */
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

/** Start, the node under test, and what is behind its outputs. */
export function workflowOf(name: string, node: INode, items: Item[]): WorkflowInput {
	const links: Link[] = [
		[names.start, node.name],
		[node.name, names.next],
	];
	if (node.onError === 'continueErrorOutput') links.push([node.name, names.failed, 1]);
	const nodes = [manualTrigger(), node, sourceNode(names.next), sourceNode(names.failed)];
	return workflowWith(name, nodes, links, items);
}
