import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';

import { LOOPBACK } from '../ports';

/** What a webhook processor answers; everything else, tests of webhooks included, is main's. */
const PRODUCTION = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)\//;

/** The one address in front of the processes of n8n. */
export interface Proxy {
	/** `http://127.0.0.1:PORT`, without a slash at the end. */
	url: string;
	close(): Promise<void>;
}

function forwarded(request: IncomingMessage): Record<string, string | string[] | undefined> {
	return { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' };
}

/**
 * Starts a reverse proxy on loopback: calls to production webhooks and forms go to the webhook
 * processor, all else to main. Where nobody takes a call, it is answered 502, so that a sender
 * tries again.
 *
 * @param port its own port
 * @param targetFor gives the port that takes a call to a production webhook, or any other call;
 * undefined while the process is not ready: n8n answers 404 to webhooks while it starts, which a
 * sender may take for an answer
 */
export async function startProxy(
	port: number,
	targetFor: (isProduction: boolean) => number | undefined,
): Promise<Proxy> {
	const targetOf = (url = '/'): number | undefined => targetFor(PRODUCTION.test(url));

	const server = createServer((request: IncomingMessage, response: ServerResponse) => {
		const { method, url } = request;
		const target = targetOf(url);
		if (target === undefined) {
			response.writeHead(502).end();
			return;
		}
		const headers = forwarded(request);
		const call = httpRequest(
			{ host: LOOPBACK, port: target, method, path: url, headers },
			(answer) => {
				response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
				answer.pipe(response);
				answer.once('error', () => response.destroy());
			},
		);
		call.once('error', () => {
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
		response.once('close', () => call.destroy());
		request.pipe(call);
	});

	// The editor's live connection.
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
		const call = httpRequest({ host: LOOPBACK, port, method, path: url, headers });
		const end = (): void => {
			open.delete(socket);
			socket.destroy();
			call.destroy();
		};
		socket.once('error', end).once('close', end);
		call.once('error', end);
		// Refused: n8n says why in an ordinary answer, which a browser shows as a failure anyway.
		call.once('response', end);
		call.once('upgrade', (answer, target, rest) => {
			target.once('error', end).once('close', end);
			const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
			for (let at = 0; at < answer.rawHeaders.length; at += 2) {
				lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`);
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
		server.listen({ port, host: LOOPBACK }, resolve);
	});
	return {
		url: `http://${LOOPBACK}:${port}`,
		close: async () => {
			for (const socket of open) socket.destroy();
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
