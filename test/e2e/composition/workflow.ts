import { randomUUID } from 'node:crypto';

import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

import type { Credential, WorkflowInput } from '../../../host/apiTypes';
import { versionOf } from '../../../host/workflow';
import type { Item } from '../../operations';

/** The nodes of a workflow of the matrix. */
export const names = { start: 'Start', node: 'Node under test', next: 'Next', failed: 'Failed' };

/** A node with what it needs to be said. */
export type NodeInput = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** A node with an ID and a place. */
export function nodeOf(input: NodeInput): INode {
	return {
		id: randomUUID(),
		typeVersion: versionOf(input.type),
		position: [0, 0],
		parameters: {},
		...input,
	};
}

/** A SignVerify node. */
export function signVerify(
	credential: Credential,
	parameters: INodeParameters,
	rest: Partial<INode> = {},
): INode {
	return nodeOf({
		name: names.node,
		type: 'n8n-nodes-signverify.signVerify',
		parameters,
		credentials: { signVerifyApi: { id: credential.id, name: credential.name } },
		...rest,
	});
}

/** A trigger that is run by hand. */
export function manualTrigger(name = names.start): INode {
	return nodeOf({ name, type: 'n8n-nodes-base.manualTrigger' });
}

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

/** A connection between two nodes. */
export type Link = [from: string, to: string, output?: number, input?: number];

/** n8n's form of connections. */
export function connect(links: Link[]): IConnections {
	const connections: IConnections = {};
	for (const [from, to, output = 0, input = 0] of links) {
		const main = ((connections[from] ??= { main: [] }).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: input });
	}
	return connections;
}

/** Start, the node under test, and what is behind its outputs. */
export function workflowOf(name: string, node: INode, items: Item[]): WorkflowInput {
	return {
		name: name.slice(0, 100),
		nodes: [manualTrigger(), node, sourceNode(names.next), sourceNode(names.failed)],
		connections: connect([
			[names.start, node.name],
			[node.name, names.next],
			...(node.onError === 'continueErrorOutput' ? [[node.name, names.failed, 1] as Link] : []),
		]),
		settings: { executionOrder: 'v1' },
		pinData: { [names.start]: items.map((json) => ({ json })) },
	};
}
