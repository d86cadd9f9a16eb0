import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import type { Told } from './checkWaits';

/** A server that hears from the executions what they continue with. */
export interface Receiver {
	url: string;
	told: Told[];
	close(): Promise<void>;
}

/** What the node behind the waiting one sends. */
interface Message {
	execution: string;
	call: string;
	document?: string;
	completed?: boolean;
	timedOut?: boolean;
	waitUntil?: string;
}

/**
 * Starts it on loopback.
 * @param takesMs It answers so late, so that the executions are under way for a while.
 */
export async function startReceiver(takesMs: number): Promise<Receiver> {
	const told: Told[] = [];
	const server = createServer((request, response) => {
		void text(request)
			.then((body) => told.push(toldOf(JSON.parse(body) as Message)))
			// The execution fails then, and its wait stays open.
			.catch(() => (response.statusCode = 500))
			.then(() => delay(takesMs))
			.then(() => response.end('{}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		told,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

function toldOf({ execution, call, document = '', completed, timedOut, waitUntil }: Message): Told {
	if (typeof completed !== 'boolean' || timedOut !== !completed) {
		throw new Error(`Neither completed nor timed out: ${call}`);
	}
	return {
		...{ at: Date.now(), execution, call, document, isCompleted: completed },
		waitUntil: waitUntil === undefined ? undefined : Date.parse(waitUntil),
	};
}
