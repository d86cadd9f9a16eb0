import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { root } from '../scripts/tools';

/** A series of calls that differ only in their bodies. */
export interface Calls {
	url: string;
	headers?: Record<string, string>;
	/** Each body is sent in a separate POST. */
	bodies: unknown[];
	parallel: number;
}

export interface CallsDone {
	/** The time from the first call to the last response, in milliseconds. */
	ms: number;
	/** How many responses had each HTTP status. */
	statuses: Record<string, number>;
	/** When the first call was made (epoch-ms). */
	startedAt: number;
}

/** A plain client that runs in a separate process so that it doesn't share an event loop with the sandbox. */
export interface HttpClient {
	/** @throws Error if the client has exited, or if a call gets no response. */
	make(calls: Calls): Promise<CallsDone>;
	close(): void;
}

/** The message that the client's process sends back. */
export type ClientMessage = { done: CallsDone } | { failed: string };

/**
 * Starts the plain client, which uses axios, as n8n does, and keeps its connections open.
 * @param node The Node executable that runs the client. For a fair comparison, it must be the same one that
 * runs n8n.
 */
export function startHttpClient(node: string): HttpClient {
	const child = spawn(
		node,
		// Don't use scripts/run.mjs, because it would reinstall the dependencies if `node` is a different
		// major version.
		['--require', 'tsx/cjs', path.join(__dirname, 'httpClientProcess.ts')],
		{ cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
	);
	return {
		async make(calls) {
			const ended = new AbortController();
			const end = once(child, 'exit', { signal: ended.signal }).then(() => {
				throw new Error('The bare client ended unexpectedly.');
			});
			// Once the response has arrived, nothing awaits `end` anymore. Without this line, its rejection
			// would be unhandled.
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
