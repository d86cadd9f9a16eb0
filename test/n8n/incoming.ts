import { EventEmitter } from 'node:events';

import type {
	INode,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { type Execution, type Status, stored, type TriggerWorkflow } from './database';
import type { Installation } from './execute';
import type { N8n } from './instance';
import type { Process } from './process';
import type { Caller } from './surroundings';
import { triggerContext, triggerForm } from './triggers';

export interface Incoming {
	url: string;
	body: unknown;
	/** How long (ms) the sender waits before it disconnects. If absent, the sender waits forever. */
	timeLimit?: number;
	/** The content type, JSON by default. An empty string means that the sender does not specify one. */
	contentType?: string;
}

export interface N8nResponse {
	status: number;
	/** A JSON value or an HTML page. */
	body: unknown;
}

/** The response to one request, reduced to the parts that nodes use. */
export class Response extends EventEmitter {
	statusCode = 200;

	headersSent = false;

	writableEnded = false;

	closed = false;

	body: unknown;

	private readonly done: Promise<void>;

	private finish: () => void = () => undefined;

	constructor() {
		super();
		this.done = new Promise((resolve) => (this.finish = resolve));
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		return this.end(body);
	}

	end(body?: unknown): this {
		if (this.writableEnded) return this;
		this.body = body;
		this.headersSent = true;
		this.writableEnded = true;
		this.close();
		return this;
	}

	/** Closes the response after it was sent or the sender has disconnected. */
	close(): void {
		if (this.closed) return;
		this.closed = true;
		this.finish();
		// As in Node, `close` is emitted only after the code that ended the response has returned.
		void Promise.resolve().then(() => this.emit('close'));
	}

	/** Resolves when the sender has received the response or has disconnected. */
	async closing(): Promise<void> {
		await this.done;
	}
}

/**
 * Sends a request to the public URL.
 * @param response The response, which is closed if the sender disconnects.
 * @throws Error, like an HTTP client that does not get a response.
 */
export async function receive(
	n8n: N8n,
	incoming: Incoming,
	response = new Response(),
): Promise<N8nResponse> {
	const process = n8n.someProcess();
	if (!process) throw Object.assign(new Error('ECONNREFUSED'), { code: 'ECONNREFUSED' });
	const path = new URL(incoming.url).pathname.split('/').slice(1);
	const returned =
		path[0] === 'webhook-waiting'
			? receiveForExecution(n8n, process, incoming, response, path[1] ?? '')
			: receiveForWorkflow(n8n, process, incoming, response, path[1] ?? '');
	void returned.then((status) => {
		if (status === undefined) return;
		response.status(status.status).end(status.body);
	});
	process.responses.add(response);
	const { timeLimit } = incoming;
	const leaving = timeLimit && setTimeout(() => response.close(), timeLimit);
	await response.closing();
	clearTimeout(leaving);
	process.responses.delete(response);
	if (!response.writableEnded) throw Object.assign(new Error('ECONNRESET'), { code: 'ECONNRESET' });
	return { status: response.statusCode, body: response.body };
}

async function receiveForWorkflow(
	n8n: N8n,
	process: Process,
	incoming: Incoming,
	response: Response,
	webhookId: string,
): Promise<N8nResponse | undefined> {
	const workflow = [...n8n.database.triggers.values()].find(
		(trigger) => trigger.webhookId === webhookId && trigger.active,
	);
	if (!workflow) return message(404, 'The requested webhook is not registered.');
	await receiveForTrigger(process, n8n, workflow, incoming, response);
	return undefined;
}

async function receiveForExecution(
	n8n: N8n,
	process: Process,
	incoming: Incoming,
	response: Response,
	id: string,
): Promise<N8nResponse | undefined> {
	const caller = process.caller('event', { execution: id });
	const execution = await process.withDatabase(caller, 'reads the execution', () => {
		const found = n8n.database.executions.get(id);
		return found && { ...found, data: stored(found.data) };
	});
	if (!execution) return message(404, `The execution "${id}" does not exist.`);
	if (!isSigned(n8n, incoming.url)) return message(401, 'Invalid token');
	const ended = endedResponse(execution);
	if (ended) return ended;
	const { data } = execution;
	const node = data.executionData.nodeExecutionStack[0]?.node;
	if (!node) return message(500, 'There is nothing to continue.');
	node.disabled = true;
	delete data.waitTill;
	const written = execution.trouble === 'notWritten' ? null : data;
	const waiting = { node, data: written };
	const context = waitingContext(process, caller, waiting, incoming, response, n8n.logged);
	const { workflowData } = (await process.code.action.webhook?.call(context)) ?? {};
	if (!workflowData) return undefined;
	return await continueWith(n8n, process, execution, workflowData);
}

/**
 * Continues a waiting execution with the items that its node returned. Two processes may attempt this at the
 * same time.
 */
async function continueWith(
	n8n: N8n,
	process: Process,
	read: Execution,
	workflowData: INodeExecutionData[][],
): Promise<N8nResponse> {
	const caller = process.caller('event', { execution: read.id });
	const execution = n8n.database.executions.get(read.id) as Execution;
	const isMine = await process.withDatabase(caller, 'continues the execution', () => {
		// As in n8n, only one process succeeds in changing the status, and that process continues the
		// execution.
		if (execution.status !== 'waiting') return false;
		execution.status = 'running';
		return true;
	});
	if (!isMine) return message(409, `The execution "${read.id}" is running already.`);
	const { data } = read;
	const [first] = data.executionData.nodeExecutionStack;
	if (first) first.data.main = workflowData;
	execution.data = data;
	execution.endedWaits.push('event');
	void n8n.run(process, execution);
	return { status: 200, body: { message: 'Workflow was started' } };
}

function isSigned(n8n: N8n, url: string): boolean {
	const signed = new URL(url);
	const signature = signed.searchParams.get('signature');
	signed.searchParams.delete('signature');
	return signature !== null && n8n.sign(signed.href) === signature;
}

function message(status: number, text: string): N8nResponse {
	return { status, body: { message: text } };
}

/** n8n's response to a request for an execution that is not waiting; undefined if it is waiting. */
function endedResponse({ id, status }: { id: string; status: Status }): N8nResponse | undefined {
	if (status === 'waiting') return undefined;
	if (status === 'running') return message(409, `The execution "${id}" is running already.`);
	if (status === 'success') {
		const page =
			'<html><head><title>No action required</title></head><a href="https://n8n.io/"></a></html>';
		return { status: 200, body: page };
	}
	return message(409, `The execution "${id}" has finished with error.`);
}

/** The parts of the `webhook()` context that come from the request. */
export function requestPart(incoming: Incoming) {
	const text = typeof incoming.body === 'string' ? incoming.body : JSON.stringify(incoming.body);
	const rawBody = Buffer.from(text);
	const { searchParams } = new URL(incoming.url);
	const { contentType = 'application/json' } = incoming;
	// For webhook nodes above version 1, n8n does not read a body if it cannot parse the content type.
	const isRead = contentType !== '';
	const request = {
		rawBody: isRead ? rawBody : undefined,
		headers: isRead ? { 'content-type': contentType } : {},
		encoding: undefined,
		readRawBody: async () => {
			request.rawBody ??= await Promise.resolve(rawBody);
		},
	};
	return {
		getRequestObject: () => request,
		getQueryData: () => Object.fromEntries(searchParams),
	};
}

interface WaitingNode {
	node: INode;
	data: Execution['data'] | null;
}

/** The `webhook()` context for a waiting action node, with a copy of its execution. */
function waitingContext(
	process: Process,
	caller: Caller,
	{ node, data }: WaitingNode,
	incoming: Incoming,
	response: Response,
	logged: string[],
): IWebhookFunctions {
	const log = (line: string) => logged.push(line);
	return {
		...requestPart(incoming),
		helpers: process.helpers(caller, node),
		getNode: () => node,
		getCredentials: async () => await process.readCredential(caller),
		getResponseObject: () => response,
		runExecutionData: data,
		logger: { debug: () => undefined, warn: log, error: log },
	} as unknown as IWebhookFunctions;
}

/** Receives an event for a trigger. n8n responds with 200 once it has stored the execution. */
async function receiveForTrigger(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
	incoming: Incoming,
	response: Response,
): Promise<void> {
	const caller = process.caller('event', { trigger: workflow.id });
	await process.withDatabase(caller, 'reads the workflow', () => undefined);
	const context = {
		...triggerContext(process, installation, workflow, triggerForm(workflow), caller),
		...requestPart(incoming),
		getResponseObject: () => response,
		getMode: () => 'webhook',
	} as unknown as IWebhookFunctions;
	const { webhook } = process.code.trigger;
	const outcome = (await webhook?.call(context)) as IWebhookResponseData;
	const [item] = outcome.workflowData?.[0] ?? [];
	if (!item) return;
	const { database, clock } = process;
	const trouble = database.starts.shift();
	if (trouble === 'slow') await clock.sleep(12_000);
	const isStored = await process.withDatabase(caller, 'stores the execution', () => {
		if (trouble === 'refused') return false;
		database.triggered.push({
			workflowId: workflow.id,
			item: stored(item),
			at: clock.now(),
		});
		return true;
	});
	if (!isStored) response.status(500).end({ message: 'Error in workflow' });
	await process.withDatabase(caller, 'responds', () => response.end(''));
}
