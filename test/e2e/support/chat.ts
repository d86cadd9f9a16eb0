import { randomUUID } from 'node:crypto';

import type { N8nApi } from '../../../host/api';
import type { N8nClient } from '../../../host/apiClient';
import type { Execution } from '../../../host/apiTypes';
import { lineOf, type Step } from '../../../host/workflow';
import { until } from '../../support/until';
import { untilEnded } from './wait';
import { connect, nodeOf } from './workflow';

/**
 * Publishes a workflow that starts with a message in n8n's Chat and then runs the given node.
 * @param client A logged-in client (see loggedIn).
 * @returns A function that sends a message to the workflow in Chat, and returns the execution once it has ended.
 */
export async function publishForChat(
	api: N8nApi,
	client: N8nClient,
	step: Step,
): Promise<() => Promise<Execution>> {
	await client.call('PUT', '/chat/enabled', { body: { enabled: true } });
	const chat = nodeOf({
		name: 'Chat',
		type: '@n8n/n8n-nodes-langchain.chatTrigger',
		typeVersion: 1.4,
		webhookId: randomUUID(),
		parameters: { availableInChat: true, options: { responseMode: 'lastNode' } },
	});
	const { nodes } = lineOf('In Chat', [step]);
	const { id } = await api.createWorkflow({
		name: 'In Chat',
		nodes: [chat, ...nodes.slice(1)],
		connections: connect([[chat.name, step.name]]),
	});
	await api.publish(id);
	return async () => {
		const [messageId, sessionId] = [randomUUID(), randomUUID()];
		const known = new Set((await api.executions({ workflowId: id })).map((one) => one.id));
		await client.call('POST', '/chat/conversations/send', {
			body: {
				messageId,
				sessionId,
				message: 'Send it',
				model: { provider: 'n8n', workflowId: id },
				previousMessageId: null,
				credentials: {},
				attachments: [],
				timeZone: 'UTC',
			},
		});
		const latest = await until('Chat has started the workflow', async () => {
			const executions = await api.executions({ workflowId: id });
			return executions.find((one) => !known.has(one.id))?.id;
		});
		return await untilEnded(api, latest);
	};
}
