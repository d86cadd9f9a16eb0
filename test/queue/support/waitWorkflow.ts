import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import type { Sandbox } from '../../../sandbox';
import { filledForm } from '../../support/contract';

/** What a call to the workflow carries. */
export interface WaitBody {
	/** By its name, n8n's data say which call an execution comes from. */
	call: string;
	limitMinutes: number;
}

/**
 * A workflow that is called, sends a document, waits until it is signed, and tells a server of the item
 * that it continues with. Its execution can die before that, meanwhile, and after it.
 * @param url Of that server.
 * @returns With the path of the webhook that starts it.
 */
export function waitWorkflow(
	sandbox: Sandbox,
	credential: string,
	url: string,
): { workflow: WorkflowInput; path: string } {
	const template = sandbox.templates().find(({ slots }) => slots.length === 1);
	if (!template) throw new Error('The sandbox has no template for one signatory.');
	const path = randomUUID();
	const told = `{
		execution: $execution.id,
		call: $('Call').first().json.body.call,
		document: $json.documentId,
		completed: $json.completed,
		timedOut: $json.timedOut,
		waitUntil: $json.waitUntil
	}`;
	const nodes: Array<Omit<INode, 'id' | 'position'>> = [
		{
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path, httpMethod: 'POST' },
			webhookId: path,
		},
		{
			name: 'Sign',
			type: 'n8n-nodes-signverify.signVerify',
			typeVersion: 1.1,
			parameters: {
				resource: 'document',
				operation: 'sendAndWait',
				...filledForm(template),
				signatories: {
					// The document names the call that it comes from.
					signatory: [{ email: '={{ $json.body.call }}@example.com', name: 'Ana Lima' }],
				},
				limitWaitTime: '={{ $json.body.limitMinutes }}',
				limitWaitTimeUnit: 'minutes',
			},
			credentials: { signVerifyApi: { id: credential, name: 'SignVerify sandbox' } },
		},
		{
			name: 'Tell',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `={{ JSON.stringify(${told}) }}`,
				options: {},
			},
		},
	];
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return {
		path,
		workflow: {
			name: 'Waits',
			nodes: nodes.map((node, index) => ({
				...{ id: randomUUID(), position: [index * 200, 0] as [number, number] },
				...node,
			})),
			connections: { Call: to('Sign'), Sign: to('Tell') },
			settings: { executionOrder: 'v1' },
		},
	};
}
