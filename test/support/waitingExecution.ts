import type { IncomingMessage, ServerResponse } from 'node:http';

import {
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { action, common, executeContext, prepareBinaryData, type RunSetup } from './contexts';
import type { CredentialKeeper } from './credentials';
import { httpRequest } from './http';

/** How an execution stands. */
type Status = 'running' | 'waiting' | 'success' | 'error' | 'canceled';

/** What n8n keeps of an execution. */
interface RunData {
	waitTill?: boolean;
	executionData: {
		contextData: Record<string, IDataObject>;
		nodeExecutionStack: IExecuteData[];
	};
}

/**
 * The part of n8n that puts an execution of the action node to wait and continues it, as n8n 2.41
 * does it: what it keeps goes through its serialization; the first entry of the stack is marked as
 * disabled, and a disabled node outputs what it was given.
 */
export class WaitingExecution {
	status: Status = 'running';
	/** What the node shows while it waits, and what it outputs in the end. */
	output: INodeExecutionData[] = [];
	/** What ended the execution with an error. */
	error: Error | undefined;
	/** Until when it waits. */
	until: Date | undefined;
	/** How often the node was run. */
	runs = 0;
	/** Whether n8n has written what the execution waits with. */
	isWritten = true;
	/** Whether the worker dies that is to continue the execution with an event, once n8n has stored it. */
	dies = false;
	/** What the node wrote to n8n's log. */
	readonly logged: string[] = [];

	private data: RunData;

	constructor(
		private readonly keeper: CredentialKeeper,
		private setup: RunSetup,
		readonly id: string,
		/** Of the waiting node, without its parameters. */
		readonly address: string,
		data?: RunData,
	) {
		const { entry } = this.base();
		// The entries of several branches share the node.
		const nodeExecutionStack = Array.from({ length: setup.branches ?? 1 }, () => ({
			...entry,
			data: { ...entry.data },
		}));
		this.data = data ?? { executionData: { contextData: {}, nodeExecutionStack } };
	}

	private base() {
		const context = executeContext(this.keeper, this.setup);
		return { context, entry: context.getExecuteData(), node: context.getNode() };
	}

	/** What n8n keeps of the execution, as text. */
	get kept(): string {
		return JSON.stringify(this.data);
	}

	/** The execution reaches the node once more, as in a loop. */
	async again(setup: RunSetup = this.setup): Promise<void> {
		this.setup = setup;
		this.data.executionData.nodeExecutionStack.unshift(this.base().entry);
		await this.run();
	}

	/** Works off the stack, until the node puts the execution to wait or nothing is left. */
	async run(): Promise<void> {
		this.status = 'running';
		const { nodeExecutionStack: stack } = this.data.executionData;
		if (this.data.waitTill) {
			delete this.data.waitTill;
			if (stack[0]) stack[0].node.disabled = true;
		}
		for (let entry = stack.shift(); entry; entry = stack.shift()) {
			if (entry.node.disabled) {
				this.output = entry.data.main?.[0] ?? [];
				continue;
			}
			try {
				this.output = await this.execute(entry);
			} catch (error) {
				stack.unshift(entry);
				Object.assign(this, { status: 'error', error });
				return;
			}
			if (this.data.waitTill) {
				stack.unshift(entry);
				this.data = stored(this.data);
				this.status = 'waiting';
				return;
			}
		}
		this.status = 'success';
	}

	/** Runs the node as often as n8n does with Retry On Fail. */
	private async execute(entry: IExecuteData): Promise<INodeExecutionData[]> {
		const { retryOnFail, maxTries } = entry.node;
		const tries = retryOnFail ? (maxTries ?? 3) : 1;
		for (let tried = 1; ; tried++) {
			try {
				const output = await this.executeOnce(entry);
				if (!output[0]?.json.error || tried >= tries) return output;
			} catch (error) {
				if (tried >= tries) throw error;
			}
		}
	}

	private async executeOnce(entry: IExecuteData): Promise<INodeExecutionData[]> {
		this.runs++;
		const { context: base, node } = this.base();
		const key = `node:${node.name}`;
		const context = {
			...base,
			getInputData: () => entry.data.main?.[0] ?? [],
			getExecuteData: () => entry,
			getExecutionId: () => this.id,
			getContext: () => (this.data.executionData.contextData[key] ??= {}),
			getSignedResumeUrl: (more: Record<string, string> = {}) =>
				`${this.address}?${new URLSearchParams({ ...more, signature: 'a-signature-of-n8n' }).toString()}`,
			runExecutionData: this.data,
			putExecutionToWait: async (until: Date) => {
				if (this.setup.cannotWait) throw new Error('The database is locked');
				this.until = until;
				this.data.waitTill = true;
			},
		} as unknown as IExecuteFunctions;
		const [output = []] = await action.execute.call(context);
		return output;
	}

	/** A call to the address of the waiting node. */
	async receive(request: IncomingMessage, rawBody: Buffer, response: ServerResponse) {
		const answer = (status: number, message: string) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ message }));
		};
		const { status, id } = this;
		if (status === 'running') return answer(409, `The execution "${id}" is running already.`);
		if (status === 'error' || status === 'canceled')
			return answer(409, `The execution "${id}" has finished with error.`);
		if (status === 'success') {
			response.writeHead(200, { 'content-type': 'text/html' });
			return response.end(
				'<html><head><title>No action required</title></head><a href="https://n8n.io/"></a></html>',
			);
		}
		const data = stored(this.data);
		const [first] = data.executionData.nodeExecutionStack;
		if (!first) return answer(500, 'nothing to run');
		first.node.disabled = true;
		delete data.waitTill;
		const express = Object.assign(response, {
			status: (code: number) => Object.assign(response, { statusCode: code }),
			json: (body: unknown) => response.end(JSON.stringify(body)),
		});
		const { workflowData } = await action.webhook.call(
			this.webhookContext(request, rawBody, express, data),
		);
		if (!workflowData) return;
		first.data.main = workflowData;
		this.data = data;
		if (this.dies) this.status = 'error';
		else await this.run();
		answer(200, 'Workflow was started');
	}

	/** n8n continues the execution because its limit is reached. */
	async timeOut(): Promise<INodeExecutionData[]> {
		await this.run();
		return this.output;
	}

	/**
	 * Stops the execution while it waits, and retries it.
	 * @param withSavedWorkflow n8n then puts the node of the workflow into the entries.
	 */
	stoppedAndRetried(id: string, withSavedWorkflow: boolean): WaitingExecution {
		this.status = 'canceled';
		const data = stored(this.data);
		const { node } = this.base();
		if (withSavedWorkflow) {
			for (const entry of data.executionData.nodeExecutionStack) entry.node = node;
		}
		const address = this.address.replace(`/${this.id}/`, `/${id}/`);
		return new WaitingExecution(this.keeper, this.setup, id, address, data);
	}

	private webhookContext(
		request: IncomingMessage,
		rawBody: Buffer,
		response: ServerResponse,
		data: RunData,
	) {
		const { node } = this.base();
		const { helpers, ...rest } = common(this.keeper, node);
		const given = Object.assign(request, { rawBody });
		const url = new URL(request.url ?? '', 'http://127.0.0.1');
		return {
			...rest,
			helpers: { ...helpers, httpRequest, prepareBinaryData },
			getRequestObject: () => given,
			getResponseObject: () => response,
			getQueryData: () => Object.fromEntries(url.searchParams),
			logger: { error: (line: string) => this.logged.push(line) },
			runExecutionData: this.isWritten ? data : null,
		} as unknown as IWebhookFunctions;
	}
}

/** What n8n writes to its database and reads again: what entries share stays shared. */
function stored(data: RunData): RunData {
	return structuredClone(data);
}
