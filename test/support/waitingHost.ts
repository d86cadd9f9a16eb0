import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { action, common, executeContext, prepareBinaryData, type RunSetup } from './contexts';
import type { CredentialKeeper } from './credentials';
import { httpRequest } from './http';

/** How an execution stands. */
type Status = 'running' | 'waiting' | 'success' | 'canceled';

/**
 * The part of n8n that puts an execution of the action node to wait and wakes it up, as n8n 2.41
 * does it (docs/waiting.md): what is to last goes through JSON, the waiting node is marked as
 * disabled, so that it passes on what `webhook()` returns, and is run again where that mark is gone.
 */
export class WaitingExecution {
	status: Status = 'running';
	/** What the node shows while it waits, and what goes on from it in the end. */
	output: INodeExecutionData[] = [];
	/** Until when it waits. */
	until: Date | undefined;
	/** How often the node was run. */
	runs = 0;
	/** Whether n8n has written what the execution waits with; 1.x does so after it says "waiting". */
	isWritten = true;
	/** What the node wrote to n8n's log. */
	readonly logged: string[] = [];

	private kept: IDataObject = {};

	private readonly entry = { node: { disabled: false }, data: { main: [[]] as object[][] } };

	private readonly runExecutionData = { executionData: { nodeExecutionStack: [this.entry] } };

	constructor(
		private readonly keeper: CredentialKeeper,
		private readonly setup: RunSetup,
		/** Of the waiting node, without its signature. */
		readonly address: string,
	) {}

	/** Runs the node, for the first time or again. */
	async run(input?: INodeExecutionData[]): Promise<void> {
		this.runs++;
		this.status = 'running';
		const base = executeContext(this.keeper, this.setup);
		const context = {
			...base,
			getInputData: () => input ?? base.getInputData(),
			getContext: () => this.kept,
			getSignedResumeUrl: (more: Record<string, string>) =>
				`${this.address}?${new URLSearchParams({ ...more, signature: 'a-signature-of-n8n' }).toString()}`,
			getExecuteData: () => this.entry,
			runExecutionData: this.runExecutionData,
			putExecutionToWait: async (until: Date) => {
				this.until = until;
				this.status = 'waiting';
			},
		} as unknown as IExecuteFunctions;
		[this.output = []] = await action.execute.call(context);
		// The node may have put it to wait, which the compiler cannot see.
		if ((this.status as Status) === 'waiting') {
			this.kept = JSON.parse(JSON.stringify(this.kept)) as IDataObject;
			this.entry.node.disabled = true;
		} else this.status = 'success';
	}

	/** A call to the address of the waiting node. */
	async receive(request: IncomingMessage, rawBody: Buffer, response: ServerResponse) {
		const answer = (status: number, message: string) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ message }));
		};
		if (this.status !== 'waiting') return answer(409, 'The execution "1" has finished already.');
		const express = Object.assign(response, {
			status: (code: number) => Object.assign(response, { statusCode: code }),
			json: (body: unknown) => response.end(JSON.stringify(body)),
		});
		const { workflowData } = await action.webhook.call(
			this.webhookContext(request, rawBody, express),
		);
		if (!workflowData) return;
		const [items = []] = workflowData;
		if (this.entry.node.disabled) Object.assign(this, { output: items, status: 'success' });
		else await this.run(items);
		answer(200, 'Workflow was started');
	}

	/** What n8n would go on with were the time over now: what the node was given. */
	timeOut(): INodeExecutionData[] {
		return this.entry.data.main[0] as INodeExecutionData[];
	}

	private webhookContext(request: IncomingMessage, rawBody: Buffer, response: ServerResponse) {
		const node = executeContext(this.keeper, this.setup).getNode();
		const { helpers, ...rest } = common(this.keeper, node);
		return {
			...rest,
			helpers: { ...helpers, httpRequest, prepareBinaryData },
			getRequestObject: () => Object.assign(request, { rawBody }),
			getResponseObject: () => response,
			getBodyData: () => parsed(rawBody),
			evaluateExpression: (expression: string) => {
				const name = /\.context\["(\w+)"\]/.exec(expression)?.[1] ?? '';
				return this.isWritten ? structuredClone(this.kept[name]) : undefined;
			},
			logger: { error: (line: string) => this.logged.push(line) },
			runExecutionData: this.runExecutionData,
		} as unknown as IWebhookFunctions;
	}
}

/** An n8n whose executions wait, for the tests of the calling file. */
export interface WaitingHost {
	/** Runs the node in an execution of its own. */
	start(keeper: CredentialKeeper, setup: RunSetup): Promise<WaitingExecution>;
}

/** Starts it before the tests of the calling file, and stops it after. */
export function useWaitingHost(): WaitingHost {
	const executions = new Map<string, WaitingExecution>();
	let count = 0;
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => {
			const id = request.url?.split('/')[2] ?? '';
			void executions.get(id)?.receive(request, Buffer.concat(pieces), response);
		});
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterAll(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return {
		async start(keeper, setup) {
			const { port } = server.address() as AddressInfo;
			const id = String(++count);
			const address = `http://127.0.0.1:${port}/webhook-waiting/${id}/node`;
			const execution = new WaitingExecution(keeper, setup, address);
			executions.set(id, execution);
			await execution.run();
			return execution;
		},
	};
}

function parsed(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString()) as unknown;
	} catch {
		return {};
	}
}
