import { randomUUID } from 'node:crypto';

import type { IConnections, IDataObject, INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import { versionOf } from '../../../host/workflow';

/** The properties of a node. Only the name and the type are required. */
export type NodeInput = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** A complete node, with an ID and a position. */
export function nodeOf(input: NodeInput): INode {
	return {
		id: randomUUID(),
		typeVersion: versionOf(input.type),
		position: [0, 0],
		parameters: {},
		...input,
	};
}

export function manualTrigger(): INode {
	return nodeOf({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' });
}

/** A node that starts a workflow and waits for it. @param id The ID of that workflow. */
export function subWorkflowCall(name: string, id: string): INode {
	return nodeOf({
		name,
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: id },
			options: {},
		},
	});
}

/** The credential setting for one of the package's nodes. @param id The ID of the credential. */
export function credentialsOf(id: string): NonNullable<INode['credentials']> {
	return { signVerifyApi: { id, name: 'SignVerify sandbox' } };
}

export type Link = [from: string, to: string, output?: number, input?: number];

export function connect(links: Link[]): IConnections {
	const connections: IConnections = {};
	for (const [from, to, output = 0, input = 0] of links) {
		const main = ((connections[from] ??= { main: [] }).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: input });
	}
	return connections;
}

/** A workflow. @param items The output of the first node when the workflow is run manually. */
export function workflowWith(
	name: string,
	nodes: INode[],
	links: Link[],
	items?: IDataObject[],
): WorkflowInput {
	const [first] = nodes;
	return {
		name: name.slice(0, 100),
		nodes: nodes.map((node, index) => ({ ...node, position: [200 * index, node.position[1]] })),
		connections: connect(links),
		settings: { executionOrder: 'v1' },
		...(first && items ? { pinData: { [first.name]: items.map((json) => ({ json })) } } : {}),
	};
}
