import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { root } from '../scripts/tools';

/** Calls to make: the same request with each of the bodies. */
export interface Calls {
	url: string;
	headers?: Record<string, string>;
	/** One POST for each. */
	bodies: unknown[];
	/** How many are under way at once. */
	parallel: number;
}

/** How the calls went. */
export interface CallsDone {
	/** Milliseconds from the first call to the last answer. */
	ms: number;
	/** How many were answered with which status. */
	statuses: Record<string, number>;
	/** When the first call was made, in epoch-ms. */
	startedAt: number;
}

/** A plain client in a process of its own, so that it shares no processor time with the sandbox. */
export interface HttpClient {
	/** @throws Error when the client ended, or a call was not answered */
	make(calls: Calls): Promise<CallsDone>;
	close(): void;
}

/** What the client's process sends back. */
export type ClientMessage = { done: CallsDone } | { failed: string };

/**
 * Starts the plain client: axios, as n8n itself uses it, with connections that are kept.
 * @param node the Node to run it under: n8n's own, so that both sides have the same one
 */
export function startHttpClient(node: string): HttpClient {
	const child = spawn(
		node,
		// Not by way of scripts/run.mjs, which would install the dependencies anew for another Node.
		['--require', 'tsx/cjs', path.join(__dirname, 'httpClientProcess.ts')],
		{ cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
	);
	return {
		async make(calls) {
			const ended = new AbortController();
			const end = once(child, 'exit', { signal: ended.signal }).then(() => {
				throw new Error('The plain client ended.');
			});
			// Left behind when the answer comes first.
			end.catch(() => undefined);
			child.send(calls);
			const [message] = (await Promise.race([once(child, 'message'), end])) as [ClientMessage];
			ended.abort();
			if ('failed' in message) throw new Error(`The plain client failed: ${message.failed}`);
			return message.done;
		},
		close: () => void child.kill(),
	};
}
