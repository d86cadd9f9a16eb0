import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Execution } from '../n8n/database';
import { receive, Response } from '../n8n/incoming';
import type { N8n } from '../n8n/instance';
import { RealN8n, type RunSetup } from './contexts';
import { clientOf, type CredentialKeeper } from './credentials';
import { axios } from './http';
import { type Service, useService, v2 } from './service';
import { until } from './until';

/** An execution of the action node in an n8n on this machine. */
export class WaitingExecution {
	constructor(
		private readonly n8n: N8n,
		/** As n8n has it. */
		readonly entity: Execution,
	) {}

	get status() {
		return this.entity.status;
	}

	/** What the node shows while it waits, and what it has output last. */
	get output(): INodeExecutionData[] {
		const { executionData, runs } = this.entity.data;
		if (this.status === 'waiting') return executionData.nodeExecutionStack[0]?.data.main?.[0] ?? [];
		const { success = [], error = [] } = runs.at(-1) ?? {};
		return [...success, ...error];
	}

	/** Until when it waits. */
	get until(): Date {
		return new Date(this.entity.waitTill ?? NaN);
	}

	/** n8n continues the execution because its limit is reached. */
	async timeOut(): Promise<INodeExecutionData[]> {
		const [process] = this.n8n.alive;
		if (process) this.n8n.continueAtLimit(process, this.entity);
		await this.n8n.idle();
		return this.output;
	}
}

/** An n8n whose executions wait, for the tests of the calling file. */
export interface WaitingHost {
	n8n: RealN8n;
	/** Runs the node in an execution of its own. */
	start(keeper: CredentialKeeper, setup: RunSetup): Promise<WaitingExecution>;
	/** Retries an execution, as another one. */
	retry(execution: WaitingExecution, withSavedWorkflow?: boolean): Promise<WaitingExecution>;
}

/** Starts it before the tests of the calling file, and stops it after. */
export function useWaitingHost(): WaitingHost {
	const { host, listen, close } = waitingHost();
	beforeAll(listen);
	afterAll(close);
	return host;
}

/** Such an n8n, to start and stop by hand. */
export function waitingHost() {
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => void answer(request, Buffer.concat(pieces).toString(), response));
	});
	const answer = async (
		{ url = '', headers }: IncomingMessage,
		body: string,
		response: ServerResponse,
	) => {
		const own = new Response();
		response.on('close', () => own.close());
		const contentType = headers['content-type'] ?? '';
		const incoming = { url: new URL(url, host.n8n.url).href, body, contentType };
		try {
			const { status, body: answered } = await receive(host.n8n, incoming, own);
			await host.n8n.idle();
			const isPage = typeof answered === 'string';
			response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
			response.end(isPage ? answered : JSON.stringify(answered));
		} catch {
			response.destroy();
		}
	};
	const listen = async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		host.n8n = new RealN8n(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	};
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	const ended = async (entity: Execution | undefined) => {
		if (!entity) throw new Error('n8n has not begun the execution.');
		await host.n8n.idle();
		if (entity.error) throw entity.error;
		return new WaitingExecution(host.n8n, entity);
	};
	const host: WaitingHost = {
		n8n: new RealN8n(),
		async start(keeper, setup) {
			const entity = host.n8n.start(host.n8n.workflowOf(keeper, setup));
			if (entity && setup.hints) entity.hints = setup.hints;
			if (entity && setup.cannotWait) entity.trouble = 'cannotWait';
			return await ended(entity);
		},
		retry: async ({ entity }, withSavedWorkflow = false) =>
			await ended(host.n8n.retry(entity, withSavedWorkflow)),
	};
	return { host, listen, close };
}

/** A sandbox, and an n8n whose executions wait for it. */
export interface WaitingTest {
	service: Service;
	host: WaitingHost;
	/** Runs the node in an execution of its own. */
	begin(setup: RunSetup): Promise<WaitingExecution>;
	/** The documents that were created last, oldest first. */
	lastDocuments(count: number): string[];
	lastIdentity(): string;
	/** Everybody signs a document, the last one unless it is named. */
	sign(documentID?: string): Promise<void>;
	/** Waits until so many registrations are left. */
	registrations(count: number): Promise<unknown>;
	/** Calls an address, that of the last registration unless it is named. */
	call(body: unknown, url?: string): Promise<[number, unknown]>;
}

/** The form of document / sendAndWait, and of identity / sendAndWait, filled in right. */
export const signing = (more: IDataObject = {}): RunSetup => ({
	parameters: { ...v2, operation: 'sendAndWait', ...more },
});
export const proving = (more: IDataObject = {}): RunSetup => ({
	parameters: {
		resource: 'identity',
		operation: 'sendAndWait',
		verification: 'new',
		email: 'ada@example.com',
		...more,
	},
});
/** For a document that there is already. */
export const waitingFor = (documentId: string): RunSetup => ({
	parameters: { resource: 'document', operation: 'sendAndWait', document: 'existing', documentId },
});

/** As bytes, which the HTTP client leaves as they are. */
const bytesOf = (body: unknown) =>
	Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

/** Starts both before the tests of the calling file; no test finds what another leaves waiting. */
export function useWaitingTest(): WaitingTest {
	const service = useService({ deliveryBackoffMs: [20, 20, 20] });
	const host = useWaitingHost();
	const webhooks = () => service.sandbox.webhooks();
	afterEach(async () => {
		service.sandbox.faults.clear();
		const client = clientOf(service.sandbox);
		for (const { webHookID } of webhooks()) {
			// The node may just be doing it itself.
			await client.deleteWebhook(webHookID).catch(() => undefined);
		}
	});
	const lastDocuments = (count: number) =>
		service.sandbox
			.documents()
			.slice(-count)
			.map(({ documentID }) => documentID);
	return {
		service,
		host,
		begin: async (setup) => await host.start(service.credential(), setup),
		lastDocuments,
		lastIdentity: () => service.sandbox.identityRequests().at(-1)?.validationId ?? '',
		async sign(documentID = lastDocuments(1)[0] ?? '') {
			const document = service.sandbox
				.documents()
				.find((record) => record.documentID === documentID);
			for (const { emailID } of document?.signatory ?? [])
				await service.sandbox.sign(documentID, emailID);
			await service.sandbox.idle();
		},
		registrations: async (count) =>
			await until(`${count} registrations are left`, () => webhooks().length === count),
		async call(body, url = webhooks().at(-1)?.webHookUrl ?? '') {
			const { status, data } = await axios.post<{ message?: unknown }>(url, bytesOf(body), {
				headers: { 'content-type': 'application/json' },
			});
			return [status, data.message];
		},
	};
}
