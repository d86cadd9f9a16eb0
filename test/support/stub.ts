import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { CredentialKeeper } from './credentials';

export type Responder = (
	response: ServerResponse,
	request: IncomingMessage & { path: string; body: string },
) => void;

/** Starts a server on this machine that reads each request completely before it responds. */
export async function serve(respond: Responder, host = '127.0.0.1') {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '', 'http://stub');
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => {
			const body = Buffer.concat(pieces).toString();
			respond(response, Object.assign(request, { path: pathname, body }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	return {
		server,
		url: `http://${host}:${(server.address() as AddressInfo).port}`,
		async close(): Promise<void> {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export const jsonHeaders = { 'content-type': 'application/json' };

/** Returns the body of a successful response from the service, as JSON text. */
export const envelope = (responseData: unknown) =>
	JSON.stringify({ responseData, success: true, responseCode: 200 });

/** Makes a server respond with status 200 and this body. */
export const respondWith =
	(body: string | Buffer, headers: Record<string, string> = jsonHeaders): Responder =>
	(response) =>
		response.writeHead(200, headers).end(body);

/** A service whose responses are chosen by the test. By default, token exchanges succeed. */
export class Stub {
	calls: string[] = [];

	/** The tokens that calls have sent. */
	tokens: string[] = [];

	respond: Responder = respondWith(envelope({}));

	token: Responder = respondWith(envelope({ accessToken: 'token' }));

	readonly sockets = new Set<Socket>();

	url = '';

	close = async () => {};

	async start(): Promise<this> {
		const { server, ...started } = await serve((response, request) => {
			this.calls.push(`${request.method} ${request.path}`);
			if (request.headers.token) this.tokens.push(String(request.headers.token));
			(request.path === '/access/token' ? this.token : this.respond)(response, request);
		});
		server.on('connection', (socket) => {
			this.sockets.add(socket);
			socket.on('close', () => this.sockets.delete(socket));
		});
		return Object.assign(this, started);
	}

	/**
	 * Makes a new credential on each call. To get a separate account, pass a different API key. Calls for the
	 * same account share work in progress.
	 */
	credential(apiKey = 'a-key', timeoutSeconds = 30): CredentialKeeper {
		return new CredentialKeeper({ baseUrl: this.url, userId: 'u', apiKey, timeoutSeconds });
	}

	/** Waits up to a second for all connections to close. Returns how many are still open. */
	async openConnections(): Promise<number> {
		for (let tries = 0; this.sockets.size && tries < 50; tries++) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		return this.sockets.size;
	}
}
