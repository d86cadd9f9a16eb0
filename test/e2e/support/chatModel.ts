import Fastify from 'fastify';

import type { N8nApi } from '../../../host/api';

/** What a chat model wants to call: a tool by its name, with these arguments. */
export interface WantedCall {
	name: string;
	arguments: object;
}

/** A message that n8n sends to a chat model. */
interface Message {
	role: string;
	content: unknown;
}

interface ChatRequest {
	messages: Message[];
	stream?: boolean;
}

/** A chat model on this machine that answers what a test wants, and a place that tools can call. */
export interface ChatModel {
	url: string;
	/** The ID of n8n's credential for it. */
	credential: string;
	/** What it wants to call, answer by answer. After the last one, it says "Done". */
	wants: WantedCall[][];
	/** What it read in each request, oldest first. */
	heard: Message[][];
	/** What tools have sent to `/done`, oldest first. */
	done: unknown[];
	close(): Promise<void>;
}

/** Starts a chat model with OpenAI's interface, for the agents of an n8n. */
export async function startChatModel(api: N8nApi): Promise<ChatModel> {
	const server = Fastify();
	const model: ChatModel = {
		url: '',
		credential: '',
		wants: [],
		heard: [],
		done: [],
		close: async () => await server.close(),
	};
	server.post('/done', async ({ body }) => {
		model.done.push(body);
		return { done: body };
	});
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		model.heard.push(body.messages);
		const calls = (model.wants.shift() ?? []).map((wanted, index) => ({
			id: `call_${model.heard.length}_${index}`,
			index,
			type: 'function',
			function: { name: wanted.name, arguments: JSON.stringify(wanted.arguments) },
		}));
		const message = calls.length ? { content: null, tool_calls: calls } : { content: 'Done' };
		const reason = calls.length ? 'tool_calls' : 'stop';
		const answer = {
			id: 'chatcmpl-1',
			created: 1,
			model: 'local',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		const choice = { index: 0, finish_reason: reason };
		const said = { role: 'assistant', ...message };
		if (!body.stream) {
			return { ...answer, object: 'chat.completion', choices: [{ ...choice, message: said }] };
		}
		const object = 'chat.completion.chunk';
		const chunk = JSON.stringify({ ...answer, object, choices: [{ ...choice, delta: said }] });
		return await reply.type('text/event-stream').send(`data: ${chunk}\n\ndata: [DONE]\n\n`);
	});
	model.url = await server.listen({ host: '127.0.0.1', port: 0 });
	const data = { apiKey: 'none-is-needed-here', url: `${model.url}/v1` };
	const credential = { name: 'OpenAI account', type: 'openAiApi', data };
	model.credential = (await api.createCredential(credential)).id;
	return model;
}
