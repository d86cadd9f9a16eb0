import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Execution } from '../n8n/database';
import { receive, Response } from '../n8n/incoming';
import type { N8n } from '../n8n/instance';
import { N8nOverHttp, type RunSetup } from './contexts';
import { clientOf, type CredentialKeeper } from './credentials';
import { axios } from './http';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { requestIdentity, signDocument } from '../operations/service';
import { useService, v2 } from './service';
import { type Responder, serve } from './stub';
import { until } from './until';

/** An execution of the action node in the tests' model of n8n. */
export class WaitingExecution {
	constructor(
		private readonly n8n: N8n,
		/** The execution as n8n stores it. */
		readonly entity: Execution,
	) {}

	get status() {
		return this.entity.status;
	}

	/** While the execution waits, the data that the node shows; otherwise, the node's last output. */
	get output(): INodeExecutionData[] {
		const { executionData, runs } = this.entity.data;
		if (this.status === 'waiting') return executionData.nodeExecutionStack[0]?.data.main?.[0] ?? [];
		const { success = [], error = [] } = runs.at(-1) ?? {};
		return [...success, ...error];
	}

	/** When the wait reaches its time limit. */
	get until(): Date {
		return new Date(this.entity.waitTill ?? NaN);
	}

	/** Makes n8n continue the execution as if the wait's time limit had been reached. */
	async timeOut(): Promise<INodeExecutionData[]> {
		const [process] = this.n8n.alive;
		if (process) this.n8n.continueAtLimit(process, this.entity);
		await this.n8n.idle();
		return this.output;
	}
}

/**
 * Before the tests of the calling file, starts an n8n instance whose executions can wait, and stops it
 * afterward.
 */
export function useWaitingHost() {
	const { host, listen, close } = waitingHost();
	beforeAll(listen);
	afterAll(close);
	return host;
}

/** Makes an n8n instance whose executions can wait. The caller starts and stops it. */
export function waitingHost() {
	let close = async () => {};
	const respond = async (...[response, request]: Parameters<Responder>) => {
		const { url = '', headers, body } = request;
		const own = new Response();
		response.on('close', () => own.close());
		const contentType = headers['content-type'] ?? '';
		const incoming = { url: new URL(url, host.n8n.url).href, body, contentType };
		try {
			const { status, body: responseBody } = await receive(host.n8n, incoming, own);
			await host.n8n.idle();
			const isPage = typeof responseBody === 'string';
			response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
			response.end(isPage ? responseBody : JSON.stringify(responseBody));
		} catch {
			response.destroy();
		}
	};
	const listen = async () => {
		const server = await serve((...call) => void respond(...call));
		host.n8n = new N8nOverHttp(server.url);
		({ close } = server);
	};
	const host = {
		n8n: new N8nOverHttp(),
		/** Runs the node in a new execution until the execution waits or ends. */
		async start(keeper: CredentialKeeper, setup: RunSetup) {
			const entity = host.n8n.start(host.n8n.workflowOf(keeper, setup));
			if (!entity) throw new Error('n8n has not begun the execution.');
			if (setup.mode) entity.mode = setup.mode;
			if (setup.hints) entity.hints = setup.hints;
			if (setup.cannotWait) entity.trouble = 'cannotWait';
			await host.n8n.idle();
			if (entity.error) throw entity.error;
			return new WaitingExecution(host.n8n, entity);
		},
	};
	return { host, listen, close: async () => await close() };
}

/** Valid parameters for document / sendAndWait. */
export const signatureWait = (more: IDataObject = {}): RunSetup => ({
	parameters: { ...v2, operation: 'sendAndWait', ...more },
});
/** Valid parameters for identity / sendAndWait. It waits for a request that exists (see `requested`). */
export const verificationWait = (validationId: string, more: IDataObject = {}): RunSetup => ({
	parameters: { resource: 'identity', operation: 'sendAndWait', validationId, ...more },
});

/**
 * Starts a sandbox and an n8n instance whose executions can wait, for the tests in the calling file. Each
 * test's webhooks are removed before the next test.
 */
export function useWaitingTest() {
	const service = useService({ deliveryBackoffMs: [20, 20, 20] });
	const host = useWaitingHost();
	const webhooks = () => service.sandbox.webhooks();
	afterEach(async () => {
		service.sandbox.faults.clear();
		host.n8n.logged.length = 0;
		const client = clientOf(service.sandbox);
		for (const { webHookID } of webhooks()) {
			// The node may be deleting the same webhook at this moment.
			await client.deleteWebhook(webHookID).catch(() => undefined);
		}
	});
	/**
	 * The URL last registered for a body's event or, if there is none, the URL last registered for any event.
	 */
	const urlFor = (body: unknown) => {
		const isFor = ({ type }: { type: string }) => type === objectOf(body).type;
		const webhook = webhooks().filter(isFor).at(-1) ?? webhooks().at(-1);
		return webhook?.webHookUrl ?? '';
	};
	const lastDocument = () => service.sandbox.documents().at(-1)?.documentID ?? '';
	/** Runs the node in a new execution. */
	const begin = async (setup: RunSetup) => await host.start(service.credential(), setup);
	/** Requests a verification of Ada. @returns Its ID. */
	const requested = async () => {
		const { sandbox } = service;
		return await requestIdentity({ sandbox, client: clientOf(sandbox) }, 'ada@example.com');
	};
	return {
		service,
		host,
		begin,
		requested,
		/** Requests a verification of Ada, and waits for it in a new execution. */
		beginVerification: async (more: IDataObject = {}, setup: Partial<RunSetup> = {}) =>
			await begin({ ...verificationWait(await requested(), more), ...setup }),
		lastDocument,
		lastIdentity: () => service.sandbox.identityRequests().at(-1)?.validationId ?? '',
		/** Signs the last document for all signatories. */
		async sign() {
			await signDocument(service.sandbox, lastDocument());
			await service.sandbox.idle();
		},
		/** Waits until this many webhooks remain. */
		registrations: async (count: number) =>
			await until(`${count} registrations are left`, () => webhooks().length === count),
		urlFor,
		/** Calls a URL, by default the one for the body's event. */
		async call(body: unknown, url = urlFor(body)) {
			// Send bytes, because the HTTP client may change a string.
			const bytes = Buffer.from(JSON.stringify(body));
			const { status, data } = await axios.post<{ message?: unknown }>(url, bytes, {
				headers: { 'content-type': 'application/json' },
			});
			return [status, data.message];
		},
	};
}
