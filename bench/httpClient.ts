import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { root } from '../scripts/tools';

/** A series of calls, each of which sends the same request with a different body. */
export interface Calls {
	url: string;
	headers?: Record<string, string>;
	/** The bodies. Each body is sent in a separate POST. */
	bodies: unknown[];
	/** The number of calls that run in parallel. */
	parallel: number;
}

/** The times and the responses of a series of calls. */
export interface CallsDone {
	/** The milliseconds from the first call to the last response. */
	ms: number;
	/** The number of responses by HTTP status. */
	statuses: Record<string, number>;
	/** When the first call was made (epoch-ms). */
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
 * Starts the plain client, which uses axios, as n8n does, and keeps its connections open.
 * @param node The Node executable that runs the client. For a fair comparison, it must be the one that runs
 * n8n.
 */
export function startHttpClient(node: string): HttpClient {
	const child = spawn(
		node,
		// Don't use scripts/run.mjs, because it would reinstall the dependencies for a different Node.
		['--require', 'tsx/cjs', path.join(__dirname, 'httpClientProcess.ts')],
		{ cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
	);
	return {
		async make(calls) {
			const ended = new AbortController();
			const end = once(child, 'exit', { signal: ended.signal }).then(() => {
				throw new Error('The bare client ended unexpectedly.');
			});
			// If the response arrives first, nothing waits for `end` anymore, so ignore its rejection.
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
