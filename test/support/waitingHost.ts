import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { RunSetup } from './contexts';
import type { CredentialKeeper } from './credentials';
import { WaitingExecution } from './waitingExecution';

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
