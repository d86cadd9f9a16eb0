import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { root } from '../scripts/tools';

/** A list of calls: the same request with each of the bodies. */
export interface Calls {
	url: string;
	headers?: Record<string, string>;
	/** The bodies. Each body is sent in a separate POST. */
	bodies: unknown[];
	/** The number of calls that run at once. */
	parallel: number;
}

/** The times and the responses of a series of calls. */
export interface CallsDone {
	/** The milliseconds from the first call to the last response. */
	ms: number;
	/** The number of responses by HTTP status. */
	statuses: Record<string, number>;
	/** The epoch-ms of the first call. */
	startedAt: number;
}

/** A plain client that runs in a separate process so that it shares no processor time with the sandbox. */
export interface HttpClient {
	/** @throws Error if the client exited, or a call got no response. */
	make(calls: Calls): Promise<CallsDone>;
	close(): void;
}

/** The message that the client's process sends back. */
export type ClientMessage = { done: CallsDone } | { failed: string };

/**
 * Starts the plain client. It uses axios like n8n, with connections that are kept open.
 * @param node The Node executable that runs the client. For a fair comparison, it must be the one that runs
 * n8n.
 */
export function startHttpClient(node: string): HttpClient {
	const child = spawn(
		node,
		// scripts/run.mjs is not used, because it would install the dependencies again for another Node.
		['--require', 'tsx/cjs', path.join(__dirname, 'httpClientProcess.ts')],
		{ cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
	);
	return {
		async make(calls) {
			const ended = new AbortController();
			const end = once(child, 'exit', { signal: ended.signal }).then(() => {
				throw new Error('The bare client ended unexpectedly.');
			});
			// If the response comes first, nothing waits for `end`, so its rejection is ignored here.
			end.catch(() => undefined);
			child.send(calls);
			const [message] = (await Promise.race([once(child, 'message'), end])) as [ClientMessage];
			ended.abort();
			if ('failed' in message) throw new Error(`The bare client failed: ${message.failed}`);
			return message.done;
		},
		close: () => void child.kill(),
	};
}
