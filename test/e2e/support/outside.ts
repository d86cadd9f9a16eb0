import Fastify, { type FastifyInstance } from 'fastify';

/** A file that somebody put into the storage. */
export interface StoredFile {
	/** Bucket and key: `contracts/2027/name.pdf`. */
	key: string;
	content: Buffer;
}

/** What a tool takes. If a person reviews its calls, that is one level further down. */
interface ToolParameters {
	toolParameters?: { properties: object };
}

/** What a chat model is asked, as far as the tests look at it. */
export interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; parameters: { properties: ToolParameters } } }>;
}

/** Stand-ins, on this machine, for what examples reach besides the service: storage, chat model. */
export interface Outside {
	url: string;
	/** What was stored, in its order. */
	files: StoredFile[];
	/** What the chat model was asked, in its order. */
	chats: ChatRequest[];
	close(): Promise<void>;
}

/**
 * Starts the stand-ins.
 * @param decide What the chat model has its one tool do when a person has written.
 */
export async function startOutside(decide: () => object): Promise<Outside> {
	const server = Fastify();
	const files: StoredFile[] = [];
	const chats: ChatRequest[] = [];
	const outside: Outside = {
		url: '',
		files,
		chats,
		close: async () => await server.close(),
	};
	addStorage(server, outside);
	addChatModel(server, chats, decide);
	outside.url = await server.listen({ host: '127.0.0.1', port: 0 });
	return outside;
}

/** As much of an S3 as n8n's node asks for: where a bucket is, and to put a file into it. */
function addStorage(server: FastifyInstance, outside: Outside): void {
	server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
		done(null, body),
	);
	server.get('/s3/*', async (_request, reply) => {
		await reply.type('application/xml').send('<LocationConstraint>local</LocationConstraint>');
	});
	server.put<{ Params: { '*': string } }>('/s3/*', async (request, reply) => {
		const key = request.params['*'];
		outside.files.push({ key, content: request.body as Buffer });
		await reply.send('');
	});
}

/** A chat model that uses its tool once, and then says what the tool gave. */
function addChatModel(server: FastifyInstance, chats: ChatRequest[], decide: () => object): void {
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }) => {
		chats.push(body);
		const last = body.messages.at(-1);
		const tool = body.tools?.[0]?.function;
		const isReviewed = tool?.parameters.properties.toolParameters !== undefined;
		const wanted = decide();
		if (last?.role === 'tool') return answer({ content: `Done: ${String(last.content)}` }, 'stop');
		const call = {
			id: 'call_1',
			type: 'function',
			function: {
				name: tool?.name,
				arguments: JSON.stringify(
					isReviewed ? { toolParameters: wanted, hitlParameters: {} } : wanted,
				),
			},
		};
		return answer({ content: null, tool_calls: [call] }, 'tool_calls');
	});
}

function answer(message: object, reason: string): object {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 1,
		model: 'local',
		choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
