import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';

import { loopback } from '../ports';

/**
 * Matches the calls that the webhook processor handles. The main process handles all others, including calls
 * to test webhooks.
 */
const production = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)\//;

/** The proxy that forwards calls to all n8n processes. */
export interface Proxy {
	/** `http://127.0.0.1:PORT`, without a trailing slash. */
	url: string;
	close(): Promise<void>;
}

function forwarded(request: IncomingMessage): Record<string, string | string[] | undefined> {
	return { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' };
}

/**
 * Starts a reverse proxy on loopback. Calls to production webhooks and forms go to the webhook processor, and
 * all others to the main process. If the process cannot be reached, the proxy responds with 502 so that the
 * sender tries again.
 * @param targetFor Returns the port of the process that handles a call, or undefined while that process is
 * not ready. Calls must not reach an n8n process that is still starting, because it would respond to a
 * webhook call with 404, and the sender might not try again.
 */
export async function startProxy(
	port: number,
	targetFor: (isProduction: boolean) => number | undefined,
): Promise<Proxy> {
	const targetOf = (url = '/'): number | undefined => targetFor(production.test(url));

	const server = createServer((request: IncomingMessage, response: ServerResponse) => {
		const { method, url } = request;
		const target = targetOf(url);
		if (target === undefined) {
			response.writeHead(502).end();
			return;
		}
		const headers = forwarded(request);
		const call = httpRequest(
			{ host: loopback, port: target, method, path: url, headers },
			(reply) => {
				response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
				reply.pipe(response);
				reply.once('error', () => response.destroy());
			},
		);
		call.once('error', () => {
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
		response.once('close', () => call.destroy());
		request.pipe(call);
	});

	// The editor keeps a WebSocket open, which must be closed when the proxy closes.
	const open = new Set<Duplex>();
	server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		const { method, url } = request;
		const port = targetOf(url);
		if (port === undefined) {
			socket.destroy();
			return;
		}
		open.add(socket);
		const headers = forwarded(request);
		const call = httpRequest({ host: loopback, port, method, path: url, headers });
		const end = (): void => {
			open.delete(socket);
			socket.destroy();
			call.destroy();
		};
		socket.once('error', end).once('close', end);
		call.once('error', end);
		// If n8n refuses an upgrade, it sends an ordinary response with the reason. A browser reports only
		// that the connection failed, whatever the response contains, so the response is not passed on.
		call.once('response', end);
		call.once('upgrade', (reply, target, rest) => {
			target.once('error', end).once('close', end);
			const lines = [`HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}`];
			for (let at = 0; at < reply.rawHeaders.length; at += 2) {
				lines.push(`${reply.rawHeaders[at]}: ${reply.rawHeaders[at + 1]}`);
			}
			socket.write(`${lines.join('\r\n')}\r\n\r\n`);
			socket.write(rest);
			target.write(head);
			target.pipe(socket).pipe(target);
		});
		call.end();
	});

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host: loopback }, resolve);
	});
	return {
		url: `http://${loopback}:${port}`,
		close: async () => {
			for (const socket of open) socket.destroy();
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
