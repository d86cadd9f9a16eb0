import { randomUUID } from 'node:crypto';

import { NodeConnectionTypes } from 'n8n-workflow';

import type { Stage } from '../../host/stage';
import { startChatModel, type ChatModel } from '../../test/e2e/support/chatModel';
import { askForAccess } from '../../test/e2e/support/mcpClient';
import { loggedIn } from '../../test/e2e/support/trigger';
import { connect, nodeOf } from '../../test/e2e/support/workflow';
import { publish, shoot, type Take } from './studio';

const question =
	'Send Ana Gil, ana@example.com, the employment contract. She starts as a cook on January 11, 2027. Spanish law applies. Our number is C-1.';

/** What the desk answers to a preview. */
interface Preview {
	title: string;
	signatories: Array<{ name: string; email: string }>;
	fields: Record<string, string>;
}

/** What a model would say about a preview: all that the desk has answered. */
function wordsFor(answer: string): string {
	console.log('HEARD', answer);
	const find = (value: unknown): Preview | undefined => {
		if (typeof value === 'string') {
			try {
				return find(JSON.parse(value));
			} catch {
				return undefined;
			}
		}
		if (typeof value !== 'object' || value === null) return undefined;
		if ('signatories' in value) return value as Preview;
		for (const part of Object.values(value)) {
			const found = find(part);
			if (found) return found;
		}
		return undefined;
	};
	const { title, signatories, fields } = find(answer) as Preview;
	const people = signatories.map(({ name, email }) => `${name} (${email})`).join(', ');
	const values = Object.entries(fields).map(([name, value]) => `- ${name}: ${value}`);
	return [`This is **${title}** for ${people}:`, '', ...values, '', 'Shall I send it as C-1?'].join(
		'\n',
	);
}

/**
 * Has an agent in n8n's chat preview a contract at the signing desk. The agent reaches the desk as any AI app does, at
 * its URL and with a login. Only the model is a stand-in, which knows which tool to call.
 */
export const shootChat: Take = async ({ stage, editor }) => {
	await publish(stage, 'signing-desk');
	const model = await startChatModel(stage.n8n.api);
	try {
		const id = await publishAssistant(stage, model);
		model.wants = [[{ name: 'Signing_desk_Preview_a_contract', arguments: preview }]];
		model.says = wordsFor;
		await editor.setViewportSize({ width: 1000, height: 640 });
		await editor.goto(`${stage.n8n.url}/home/chat?workflowId=${id}`);
		await editor.getByPlaceholder('Message Assistant').fill(question);
		await editor.keyboard.press('Enter');
		await editor.getByText('Shall I send it as C-1?').first().waitFor();
		await editor.waitForTimeout(2000);
		await shoot(editor, 'signing-desk-chat');
	} finally {
		await model.close();
	}
};

const preview = {
	template: 'Employment contract',
	signatories: [{ name: 'Ana Gil', email: 'ana@example.com' }],
	fields: JSON.stringify({ employee_name: 'Ana Gil', role: 'Cook', start_date: '2027-01-11' }),
	country: 'Spain',
};

/** Publishes a workflow whose agent uses the desk's tools, for n8n's Chat. @returns Its ID. */
async function publishAssistant(stage: Stage, model: ChatModel): Promise<string> {
	const { api } = stage.n8n;
	const client = await loggedIn(stage.n8n.url, stage.owner);
	await client.call('PUT', '/chat/enabled', { body: { enabled: true } });
	const token = await askForAccess(stage.deskUrl, stage.owner);
	const bearer = { name: 'Signing desk', type: 'httpBearerAuth', data: { token } };
	const { id } = await api.createCredential(bearer);
	const langchain = '@n8n/n8n-nodes-langchain';
	const nodes = [
		nodeOf({
			name: 'Chat',
			type: `${langchain}.chatTrigger`,
			typeVersion: 1.4,
			webhookId: randomUUID(),
			parameters: {
				availableInChat: true,
				agentName: 'Assistant',
				options: { responseMode: 'streaming' },
			},
		}),
		nodeOf({ name: 'Assistant', type: `${langchain}.agent`, typeVersion: 3.1 }),
		nodeOf({
			name: 'Model',
			type: `${langchain}.lmChatOpenAi`,
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'gpt-5-mini' }, options: {} },
			credentials: { openAiApi: { id: model.credential, name: 'OpenAI account' } },
		}),
		nodeOf({
			name: 'Signing desk',
			type: `${langchain}.mcpClientTool`,
			typeVersion: 1.2,
			parameters: { endpointUrl: stage.deskUrl, authentication: 'bearerAuth', options: {} },
			credentials: { httpBearerAuth: { id, name: bearer.name } },
		}),
	];
	const positions = [
		[0, 0],
		[224, 0],
		[160, 224],
		[320, 224],
	] as const;
	nodes.forEach((node, index) => (node.position = [...(positions[index] ?? [0, 0])]));
	const connections = {
		...connect([['Chat', 'Assistant']]),
		Model: {
			ai_languageModel: [
				[{ node: 'Assistant', type: NodeConnectionTypes.AiLanguageModel, index: 0 }],
			],
		},
		'Signing desk': {
			ai_tool: [[{ node: 'Assistant', type: NodeConnectionTypes.AiTool, index: 0 }]],
		},
	};
	const workflow = await api.createWorkflow({ name: 'Assistant', nodes, connections });
	await api.publish(workflow.id);
	return workflow.id;
}
