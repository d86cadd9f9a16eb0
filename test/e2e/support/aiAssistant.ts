import { randomUUID } from 'node:crypto';

import type { Stage } from '../../../host/stage';
import { until } from '../../support/until';
import type { ChatModel } from './chatModel';
import { loggedIn } from './trigger';

interface Confirmation {
	confirmation?: { requestId: string };
}

interface Thread {
	messages: Array<{ agentTree?: { toolCalls: Confirmation[] } }>;
}

/**
 * Has n8n's AI Assistant use a local chat model.
 * @returns A function that has the Assistant run a stored workflow from one of its triggers, as a user who
 * confirms the run.
 */
export async function connectAiAssistant({ n8n, owner }: Stage, model: ChatModel) {
	const client = await loggedIn(n8n.url, owner);
	const { id: projectId } = await client.call<{ id: string }>('GET', '/projects/personal');
	const modelConnection = {
		type: 'openAiApi',
		data: { apiKey: 'none-is-needed-here', url: `${model.url}/v1` },
	};
	await client.call('PUT', '/instance-ai/settings', {
		body: { enabled: true, modelName: 'gpt-5-mini', modelConnection },
	});
	return async (workflowId: string, triggerNodeName: string): Promise<void> => {
		const threadId = randomUUID();
		const run = { action: 'run', workflowId, triggerNodeName, inputData: {} };
		model.wants = [[{ name: 'executions', arguments: { ...run, approvalSummary: 'Runs it' } }]];
		await client.call('POST', '/instance-ai/threads', {
			body: { threadId, projectId, source: 'assistant_page' },
		});
		await client.call('POST', `/instance-ai/chat/${threadId}`, { body: { message: 'Run it' } });
		const requestId = await until('the Assistant asks for a confirmation', async () => {
			const { messages } = await client.call<Thread>(
				'GET',
				`/instance-ai/threads/${threadId}/messages`,
			);
			const calls = messages.flatMap(({ agentTree }) => agentTree?.toolCalls ?? []);
			return calls.find(({ confirmation }) => confirmation)?.confirmation?.requestId;
		});
		await client.call('POST', `/instance-ai/confirm/${requestId}`, {
			body: { kind: 'approval', approved: true },
		});
	};
}
