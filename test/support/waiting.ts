import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import type { RunSetup } from './contexts';
import { clientOf, type CredentialKeeper } from './credentials';
import { WaitingExecution } from './waitingExecution';
import { axios } from './http';
import { type Service, useService, v2 } from './service';
import { until } from './until';

/** An n8n whose executions wait, for the tests of the calling file. */
export interface WaitingHost {
	/** Runs the node in an execution of its own. */
	start(keeper: CredentialKeeper, setup: RunSetup): Promise<WaitingExecution>;
	/** Stops an execution while it waits, and retries it, as another execution. */
	retry(execution: WaitingExecution, withSavedWorkflow?: boolean): Promise<WaitingExecution>;
	/** Where executions of this n8n are continued. */
	url: string;
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
	const executions = new Map<string, WaitingExecution>();
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => {
			const id = request.url?.split('/')[2] ?? '';
			const execution = executions.get(id);
			if (execution) return void execution.receive(request, Buffer.concat(pieces), response);
			response.writeHead(404, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ message: `The execution "${id}" does not exist.` }));
		});
	});
	const listen = async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook-waiting`;
	};
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	const add = async (execution: WaitingExecution) => {
		executions.set(execution.id, execution);
		await execution.run();
		return execution;
	};
	const nextId = () => String(executions.size + 1);
	const host: WaitingHost = {
		url: '',
		async start(keeper, setup) {
			const id = nextId();
			const execution = await add(
				new WaitingExecution(keeper, setup, id, `${host.url}/${id}/node`),
			);
			if (execution.error) throw execution.error;
			return execution;
		},
		retry: async (execution, withSavedWorkflow = false) =>
			await add(execution.stoppedAndRetried(nextId(), withSavedWorkflow)),
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
			const document = service.sandbox.documents().find((each) => each.documentID === documentID);
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
