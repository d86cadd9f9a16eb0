import type { IConnections, INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../../host/apiTypes';
import { lineOf, type Step } from '../../../host/workflow';
import { nodeOf } from './workflow';

/** The names of the nodes in the workflows of these tests. */
export const agentName = 'Agent';
export const reviewName = 'Review';
export const toolName = 'Pay';

/**
 * A workflow with an AI agent whose one tool, which pays an amount, is reviewed.
 * @param modelUrl Where the chat model is, and what the tool calls.
 * @param review The node that reviews.
 * @param items What the agent gets.
 * @param openAi The ID of the credential of the chat model.
 */
export function reviewedWorkflow(
	modelUrl: string,
	review: Step,
	openAi: string,
	items: object[] = [{ order: 'o-1', approver: 'person-0@example.com' }],
): WorkflowInput {
	const line = lineOf('Reviewed', [
		{
			name: agentName,
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Pay what is due', options: {} },
		},
	]);
	const below: Step[] = [
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'local' }, options: {} },
			credentials: { openAiApi: { id: openAi, name: 'OpenAI account' } },
		},
		{ ...review, name: reviewName },
		{
			name: toolName,
			type: 'n8n-nodes-base.httpRequestTool',
			typeVersion: 4.2,
			parameters: payParameters(modelUrl),
		},
	];
	const nodes = below.map((step) => nodeOf(step));
	const link = (node: string, type: 'ai_languageModel' | 'ai_tool'): IConnections[string] => ({
		[type]: [[{ node, type, index: 0 }]],
	});
	return {
		...line,
		nodes: [...line.nodes, ...nodes],
		connections: {
			...line.connections,
			Model: link(agentName, 'ai_languageModel'),
			[reviewName]: link(agentName, 'ai_tool'),
			[toolName]: link(reviewName, 'ai_tool'),
		},
		pinData: { Start: items.map((json) => ({ json })) },
		settings: { executionOrder: 'v1' },
	};
}

function payParameters(modelUrl: string): INodeParameters {
	return {
		toolDescription: 'Pays an amount',
		method: 'POST',
		url: `${modelUrl}/done`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: "={{ { amount: $fromAI('amount', 'How much', 'number') } }}",
		options: {},
	};
}
