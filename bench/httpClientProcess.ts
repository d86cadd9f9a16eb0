import { Agent } from 'node:http';

import axios from 'axios';

import type { Calls, CallsDone, ClientMessage } from './httpClient';

/** Makes the calls that the parent process has requested, and returns their timing and statuses. */
async function make({ url, headers, bodies, parallel }: Calls): Promise<CallsDone> {
	const agent = new Agent({ keepAlive: true, maxSockets: parallel });
	const http = axios.create({
		...(headers ? { headers } : {}),
		httpAgent: agent,
		proxy: false,
		validateStatus: () => true,
	});
	const statuses: Record<string, number> = {};
	let next = 0;
	const worker = async (): Promise<void> => {
		for (let index = next++; index < bodies.length; index = next++) {
			const { status } = await http.post<unknown>(url, bodies[index]);
			statuses[status] = (statuses[status] ?? 0) + 1;
		}
	};
	const start = performance.now();
	const startedAt = performance.timeOrigin + start;
	try {
		await Promise.all(Array.from({ length: parallel }, worker));
		return { ms: performance.now() - start, statuses, startedAt };
	} finally {
		agent.destroy();
	}
}

function reply(message: ClientMessage): void {
	process.send?.(message);
}

process.on('message', (calls: Calls) => {
	make(calls).then(
		(done) => reply({ done }),
		(error: unknown) => reply({ failed: error instanceof Error ? error.message : String(error) }),
	);
});
process.on('disconnect', () => process.exit());
