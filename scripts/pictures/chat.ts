import { randomUUID } from 'node:crypto';

import { NodeConnectionTypes } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import type { Stage } from '../../host/stage';
import { startChatModel, type ChatModel } from '../../test/e2e/support/chatModel';
import { loggedIn } from '../../test/e2e/support/trigger';
import { connect, nodeOf } from '../../test/e2e/support/workflow';
import { isNote } from './fingerprints';
import { shoot, type Take } from './studio';

const question =
	'Send Ana Gil, ana@example.com, the employment contract. She starts as a cook on January 11, 2027. Spanish law applies. Our number is C-1.';
const preview = {
	template: 'Employment contract',
	signatories: [{ name: 'Ana Gil', email: 'ana@example.com' }],
	fields: JSON.stringify({ employee_name: 'Ana Gil', role: 'Cook', start_date: '2027-01-11' }),
	country: 'Spain',
};

/** What the tool answers. */
interface Preview {
	title: string;
	country: string;
	signatories: Array<{ name: string; email: string }>;
	fields: Record<string, string>;
}

/** What a model would say about a preview: all that the tool has answered. */
function wordsFor(answer: string): string {
	const [{ title, country, signatories, fields }] = JSON.parse(answer) as [Preview];
	return [
		'This is what would go out. Nothing has been sent yet.',
		'',
		`- **Contract:** ${title}`,
		`- **Signed by:** ${signatories.map(({ name, email }) => `${name} (${email})`).join(', ')}`,
		...Object.entries(fields).map(([name, value]) => `- **${name}:** ${value}`),
		`- **Country:** ${country}`,
		'',
		'Shall I send it as C-1?',
	].join('\n');
}

/**
 * Has an agent in n8n's Chat preview a contract with the tools of the signing desk. Only the model is a stand-in, which
 * knows which tool to call, and passes on the tool's response.
 */
export const shootChat: Take = async ({ stage, editor }) => {
	const model = await startChatModel(stage.n8n.api);
	try {
		const id = await publishDesk(stage, model);
		model.wants = [[{ name: 'Preview_a_contract', arguments: preview }]];
		model.says = wordsFor;
		await editor.setViewportSize({ width: 1000, height: 720 });
		await editor.goto(`${stage.n8n.url}/home/chat?workflowId=${id}`);
		await editor.getByPlaceholder('Message Signing desk').fill(question);
		await editor.keyboard.press('Enter');
		await editor.getByText('Shall I send it as C-1?').first().waitFor();
		await editor.waitForTimeout(2000);
		await shoot(editor, 'signing-desk-chat');
	} finally {
		await model.close();
	}
};

/** Publishes the signing desk for n8n's Chat: an agent replaces the trigger for other apps. @returns Its ID. */
async function publishDesk({ n8n, owner }: Stage, model: ChatModel): Promise<string> {
	const { api } = n8n;
	const client = await loggedIn(n8n.url, owner);
	await client.call('PUT', '/chat/enabled', { body: { enabled: true } });
	const ids = Object.fromEntries((await api.listCredentials()).map(({ id, type }) => [type, id]));
	const { nodes, connections } = await readExample('signing-desk', ids);
	const isTrigger = ({ type }: { type: string }) => type.endsWith('.mcpTrigger');
	const { name: deskName = '', parameters } = nodes.find(isTrigger) ?? {};
	const langchain = '@n8n/n8n-nodes-langchain';
	const chat = nodeOf({
		name: 'Chat',
		type: `${langchain}.chatTrigger`,
		typeVersion: 1.4,
		webhookId: randomUUID(),
		parameters: {
			availableInChat: true,
			agentName: deskName,
			options: { responseMode: 'streaming' },
		},
	});
	const agent = nodeOf({
		name: deskName,
		type: `${langchain}.agent`,
		typeVersion: 3.1,
		parameters: { options: { systemMessage: parameters?.instructions as string } },
	});
	const standIn = nodeOf({
		name: 'Model',
		type: `${langchain}.lmChatOpenAi`,
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'gpt-5-mini' }, options: {} },
		credentials: { openAiApi: { id: model.credential, name: 'OpenAI account' } },
	});
	const type = NodeConnectionTypes.AiLanguageModel;
	const { id } = await api.createWorkflow({
		name: `${deskName} in Chat`,
		// In n8n's older order of execution, an agent gets an empty answer from its tools.
		settings: { executionOrder: 'v1' },
		nodes: [chat, agent, standIn, ...nodes.filter((node) => !isTrigger(node) && !isNote(node))],
		connections: {
			...connections,
			...connect([[chat.name, deskName]]),
			[standIn.name]: { [type]: [[{ node: deskName, type, index: 0 }]] },
		},
	});
	await api.publish(id);
	return id;
}
