import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import type { ContinuedEntry } from '../history/entries';
import type { History } from '../history/history';

/** A server that hears from the executions what they went on with. */
export interface Receiver {
	url: string;
	close(): Promise<void>;
}

/** What the node behind the waiting node says of an item. */
interface Said {
	execution: string;
	key: string;
	document?: string;
	completed?: boolean;
	timedOut?: boolean;
}

/**
 * Starts it on loopback; it notes in the history what it hears.
 *
 * @param takesMs it answers so late, so that the executions are under way for a while
 */
export async function startReceiver(history: History, takesMs: number): Promise<Receiver> {
	const server = createServer((request, response) => {
		void text(request)
			.then((body) => history.note(entryOf(JSON.parse(body) as Said)))
			// The execution fails then, which no history allows.
			.catch(() => (response.statusCode = 500))
			.then(() => delay(takesMs))
			.then(() => response.end('{}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

function entryOf({ execution, key, document = '', completed, timedOut }: Said): ContinuedEntry {
	const isOne = completed === true ? timedOut === false : completed === false && timedOut === true;
	if (!isOne) throw new Error(`Neither completed nor timed out: ${key}`);
	const result = completed === true ? 'completed' : 'timedOut';
	return { type: 'continued', at: Date.now(), execution, key, document, result };
}
