import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import axios from 'axios';

import type { Sandbox } from '../sandbox';

/** A service that responds at once, because it repeats what the sandbox responded to the first call of each kind. */
export interface InstantService {
	baseUrl: string;
	/** How many calls to a path (POST) it has received. */
	countOf(path: string): number;
	close(): Promise<void>;
}

interface Recorded {
	status: number;
	body: string;
}

/** @param sandbox Gets the first call with each method and path, and no other one. */
export async function startInstantService(sandbox: Sandbox): Promise<InstantService> {
	const recorded = new Map<string, Promise<Recorded>>();
	const counts = new Map<string, number>();
	const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const call = `${request.method} ${request.url}`;
		counts.set(call, (counts.get(call) ?? 0) + 1);
		let body = '';
		for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
		if (!recorded.has(call)) recorded.set(call, record(sandbox, request, body));
		const repeated = await recorded.get(call);
		response.writeHead(repeated?.status ?? 502, { 'content-type': 'application/json' });
		response.end(repeated?.body);
	};
	const server = createServer((request, response) => {
		void respond(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const { pathname } = new URL(sandbox.baseUrl);
	return {
		baseUrl: `http://127.0.0.1:${port}${pathname}`,
		countOf: (path) => counts.get(`POST ${pathname}${path}`) ?? 0,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function record(
	sandbox: Sandbox,
	{ method, url, headers }: IncomingMessage,
	body: string,
): Promise<Recorded> {
	const { status, data } = await axios.request<string>({
		method: method ?? 'GET',
		url: new URL(url ?? '', sandbox.url).href,
		// The sandbox has another host and port.
		headers: { ...headers, host: undefined },
		data: body || undefined,
		proxy: false,
		responseType: 'text',
		transformResponse: (text: string) => text,
		validateStatus: () => true,
	});
	return { status, body: data };
}
