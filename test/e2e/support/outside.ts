import Fastify, { type FastifyInstance } from 'fastify';
import nodemailer from 'nodemailer';
import { SMTPServer } from 'smtp-server';

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
interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; parameters: { properties: ToolParameters } } }>;
}

/** Stand-ins, on this machine, for what examples reach besides the service: storage, chat model. */
export interface Outside {
	url: string;
	/** What was stored, in its order. */
	files: StoredFile[];
	close(): Promise<void>;
}

/**
 * Starts the stand-ins.
 * @param decide What the chat model has its one tool do when a person has written.
 */
export async function startOutside(decide: () => object): Promise<Outside> {
	const server = Fastify();
	const files: StoredFile[] = [];
	const outside: Outside = {
		url: '',
		files,
		close: async () => await server.close(),
	};
	addStorage(server, outside);
	addChatModel(server, decide);
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
function addChatModel(server: FastifyInstance, decide: () => object): void {
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }) => {
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

/** A mail server on this machine that delivers to the sandbox's mailbox, and can fail as real ones do. */
export interface PostOffice {
	port: number;
	/** Receivers that it knows nothing of: their mails are refused. */
	unknown: Set<string>;
	/** While true, no mail is taken. */
	down: boolean;
	/** While true, whoever sends a mail gets no answer. */
	silent: boolean;
	/** How many mails were offered, refused ones included. */
	offered: number;
	close(): Promise<void>;
}

/** @param mailbox The SMTP server that mails are passed on to. */
export async function startPostOffice(mailbox: {
	host: string;
	port: number;
}): Promise<PostOffice> {
	const transport = nodemailer.createTransport({ ...mailbox, secure: false, ignoreTLS: true });
	const office: PostOffice = {
		port: 0,
		unknown: new Set(),
		down: false,
		silent: false,
		offered: 0,
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		disableReverseLookup: true,
		closeTimeout: 20,
		onRcptTo({ address }, _session, done) {
			office.offered++;
			if (office.silent) return;
			const refusal = Object.assign(new Error('No such user here'), { responseCode: 550 });
			done(office.down || office.unknown.has(address) ? refusal : undefined);
		},
		onData(stream, { envelope }, done) {
			const from = envelope.mailFrom ? envelope.mailFrom.address : '';
			const to = envelope.rcptTo.map(({ address }) => address);
			transport
				.sendMail({ envelope: { from, to }, raw: stream })
				.then(() => done())
				.catch((error: Error) => done(error));
		},
	});
	// A sender that breaks off is what some tests are about.
	server.on('error', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.server.address();
	office.port = typeof address === 'object' && address ? address.port : 0;
	return office;
}
