import Fastify from 'fastify';

import type { N8nApi } from '../../../host/api';

/** A tool that a chat model should call, and the arguments for the call. */
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

/**
 * A local chat model that makes the tool calls specified by a test. It also has a URL that tools can call.
 */
export interface ChatModel {
	url: string;
	/** The ID of n8n's credential for the model. */
	credential: string;
	/** The tool calls in each response. When none are left, the model responds with {@link says}. */
	wants: WantedCall[][];
	/** What the model says about the last message that it got, such as a tool's response. */
	says: (heard: string) => string;
	/** The messages in each request to the model, oldest first. */
	heard: Message[][];
	/** The bodies that tools have sent to `/done`, oldest first. */
	done: unknown[];
	close(): Promise<void>;
}

/** Starts a chat model that implements OpenAI's API, for the agents in this n8n. */
export async function startChatModel(api: N8nApi): Promise<ChatModel> {
	const server = Fastify();
	const model: ChatModel = {
		url: '',
		credential: '',
		wants: [],
		says: () => 'Done',
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
		const last = body.messages.at(-1)?.content;
		const message = calls.length
			? { content: null, tool_calls: calls }
			: { content: model.says(typeof last === 'string' ? last : JSON.stringify(last)) };
		const reason = calls.length ? 'tool_calls' : 'stop';
		const completion = {
			id: 'chatcmpl-1',
			created: 1,
			model: 'local',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		const choice = { index: 0, finish_reason: reason };
		const said = { role: 'assistant', ...message };
		if (!body.stream) {
			return { ...completion, object: 'chat.completion', choices: [{ ...choice, message: said }] };
		}
		const object = 'chat.completion.chunk';
		const chunk = JSON.stringify({ ...completion, object, choices: [{ ...choice, delta: said }] });
		return await reply.type('text/event-stream').send(`data: ${chunk}\n\ndata: [DONE]\n\n`);
	});
	model.url = await server.listen({ host: '127.0.0.1', port: 0 });
	const data = { apiKey: 'none-is-needed-here', url: `${model.url}/v1` };
	const credential = { name: 'OpenAI account', type: 'openAiApi', data };
	model.credential = (await api.createCredential(credential)).id;
	return model;
}
