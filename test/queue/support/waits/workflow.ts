import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../../host/apiTypes';
import type { Sandbox } from '../../../../sandbox';
import { filledForm } from '../../../support/contract';

/** What a call to the workflow carries. */
export interface WaitBody {
	/** The name of the call, by which n8n's data say what an execution comes from. */
	call: string;
	keys: string[];
}

/** A workflow that waits, and the path of the webhook that starts it. */
export interface WaitWorkflow {
	workflow: WorkflowInput;
	path: string;
}

type Given = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

function node({ name, type, ...rest }: Given, index: number): INode {
	return { id: randomUUID(), name, type, position: [index * 200, 0], ...rest };
}

/** The node that waits: a document for the item, whose only signatory is named by the item's key. */
function waitingNode(sandbox: Sandbox, credential: string, limitMinutes?: number): Given {
	const template = sandbox.templates().find(({ slots }) => slots.length === 1);
	if (!template) throw new Error('The sandbox has no template for one signatory.');
	const limit = { limitWaitTime: limitMinutes, limitWaitTimeUnit: 'minutes' };
	return {
		name: 'Sign',
		type: 'n8n-nodes-signverify.signVerify',
		typeVersion: 1.1,
		parameters: {
			resource: 'document',
			operation: 'sendAndWait',
			...filledForm(template),
			signatories: { signatory: [{ email: '={{ $json.list }}@example.com', name: 'Ana Lima' }] },
			...(limitMinutes === undefined ? {} : limit),
		},
		credentials: { signVerifyApi: { id: credential, name: 'SignVerify sandbox' } },
	};
}

/** Tells a server which item came out. Its execution can die before it, during it and after it. */
function tellingNode(url: string): Given {
	const said = `{
		execution: $execution.id,
		key: $('Loop').item.json.list,
		document: $json.documentId,
		completed: $json.completed,
		timedOut: $json.timedOut
	}`;
	return {
		name: 'Tell',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ JSON.stringify(${said}) }}`,
			options: {},
		},
	};
}

/**
 * A workflow that is called with keys, sends a document for each, waits until it is signed, and tells
 * a server of each item that comes out.
 *
 * @param url of that server
 */
export function waitWorkflow(
	sandbox: Sandbox,
	credential: string,
	url: string,
	limitMinutes?: number,
): WaitWorkflow {
	const path = randomUUID();
	const given: Given[] = [
		{
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path, httpMethod: 'POST' },
			webhookId: path,
		},
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: '={{ { list: $json.body.keys } }}' },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'list' },
		},
		{
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1 },
		},
		waitingNode(sandbox, credential, limitMinutes),
		tellingNode(url),
	];
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const connections = {
		Call: { main: [to('List')] },
		List: { main: [to('Items')] },
		Items: { main: [to('Loop')] },
		Loop: { main: [[], to('Sign')] },
		Sign: { main: [to('Tell')] },
		Tell: { main: [to('Loop')] },
	};
	const name = limitMinutes === undefined ? 'Waits' : 'Waits, with a limit';
	const settings = { executionOrder: 'v1' as const };
	return { path, workflow: { name, nodes: given.map(node), connections, settings } };
}
