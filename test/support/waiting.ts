import type { IDataObject } from 'n8n-workflow';

import { axios } from '../e2e/support/http';
import { clientOf } from './client';
import type { RunSetup } from './contexts';
import { v2 } from './contract';
import { useService, type Service } from './service';
import { until } from './until';
import type { WaitingExecution } from './waitingExecution';
import { useWaitingHost, type WaitingHost } from './waitingHost';

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
	registrations(count: number): Promise<void>;
	/** Calls an address, that of the last registration unless it is named. */
	call(body: unknown, url?: string, contentType?: string): Promise<[number, unknown]>;
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

/** As bytes, for which the HTTP client adds no content type of its own. */
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
		async call(body, url = webhooks().at(-1)?.webHookUrl ?? '', contentType = 'application/json') {
			const { status, data } = await axios.post<{ message?: unknown }>(url, bytesOf(body), {
				headers: { 'content-type': contentType === '' ? false : contentType },
			});
			return [status, data.message];
		},
	};
}
