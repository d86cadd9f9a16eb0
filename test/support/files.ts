import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A place where files are kept, as a storage behind pre-signed addresses is; for one test file. */
export interface FileHost {
	/** Its address, without a slash at the end. */
	url: string;
	/** What it does with a request. */
	answer: RequestListener;
	/** Headers of the requests so far. */
	requests: Array<{ url: string; headers: Record<string, unknown> }>;
}

/** Starts it before the tests of the calling file, and stops it after. */
export function useFileHost(): FileHost {
	const host: FileHost = { url: '', answer: (_, response) => response.end(), requests: [] };
	const server = createServer((request, response) => {
		host.requests.push({ url: request.url ?? '', headers: request.headers });
		host.answer(request, response);
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	beforeEach(() => host.requests.splice(0));
	afterAll(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return host;
}
