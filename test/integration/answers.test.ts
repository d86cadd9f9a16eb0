import { createGzip, gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { maxTries } from '../../nodes/SignVerify/http/retry';
import { runAction } from '../support/contexts';
import { linked } from '../support/links';
import { failureOf } from '../support/service';
import { envelope, json, Stub, text, type Answer } from '../support/stub';

/** A byte every 50 ms, and never an end. */
const drip: Answer = (response) => {
	response.writeHead(200, json);
	const timer = setInterval(() => response.write(' '), 50);
	response.on('close', () => clearInterval(timer));
};

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
		expect(failedRead.description).toBe(
			linked('Check the Base URL in the credential, its path included.', 'the-service-says-no'),
		);
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

	test.each([
		['another declared character set', 'application/json; charset=iso-8859-1', ''],
		['a byte order mark', 'text/plain', '\ufeff'],
	])('JSON is UTF-8, also with %s', async (_name, type, mark) => {
		const body = Buffer.from(`${mark}${envelope({ validationId: 'Zoë' })}`);
		stub.answer = text(body, { 'content-type': type });
		expect((await run(create))[0]?.json).toMatchObject({ validationId: 'Zoë' });
	});

	test('packed JSON is read', async () => {
		const packed = gzipSync(envelope({ validationId: 'Zoë' }));
		stub.answer = text(packed, { ...json, 'content-encoding': 'gzip' });
		expect((await run(create))[0]?.json).toMatchObject({ validationId: 'Zoë' });
	});

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

describe('an answer with more than 32 MB', () => {
	const piece = Buffer.alloc(1_000_000, ' ');
	/** Sends a megabyte for each that is read, packed into next to nothing or not. */
	const flood =
		(packed: boolean, status = 200): Answer =>
		(response) => {
			response.writeHead(status, { ...json, ...(packed ? { 'content-encoding': 'gzip' } : {}) });
			const to = packed ? createGzip() : response;
			if (packed) to.pipe(response);
			const more = () => {
				while (!response.destroyed && to.write(piece));
			};
			to.on('drain', more);
			response.on('close', () => to.removeListener('drain', more));
			more();
		};

	test.each([true, false])('packed: %s; is not read to its end', async (packed) => {
		stub.answer = flood(packed);
		const before = process.memoryUsage().rss;
		const failedRead = await failureOf(run(read));
		expect(failedRead.message).toBe(`${stub.url} answered with more than 32 MB`);
		expect(failedRead.description).toBe(
			linked(
				'Check the Base URL in the credential, its path included.',
				'the-service-cannot-be-reached',
			),
		);
		const failedCreation = await failureOf(run(create));
		expect(failedCreation.message).toBe(`${stub.url} answered with more than 32 MB, ${lost}`);
		expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
		expect(callsTo('/identity')).toBe(2);
		expect(await stub.openConnections()).toBe(0);
	});

	test('that refuses is a refusal all the same', async () => {
		stub.answer = flood(true, 404);
		expect((await failureOf(run(create))).message).toBe('The service did not find it (HTTP 404)');
		expect(await stub.openConnections()).toBe(0);
	});

	test('to the token exchange is an error, and nothing was sent', async () => {
		stub.token = flood(true);
		const failed = await failureOf(run(create, 'flood'));
		expect(failed.message).toBe(
			`Base URL: ${stub.url} answered with more than 32 MB. Check the Base URL in the credential, its path included`,
		);
		expect(callsTo('/identity')).toBe(0);
		expect(await stub.openConnections()).toBe(0);
	});
});

describe('an answer that never ends', () => {
	const options = { timeout: 0.5 };
	const seconds = async (work: Promise<unknown>): Promise<number> => {
		const start = performance.now();
		await work;
		return (performance.now() - start) / 1000;
	};
	const allClosed = async () => expect(await stub.openConnections()).toBe(0);

	test('to a creation: given up in time, not repeated, the connection closed', async () => {
		stub.answer = drip;
		const failed = failureOf(run({ ...create, options }));
		expect(await seconds(failed)).toBeLessThan(10);
		expect((await failed).message).toMatch(/did not answer in time, so the identity request may/);
		expect(callsTo('/identity/validation/request')).toBe(1);
		await allClosed();
	});

	test('to a read: tried again, then an error', async () => {
		stub.answer = drip;
		const failed = failureOf(run({ ...read, options }));
		expect(await seconds(failed)).toBeLessThan(20);
		expect((await failed).description).toContain(`It was tried ${maxTries.read.always} times`);
		await allClosed();
	});

	test('to the token exchange: nothing was sent, and the next exchange works', async () => {
		stub.token = drip;
		const failed = await failureOf(run({ ...create, options }, 'drip'));
		expect(failed.message).toMatch(/^Base URL: .* did not answer in time\. Try again in a moment$/);
		expect(callsTo('/identity')).toBe(0);
		await allClosed();
		stub.token = text(envelope({ accessToken: 'token' }));
		stub.answer = text(envelope({ validationId: 'v1' }));
		expect((await run(create, 'drip'))[0]?.json.validationId).toBe('v1');
		expect(callsTo('/identity')).toBe(1);
	});
});
