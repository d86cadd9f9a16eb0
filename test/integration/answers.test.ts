import { createGzip } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../support/contexts';
import { linked } from '../support/errors';
import { failureOf } from '../support/service';
import { envelope, json, Stub, text, type Answer } from '../support/stub';

// What only real connections show: large, packed and endless answers, and redirects.
const stub = new Stub();
beforeAll(async () => void (await stub.start()));
beforeEach(() => (stub.calls = []));
afterAll(async () => await stub.close());

const read = { resource: 'identity', operation: 'get', validationId: 'v1' };
const create = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
const run = async (parameters: IDataObject, timeoutSeconds?: number) =>
	await runAction(stub.credential('a-key', timeoutSeconds), { parameters });
const lost = 'so the identity request may have been created';

test('nearly 8 MB of a list are read', async () => {
	const url = 'https://a.example';
	const webhook = { type: 'signDocument', webHookUrl: url, notes: 'x'.repeat(990_000) };
	const webhooks = Array.from({ length: 8 }, (_, at) => ({ webHookID: `${at}`, ...webhook }));
	stub.answer = text(envelope(webhooks));
	expect(await run({ resource: 'webhook', operation: 'getAll' })).toHaveLength(8);
});

/** Sends a megabyte for each that is read, packed into next to nothing. */
const flood: Answer = (response) => {
	response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
	const packed = createGzip();
	packed.pipe(response);
	const piece = Buffer.alloc(1_000_000, ' ');
	const more = () => {
		while (!response.destroyed && packed.write(piece));
	};
	packed.on('drain', more);
	response.on('close', () => packed.removeListener('drain', more));
	more();
};

test('an answer without an end is not read further than the limit, and its connection closed', async () => {
	stub.answer = flood;
	const tooLarge = `${stub.url} answered with more than 2 MB (a list: 8 MB)`;
	const failedRead = await failureOf(run(read));
	expect(failedRead.message).toBe(tooLarge);
	expect(failedRead.description).toBe(
		linked('Check the Base URL in the credential, its path included.', 'answered-with-more-than'),
	);
	expect((await failureOf(run(create))).message).toBe(`${tooLarge}, ${lost}`);
	expect(stub.calls.filter((call) => call.includes('/identity'))).toHaveLength(2);
	expect(await stub.openConnections()).toBe(0);
});

/** A byte every 50 ms, and never an end. */
const drip: Answer = (response) => {
	response.writeHead(200, json);
	const timer = setInterval(() => response.write(' '), 50);
	response.on('close', () => clearInterval(timer));
};

test('a creation whose answer never ends is given up in time, and not repeated', async () => {
	stub.answer = drip;
	const start = performance.now();
	const failed = await failureOf(run(create, 1));
	expect(performance.now() - start).toBeLessThan(25_000);
	expect(failed.message).toMatch(/did not answer in time, so the identity request may/);
	expect(stub.calls.filter((call) => call.includes('/identity'))).toHaveLength(1);
	expect(await stub.openConnections()).toBe(0);
});

test('a redirect of a file is followed', async () => {
	const pdf = Buffer.from('%PDF-1.7 hello');
	stub.answer = (response, { path }) => {
		if (path === '/old') response.writeHead(302, { location: '/new.pdf' }).end();
		else response.end(pdf);
	};
	const form = { resource: 'document', operation: 'download', documentUrl: `${stub.url}/old` };
	const [item] = await run(form);
	expect(item?.binary?.document?.bytes).toBe(pdf.length);
});
