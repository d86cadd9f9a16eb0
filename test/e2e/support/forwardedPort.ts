import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A port that is forwarded as a development container in the cloud does it. */
export interface ForwardedPort {
	/** What the browser enters. */
	url: string;
	close(): void;
}

/**
 * Forwards a port. The program behind it sees the name of its own machine, and the browser's name
 * in `X-Forwarded-Host` only.
 */
export async function forwardPort(target: string): Promise<ForwardedPort> {
	const own = new URL(target);
	const server: Server = createServer((incoming, outgoing) => {
		const { host, origin, ...headers } = incoming.headers;
		const local = `localhost:${own.port}`;
		const passed = request(new URL(incoming.url ?? '/', target), {
			method: incoming.method,
			headers: {
				...headers,
				host: local,
				'x-forwarded-host': host,
				...(origin ? { origin: `http://${local}` } : {}),
			},
		});
		passed.on('response', (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		passed.on('error', () => outgoing.destroy());
		incoming.pipe(passed);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
