import { createGzip, gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/contexts';
import { linked } from '../support/errors';
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
const run = async (parameters: IDataObject, apiKey?: string, timeoutSeconds?: number) =>
	await runAction(stub.credential(apiKey, timeoutSeconds), { parameters });
const lost = 'so the identity request may have been created';
const callsTo = (path: string) => stub.calls.filter((call) => call.includes(path)).length;

describe('a large or packed answer', () => {
	test('packed JSON is read', async () => {
		const packed = gzipSync(envelope({ validationId: 'Zoë' }));
		stub.answer = text(packed, { ...json, 'content-encoding': 'gzip' });
		expect((await run(create))[0]?.json).toMatchObject({ validationId: 'Zoë' });
	});
});

describe('an answer without an end', () => {
	const piece = Buffer.alloc(1_000_000, ' ');
	/** Sends a megabyte for each that is read, packed into next to nothing or not. */
	const flood =
		(packed: boolean): Answer =>
		(response) => {
			response.writeHead(200, { ...json, ...(packed ? { 'content-encoding': 'gzip' } : {}) });
			const to = packed ? createGzip() : response;
			if (packed) to.pipe(response);
			const more = () => {
				while (!response.destroyed && to.write(piece));
			};
			to.on('drain', more);
			response.on('close', () => to.removeListener('drain', more));
			more();
		};
	const tooLarge = 'answered with more than 2 MB (a list: 8 MB)';
	const remedy = 'Check the Base URL in the credential, its path included';

	test.each([true, false])('packed: %s; is not read further than the limit', async (packed) => {
		stub.answer = flood(packed);
		const failedRead = await failureOf(run(read));
		expect(failedRead.message).toBe(`${stub.url} ${tooLarge}`);
		expect(failedRead.description).toBe(linked(`${remedy}.`, 'answered-with-more-than'));
		const failedCreation = await failureOf(run(create));
		expect(failedCreation.message).toBe(`${stub.url} ${tooLarge}, ${lost}`);
		expect(callsTo('/identity')).toBe(2);
		expect(await stub.openConnections()).toBe(0);
	});
});

describe('an answer that never ends', () => {
	const seconds = async (work: Promise<unknown>): Promise<number> => {
		const start = performance.now();
		await work;
		return (performance.now() - start) / 1000;
	};
	const allClosed = async () => expect(await stub.openConnections()).toBe(0);

	test('to a creation: given up in time, not repeated, the connection closed', async () => {
		stub.answer = drip;
		const failed = failureOf(run(create, undefined, 1));
		expect(await seconds(failed)).toBeLessThan(25);
		expect((await failed).message).toMatch(/did not answer in time, so the identity request may/);
		expect(callsTo('/identity/validation/request')).toBe(1);
		await allClosed();
	});

	test('to the token exchange: nothing was sent, and the next exchange works', async () => {
		stub.token = drip;
		const failed = await failureOf(run(create, 'drip', 1));
		expect(failed.message).toMatch(/^Base URL: .* did not answer in time\. Try again in a moment$/);
		expect(callsTo('/identity')).toBe(0);
		await allClosed();
		stub.token = text(envelope({ accessToken: 'token' }));
		stub.answer = text(envelope({ validationId: 'v1' }));
		expect((await run(create, 'drip'))[0]?.json.validationId).toBe('v1');
		expect(callsTo('/identity')).toBe(1);
	});
});
