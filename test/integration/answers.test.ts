import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { failureOf } from '../support/service';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };
const envelope = (responseData: unknown) =>
	JSON.stringify({ responseData, success: true, responseCode: 200 });
const text =
	(body: string, headers: Record<string, string> = json): Answer =>
	(response) =>
		response.writeHead(200, headers).end(body);

/** A byte every 50 ms, and never an end. */
const drip: Answer = (response) => {
	response.writeHead(200, json);
	const timer = setInterval(() => response.write(' '), 50);
	response.on('close', () => clearInterval(timer));
};

/** A service of one's own: gives tokens, and answers everything else as the test says. */
class Stub {
	calls: string[] = [];

	answer: Answer = text(envelope({}));

	token: Answer = text(envelope({ accessToken: 'token' }));

	/** Connections that are open. */
	readonly sockets = new Set<Socket>();

	private readonly server: Server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '', 'http://stub');
		this.calls.push(`${request.method} ${pathname}`);
		request.resume();
		(pathname === '/access/token' ? this.token : this.answer)(response, request);
	}).on('connection', (socket) => {
		this.sockets.add(socket);
		socket.on('close', () => this.sockets.delete(socket));
	});

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	/** A credential of its own for each call: accounts share what is under way. */
	credential(apiKey = 'a-key'): CredentialKeeper {
		const { port } = this.server.address() as AddressInfo;
		return new CredentialKeeper({ baseUrl: `http://127.0.0.1:${port}`, userId: 'u', apiKey });
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

let stub: Stub;
beforeEach(async () => {
	stub = await new Stub().start();
});
afterEach(async () => {
	await stub.close();
});

const read = { resource: 'identity', operation: 'get', validationId: 'v1' };
const create = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
const run = async (parameters: IDataObject, apiKey?: string) =>
	await runAction(stub.credential(apiKey), { parameters });
const lost = 'so the identity request may have been created';
const notTheService = 'which is not an answer of the signing service';
const callsTo = (path: string) => stub.calls.filter((call) => call.includes(path)).length;

describe('an answer that is not what the interface shows', () => {
	test.each<[string, string, Record<string, string>, RegExp]>([
		['JSON that is cut off', '{"responseData":{"valid', json, /with text that is not JSON/],
		['an empty body', '', json, /with an empty body/],
		['a web page', '<html><title>Sign in</title></html>', {}, /with a web page titled "Sign in"/],
		['a JSON text', '"hello"', json, /with text that is not JSON|with a JSON string/],
		['a JSON number', '17', json, /with a JSON number/],
		['null', 'null', json, /with an empty body/],
	])('%s: an error that says so, no second call', async (_name, body, headers, words) => {
		stub.answer = text(body, headers);
		const failedRead = await failureOf(run(read));
		expect(failedRead.message).toMatch(words);
		expect(failedRead.message).toContain(notTheService);
		expect(failedRead.description).toBe('Check the Base URL in the credential, its path included.');
		const failedCreation = await failureOf(run(create));
		expect(failedCreation.message).toMatch(words);
		expect(failedCreation.message).toContain(lost);
		expect(callsTo('/identity')).toBe(2);
	});

	test('another shape is passed through whole', async () => {
		stub.answer = text('{"hello":"world","list":[1]}');
		expect((await run(read))[0]?.json).toMatchObject({ hello: 'world', list: [1] });
		stub.answer = text(envelope('just words'));
		expect((await run(create))[0]?.json).toEqual({ email: 'ada@example.com' });
	});

	test.each(['text/plain', 'text/html', 'application/octet-stream'])(
		'JSON sent as %s is read all the same',
		async (type) => {
			stub.answer = text(envelope({ validationId: 'v1' }), { 'content-type': type });
			expect((await run(create))[0]?.json).toMatchObject({ validationId: 'v1' });
		},
	);

	test('10 MB of JSON are read', async () => {
		const notes = 'x'.repeat(10_000_000);
		stub.answer = text(envelope({ validationId: 'v1', notes }));
		const [item] = await run(create);
		expect(item?.json.validationId).toBe('v1');
		expect((item?.json.notes as string | undefined)?.length).toBe(notes.length);
	});

	test('10 MB of a message become one line', async () => {
		const message = 'x'.repeat(10_000_000);
		stub.answer = (response) =>
			response.writeHead(400, json).end(JSON.stringify({ success: false, message }));
		expect((await failureOf(run(create))).message.length).toBeLessThan(400);
	});
});

describe('an answer that never ends', () => {
	const options = { timeout: 0.5 };
	const seconds = async (work: Promise<unknown>): Promise<number> => {
		const start = performance.now();
		await work;
		return (performance.now() - start) / 1000;
	};
	const allClosed = async (): Promise<void> => {
		for (let tries = 0; stub.sockets.size && tries < 50; tries++) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		expect(stub.sockets.size).toBe(0);
	};

	test('to a creation: given up in time, not repeated, the connection closed', async () => {
		stub.answer = drip;
		const failed = failureOf(run({ ...create, options }));
		expect(await seconds(failed)).toBeLessThan(2);
		expect((await failed).message).toMatch(/did not answer in time, so the identity request may/);
		expect(callsTo('/identity/validation/request')).toBe(1);
		await allClosed();
	});

	test('to a read: tried again, then an error', async () => {
		stub.answer = drip;
		const failed = failureOf(run({ ...read, options }));
		expect(await seconds(failed)).toBeLessThan(8);
		expect((await failed).description).toMatch(/It was tried 4 times/);
		await allClosed();
	});

	test('to the token exchange: nothing was sent, and the next exchange works', async () => {
		stub.token = drip;
		const failed = await failureOf(run({ ...create, options }, 'drip'));
		expect(failed.message).toMatch(/^Base URL: .* did not answer in time$/);
		expect(callsTo('/identity')).toBe(0);
		await allClosed();
		stub.token = text(envelope({ accessToken: 'token' }));
		stub.answer = text(envelope({ validationId: 'v1' }));
		expect((await run(create, 'drip'))[0]?.json.validationId).toBe('v1');
		expect(callsTo('/identity')).toBe(1);
	});
});
