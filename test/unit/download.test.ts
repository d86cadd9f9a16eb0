import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { Download } from '../../nodes/SignVerify/files/fileDownload';
import { fileContentOf } from '../../nodes/SignVerify/files/fileContent';
import { fileProblems } from '../../nodes/SignVerify/files/fileProblems';
import { nameFile } from '../../nodes/SignVerify/files/fileNames';
import type { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import { maxResponseBytes } from '../../nodes/SignVerify/http/request';
import { lostForGood, maxTries, RetryPolicy } from '../../nodes/SignVerify/http/retry';
import {
	bodyOf,
	breakingBody,
	downloadWith,
	hangingBody,
	leaseDownload,
	type StorageResponse,
} from '../support/downloads';
import { networkWords } from '../support/problemWords';
import { runAction } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { expectLinear } from '../support/growth';
import { failureOf } from '../support/service';
import { errorWithCode } from '../support/standIn';
import { until } from '../support/until';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';

const tries = maxTries.file.didNothing;

// The retry policy's tests already cover the pauses between attempts, so shorten the pauses here.
beforeEach(() => void jest.spyOn(RetryPolicy.prototype, 'backoff').mockReturnValue(1));
afterEach(() => jest.restoreAllMocks());

const noun = 'the document';
const origin = 'https://files.example.com';

useVirtualTime();

describe('A download', () => {
	test('is a plain GET request that contains nothing from the credential', async () => {
		const { calls, stored } = await downloadWith(() => ({ body: bodyOf('%PDF-', 'content') }));
		expect(calls).toEqual([
			{
				method: 'GET',
				url: leaseDownload.address,
				headers: { accept: '*/*' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: 200,
				abortSignal: expect.any(AbortSignal) as AbortSignal,
			},
		]);
		expect(stored).toEqual({
			text: '%PDF-content',
			fileName: 'Lease – 4a263d - psc.pdf',
			mimeType: 'application/pdf',
		});
	});

	test('closes the connection and is not retried if n8n cannot store the file', async () => {
		const body = bodyOf('%PDF-');
		const store = async () => await Promise.reject(new Error('disk full'));
		const { error, calls } = await downloadWith(() => ({ body }), { store });
		expect(error?.message).toBe('disk full');
		expect(calls).toHaveLength(1);
		expect(body.destroyed).toBe(true);
	});

	test.each([
		['its host is not found', errorWithCode('ENOTFOUND'), 'unreachable'],
		['its certificate is not trusted', errorWithCode('CERT_HAS_EXPIRED'), 'unreachable'],
		['n8n blocks it', new Error('The request was blocked because it is internal'), 'unreachable'],
		['it refuses connections', errorWithCode('ECONNREFUSED'), 'busy'],
		['it closes the connection', errorWithCode('ECONNRESET'), 'busy'],
	])('advises a new link only if a server can be reached: %s', async (_what, failure, kind) => {
		const { error } = await downloadWith(() => {
			throw failure;
		});
		const { description = '' } = error as ServiceError;
		expect(description.includes('copy a new link')).toBe(kind === 'busy');
		expect(description.includes('runs your n8n')).toBe(kind === 'unreachable');
	});

	test('ends when the execution is canceled, and does not start in a canceled execution', async () => {
		const execution = new AbortController();
		const body = hangingBody('beginning');
		setTimeout(() => execution.abort(), 20);
		const { error, calls } = await downloadWith(() => ({ body }), { signal: execution.signal });
		const cause = { ...networkWords('canceled', origin), failure: lostForGood };
		expect(error?.message).toBe(fileProblems.broken({ noun, cause }).problem);
		expect(calls).toHaveLength(1);
		expect(body.destroyed).toBe(true);
		const unsent = await downloadWith(() => ({}), { signal: AbortSignal.abort() });
		expect(unsent.calls).toEqual([]);
	});

	test.each([
		['not announced', {}],
		['announced incorrectly', { 'content-length': '5' }],
	])(
		'stores a 100 MB file but rejects a larger one, even if the size is %s',
		async (_name, headers) => {
			const most = Buffer.alloc(maxResponseBytes.file, '%PDF-');
			expect(
				(await downloadWith(() => ({ headers, body: bodyOf(most) }))).stored?.text,
			).toHaveLength(maxResponseBytes.file);
			const body = bodyOf(most, 'x');
			const { problem, remedy } = fileProblems.tooLarge(noun);
			expect((await downloadWith(() => ({ headers, body }))).error).toMatchObject({
				message: problem,
				description: remedy,
			});
			expect(body.destroyed).toBe(true);
		},
	);
});

describe('A failed download', () => {
	/** Makes a server that fails this many times in the given way and then returns the file. */
	function failing(times: number, fail: () => StorageResponse) {
		let count = 0;
		return () => (count++ < times ? fail() : { body: bodyOf('%PDF-the whole file') });
	}
	const thrown = (code: string) => () => {
		throw errorWithCode(code);
	};

	test.each<[string, () => StorageResponse]>([
		['HTTP 503', () => ({ status: 503, body: bodyOf('<html>busy</html>') })],
		['HTTP 429', () => ({ status: 429 })],
		['HTTP 408', () => ({ status: 408 })],
		['a refused connection', thrown('ECONNREFUSED')],
		['a timeout', thrown('ECONNABORTED')],
		['a broken transfer', () => ({ body: breakingBody(errorWithCode('ECONNRESET'), 'the whole') })],
		['an empty response', () => ({ body: bodyOf() })],
	])('is retried from the beginning after %s', async (_name, fail) => {
		const { stored, calls } = await downloadWith(failing(tries - 1, fail));
		expect(stored?.text).toBe('%PDF-the whole file');
		expect(calls).toHaveLength(tries);
		expect((await downloadWith(failing(tries, fail))).error?.message).toMatch(/^Couldn't download/);
	});

	describe('whose file is not there', () => {
		beforeEach(() => void jest.spyOn(RetryPolicy.prototype, 'backoff').mockReturnValue(1));

		const missing = (status: number) => () => ({ status, body: bodyOf('Not here') });
		const { problem: expired } = fileProblems.expired({ noun, status: 403, found: '' });
		const { problem: notThereYet } = fileProblems.notFound({ noun, found: '' });

		test.each([
			[403, expired],
			[404, notThereYet],
		])('with HTTP %i is tried once more, after 3 seconds', async (status, message) => {
			const elapsedMs = stopwatch();
			const elapsed = () => Math.round(elapsedMs());
			const later = await downloadWith(failing(1, missing(status)));
			expect(later.stored?.text).toBe('%PDF-the whole file');
			expect(elapsed()).toBe(3000);
			const { error, calls } = await downloadWith(missing(status));
			expect(error).toMatchObject({
				message: expect.stringContaining(message) as string,
				description: expect.stringMatching(/ The node tried 2 times in 3 s\.$/) as string,
				shownStatus: status,
			});
			expect(calls).toHaveLength(2);
			expect(elapsed()).toBe(6000);
		});

		test.each([403, 404])(
			'with HTTP %i is tried once more even after other failures',
			async (status) => {
				const answers = [{ status: 503 }, { status: 503 }, { status }, { status }];
				const { calls } = await downloadWith(() => answers.shift() ?? {});
				expect(calls).toHaveLength(4);
				expect(answers).toEqual([]);
			},
		);

		test.each([403, 404])(
			'with HTTP %i is not tried again if the time limit is too short',
			async (status) => {
				const elapsedMs = stopwatch();
				const { calls } = await downloadWith(missing(status), { more: { totalMs: 2999 } });
				expect(calls).toHaveLength(1);
				expect(elapsedMs()).toBeLessThan(100);
			},
		);
	});

	test.each<[string, () => StorageResponse]>([
		['the link has expired', () => ({ status: 410 })],
		[
			'a web page arrives instead of the file',
			() => ({ body: bodyOf('<html><title>Sign in</title>') }),
		],
		['the host is unknown', thrown('ENOTFOUND')],
	])('is not retried if %s', async (_name, fail) => {
		expect((await downloadWith(failing(1, fail))).calls).toHaveLength(1);
	});

	test('is retried after the delay in Retry-After, or not at all if that delay is too long', async () => {
		const limited = (seconds: string) => () => ({
			status: 429,
			headers: { 'retry-after': seconds },
		});
		const elapsedMs = stopwatch();
		expect((await downloadWith(failing(1, limited('0.5')))).stored?.text).toBe(
			'%PDF-the whole file',
		);
		expect(elapsedMs()).toBe(500);
		expect((await downloadWith(failing(1, limited('60')))).calls).toHaveLength(1);
	});
});

describe('The time limit for downloads', () => {
	const more = { totalMs: 400 };
	/** Makes a body that sends a piece every 20 ms and never ends. */
	const trickle = (piece: string) =>
		Readable.from(
			(async function* () {
				for (;;) {
					await delay(20);
					yield Buffer.from(piece);
				}
			})(),
		);

	test.each([
		['no data arrives', () => ({ body: hangingBody('beginning') })],
		['data keeps arriving', () => ({ body: trickle('x') })],
		['no response arrives', async (): Promise<never> => await new Promise(() => {})],
	])('is enforced if %s', async (_name, respond) => {
		const { error, calls } = await downloadWith(respond, { more });
		expect(error).toMatchObject({
			message: fileProblems.tooSlow({ noun, totalMs: 400 }).problem,
			description: fileProblems.tooSlow({ noun, totalMs: 400 }).remedy,
		});
		expect(calls).toHaveLength(1);
		expect((calls[0]?.abortSignal as AbortSignal).aborted).toBe(true);
	});
});

describe('The number of downloads at once', () => {
	const more = { totalMs: 60_000, timeoutMs: 60_000 };

	/**
	 * Starts downloads whose server sends nothing, for each of the accounts in turn. Returns how many of them have called
	 * the server.
	 */
	function startHanging(
		count: number,
		purpose: Download['purpose'],
		signal: AbortSignal,
		accounts = ['a', 'b', 'c'],
	) {
		let begun = 0;
		const all = Array.from({ length: count }, async (_, index) => {
			const respond = () => {
				begun++;
				return { body: hangingBody('%PDF-') };
			};
			const account = accounts[index % accounts.length] ?? '';
			return await downloadWith(respond, { more: { ...more, purpose, account }, signal });
		});
		return { all: Promise.all(all), begun: () => begun };
	}
	const file = async (purpose: Download['purpose'], totalMs = 60_000, account = 'file') =>
		await downloadWith(() => ({ body: bodyOf('%PDF-') }), {
			more: { purpose, totalMs, timeoutMs: 60_000, account },
		});

	test.each(['event', 'execution'] as const)(
		"is 25 for an account's files of an %s, which never keep another account's files waiting",
		async (purpose) => {
			const cancel = new AbortController();
			const { all, begun } = startHanging(60, purpose, cancel.signal, ['slow']);
			await until('25 downloads have begun', () => begun() === 25);
			expect((await file(purpose, 100, 'slow')).error?.message).toBe(
				fileProblems.noFreeSlot(noun).problem,
			);
			expect((await file(purpose, 60_000, 'other')).stored?.text).toBe('%PDF-');
			const waiting = file(purpose, 60_000, 'slow');
			expect(begun()).toBe(25);
			cancel.abort();
			expect((await waiting).stored?.text).toBe('%PDF-');
			await all;
			// Each of the downloads has given back what it held.
			const again = new AbortController();
			const later = startHanging(60, purpose, again.signal, ['slow', 'other']);
			await until('40 downloads have begun', () => later.begun() === 40);
			again.abort();
			await later.all;
		},
	);

	test('is 25 for an account even while other accounts have all slots', async () => {
		const cancel = new AbortController();
		const { all, begun } = startHanging(50, 'event', cancel.signal, ['a', 'b']);
		await until('40 downloads have begun', () => begun() === 40);
		const one = startHanging(1, 'event', cancel.signal, ['late']);
		await until('the download of another account has begun', () => one.begun() === 1);
		const late = Array.from({ length: 30 }, async () => await file('event', 100, 'late'));
		for (const { error } of await Promise.all(late)) {
			expect(error?.message).toBe(fileProblems.noFreeSlot(noun).problem);
		}
		cancel.abort();
		await Promise.all([all, one.all]);
		const again = new AbortController();
		const later = startHanging(30, 'event', again.signal, ['late']);
		await until('25 downloads have begun', () => later.begun() === 25);
		again.abort();
		await later.all;
	});

	test.each(['event', 'execution'] as const)(
		'is at least ten for accounts whose first file of an %s comes while two others have all they can have',
		async (purpose) => {
			const cancel = new AbortController();
			const { all, begun } = startHanging(60, purpose, cancel.signal, ['a', 'b']);
			await until('40 downloads have begun', () => begun() === 40);
			const accounts = Array.from({ length: 9 }, (_, index) => `new ${index}`);
			const first = startHanging(9, purpose, cancel.signal, accounts);
			await until('each first download has begun', () => first.begun() === 9);
			expect((await file(purpose, 60_000, 'third')).stored?.text).toBe('%PDF-');
			expect((await file(purpose, 100, 'new 0')).error?.message).toBe(
				fileProblems.noFreeSlot(noun).problem,
			);
			expect(begun()).toBe(40);
			cancel.abort();
			await Promise.all([all, first.all]);
		},
	);

	test.each([2, 3, 26])(
		'lets %i files of an account that begin together arrive one by one while two others have all they can have',
		async (count) => {
			const cancel = new AbortController();
			const { all, begun } = startHanging(60, 'event', cancel.signal, ['a', 'b']);
			await until('40 downloads have begun', () => begun() === 40);
			let [running, most] = [0, 0];
			const respond = () => {
				most = Math.max(most, ++running);
				return { body: bodyOf('%PDF-') };
			};
			const store = async () => await Promise.resolve(running--);
			const own = { purpose: 'event' as const, account: 'late', totalMs: 1000 };
			const setup = { store, more: { ...more, ...own } };
			const late = Array.from({ length: count }, async () => await downloadWith(respond, setup));
			expect((await Promise.all(late)).filter(({ error }) => error)).toEqual([]);
			expect(most).toBe(1);
			expect(begun()).toBe(40);
			cancel.abort();
			await all;
		},
	);

	test('lets a file that has begun to wait for a kept slot have any other', async () => {
		const [cancel, cancelFirst] = [new AbortController(), new AbortController()];
		const { all } = startHanging(40, 'event', cancel.signal, ['a', 'b']);
		const accounts = Array.from({ length: 10 }, (_, index) => `new ${index}`);
		const first = startHanging(10, 'event', cancelFirst.signal, accounts);
		await until('each first download has begun', () => first.begun() === 10);
		const waiting = file('event', 1000, 'late');
		cancel.abort();
		expect((await waiting).stored?.text).toBe('%PDF-');
		cancelFirst.abort();
		await Promise.all([all, first.all]);
	});

	test('is 50 for all executions, and the others wait for them but not for ever', async () => {
		const cancel = new AbortController();
		const { all, begun } = startHanging(120, 'execution', cancel.signal);
		await until('40 downloads have begun', () => begun() === 40);
		const accounts = Array.from({ length: 10 }, (_, index) => `new ${index}`);
		const others = startHanging(10, 'execution', cancel.signal, accounts);
		await until('50 downloads have begun', () => begun() + others.begun() === 50);
		expect((await file('execution', 100)).error).toMatchObject({
			message: fileProblems.noFreeSlot(noun).problem,
			description: fileProblems.noFreeSlot(noun).remedy,
		});
		const waiting = file('execution');
		cancel.abort();
		await others.all;
		expect((await waiting).stored?.text).toBe('%PDF-');
		for (const { error } of await all) {
			expect(error?.message).toMatch(/execution was cancelled/);
		}
		expect(begun()).toBe(40);
	});

	test('is separate for events, so that their senders do not wait for an execution', async () => {
		const cancel = new AbortController();
		const { all, begun } = startHanging(90, 'execution', cancel.signal);
		await until('40 downloads have begun', () => begun() === 40);
		expect((await file('event')).stored?.text).toBe('%PDF-');
		expect(begun()).toBe(40);
		cancel.abort();
		await all;
	});

	test('includes neither a download that waits for its next attempt nor one that ended', async () => {
		jest.spyOn(RetryPolicy.prototype, 'backoff').mockReturnValue(30_000);
		const cancel = new AbortController();
		let [begun, ended] = [0, 0];
		const busy = Array.from({ length: 50 }, async (_, index) => {
			const unavailable = () => {
				begun++;
				return { status: 503 };
			};
			const account = `account ${index % 2}`;
			const own = { more: { ...more, purpose: 'event' as const, account }, signal: cancel.signal };
			await downloadWith(unavailable, own).finally(() => ended++);
		});
		await until('all downloads have begun', () => begun === 50);
		expect((await file('event')).stored?.text).toBe('%PDF-');
		expect(ended).toBe(0);
		cancel.abort();
		await Promise.all(busy);
		const failing = Array.from({ length: 200 }, async () => {
			const store = async () => await Promise.reject(new Error('disk full'));
			const body = () => ({ body: bodyOf('%PDF-') });
			return await downloadWith(body, { store, more: { ...more, purpose: 'event' } });
		});
		await Promise.all(failing);
		expect((await file('event')).stored?.text).toBe('%PDF-');
	});

	test('keeps no download of many small files from finishing', async () => {
		const files = Array.from({ length: 1000 }, async () => await file('execution'));
		expect((await Promise.all(files)).filter(({ stored }) => stored)).toHaveLength(1000);
	});
});

describe('Document: Download', () => {
	/** Runs the node with a credential for a service whose host also stores the file, and never sends it. */
	const downloadSlowly = (credential: IDataObject, begin: () => void = () => undefined) => {
		const baseUrl = 'https://sign.example.com/api';
		const keeper = new CredentialKeeper({ baseUrl, apiKey: 'key', ...credential }, async () => {
			begin();
			return await new Promise(() => {});
		});
		const documentUrl = `${baseUrl}/file`;
		const parameters = { resource: 'document', operation: 'download', documentUrl };
		return failureOf(runAction(keeper, { parameters }));
	};

	test.each([1, 30, 3600])('gives up after ten minutes with a Timeout of %i s', async (seconds) => {
		const elapsedMs = stopwatch();
		const { message } = await downloadSlowly({ userId: 'u', timeoutSeconds: seconds });
		expect(message).toBe(fileProblems.tooSlow({ noun, totalMs: 600_000 }).problem);
		expect(Math.round(elapsedMs())).toBe(600_000);
	});

	test("counts as a download of the credential's account", async () => {
		let begun = 0;
		const errors = ['one', 'two', 'two', 'two'].flatMap((userId) =>
			Array.from({ length: 10 }, async () => await downloadSlowly({ userId }, () => begun++)),
		);
		// The model of n8n needs many turns before it calls the node, and each of them moves the clock.
		for (let turn = 0; turn < 1000; turn++) await sleep(0.001);
		expect(begun).toBe(10 + 25);
		await Promise.all(errors);
	});
});

describe('A response without a file', () => {
	const page = (title: string) =>
		`<!DOCTYPE html><html><head><title>${title}</title></head></html>`;
	const xml = (words: string) =>
		`<?xml version="1.0"?>\n<Error><Message>${words}</Message></Error>`;

	test.each([
		[410, '', ''],
		[300, '', ''],
		[200, page('Link expired'), 'text/html'],
		[200, `\ufeff ${page('Gone')}`, 'application/pdf'],
		[200, 'Please sign in', 'text/html; x'],
		[200, '<html>', ''],
		[200, xml('Gone'), 'application/xml'],
		[200, ' {"message":"no"}', 'application/pdf'],
		[200, '7', 'text/json'],
	])('is reported as an expired link: HTTP %i with the body %j', async (status, body, type) => {
		const headers = { 'content-type': type };
		const { error, calls } = await downloadWith(() => ({ status, headers, body: bodyOf(body) }));
		expect(error).toMatchObject({
			message: expect.stringContaining(
				fileProblems.expired({ noun, status, found: '' }).problem,
			) as string,
			description: fileProblems.expired({ noun, status, found: '' }).remedy,
			shownStatus: status,
		});
		expect(calls).toHaveLength(1);
	});

	test('is reported as a storage server problem if its status is HTTP 500', async () => {
		const respond = () => ({ status: 500, body: bodyOf('{"message":', '"no"}') });
		expect((await downloadWith(respond)).error).toMatchObject({
			message: fileProblems.storageFailed({ noun, status: 500 }).problem,
			description: expect.stringContaining(
				fileProblems.storageFailed({ noun, status: 500 }).remedy,
			) as string,
		});
	});

	test('is reported as empty if it has no content', async () => {
		expect((await downloadWith(() => ({ body: bodyOf('') }))).error).toMatchObject({
			message: fileProblems.empty(noun).problem,
			description: expect.stringContaining(fileProblems.empty(noun).remedy) as string,
		});
	});
});

/** The beginning of a signature in DER. */
const der = Buffer.from('3082010a02010106092a864886f70d010702a0820100'.repeat(3), 'hex');
const png = Buffer.from(
	'89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
	'hex',
);
const zip = Buffer.from('504b0304140000000800000021003d5c8f7a0b00000009000000', 'hex');
const pem = '-----BEGIN PKCS7-----\nMIIBCgIBAQYJKoZIhvcNAQcC\n-----END PKCS7-----\n';
const pdf64 = Buffer.from(`%PDF-1.7\n${'x'.repeat(3000)}`).toString('base64');

describe('What is no file', () => {
	test.each([
		['base64', pdf64, 'application/pdf'],
		['base64 as text', pdf64, 'text/plain'],
		['base64 without a type', pdf64, ''],
		['a data URL', `data:application/pdf;base64,${pdf64}`, 'application/octet-stream'],
		['words', 'Access denied', ''],
		['words in Latin-1', Buffer.from('Acceso denegado: expir\xf3', 'latin1'), ''],
		['words as a PDF', 'Request has expired', 'application/pdf'],
		['words as a signature', 'Access denied', 'application/pkcs7-mime'],
		['words as XML', 'Access denied to this file', 'application/xml'],
		['words as text', 'Request has expired', 'text/plain'],
		['an error after a comment', `<?xml version="1.0"?>\n<!-- - -->\n<Error>${pem}</Error>`, ''],
		['a page after a comment', '<!-- sign in --><!-- - --> <html>Access denied</html>', ''],
		['the body of a page', '<body>Access denied to this file</body>', 'text/plain'],
		...[
			'',
			'text/plain',
			'application/octet-stream',
			'application/xml',
			'application/pkcs7-mime',
		].map((type): [string, string, string] => [
			`a piece of a page as "${type}"`,
			'<p>Access denied</p>',
			type,
		]),
		['a long piece of a page', `<p>Access denied</p>${'<br>'.repeat(500)}`, 'text/plain'],
		[
			'a page with a declaration',
			'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
			'',
		],
		['one byte', '0', 'application/octet-stream'],
		['one byte of binary data', Buffer.from([0]), ''],
		['an image as a PDF', png, 'application/pdf'],
		['a signature as an image', der, 'image/png'],
		['words as an image', 'No such image here', 'image/webp'],
		['words as a ZIP', 'No such archive here', 'application/zip'],
	])('%s is rejected', async (_name, body, type) => {
		const { error, stored } = await downloadWith(() => ({
			headers: { 'content-type': type },
			body: bodyOf(body),
		}));
		expect(stored).toBeUndefined();
		expect(error?.message).toMatch(/ The server returned \d+ B of /);
	});

	test.each([
		[202, 'notReady'],
		[206, 'partial'],
	] as const)('HTTP %i is tried again (%s)', async (status, row) => {
		let count = 0;
		const body = () => bodyOf('%PDF-1.7');
		const once = () => ({ status: count++ === 0 ? status : 200, body: body() });
		expect((await downloadWith(once)).stored?.text).toBe('%PDF-1.7');
		const { error, calls } = await downloadWith(() => ({ status, body: body() }));
		expect(error?.message).toContain(fileProblems[row](noun).problem);
		expect(calls).toHaveLength(tries);
	});

	test.each([
		['the link', `Cannot GET ${leaseDownload.address} key=MARKED MARKED-${'S'.repeat(20)}`],
		['a short key', 'Unknown key MARKED-5f3a9c'],
		['a key with spaces', 'MARKED 5f3a 9c1e 77d0 4b2a'],
		['a name', 'No access for MARKED Torres'],
		['JSON', '{"message":"Unknown key MARKED"}'],
		['markup', '<Error><Key>MARKED</Key></Error>'],
		['base64', 'MARKED'.repeat(20)],
	])('is described by its size and type only, even if it contains %s', async (_name, text) => {
		for (const status of [200, 403, 404, 410]) {
			for (const [declared, shown] of [
				['text/plain; charset=utf-8', 'text/plain'],
				['', 'no type'],
				['MARKED', 'no type'],
				['text/plain MARKED', 'no type'],
				[`text/${'x'.repeat(81)}`, 'no type'],
				['application/vnd.example+json', 'application/vnd.example+json'],
			] as const) {
				const headers = { 'content-type': declared };
				const more = { totalMs: 1000 };
				const respond = () => ({ status, headers, body: bodyOf(text) });
				const { error } = await downloadWith(respond, { more });
				const size = Buffer.byteLength(text);
				expect(error?.message).toMatch(
					new RegExp(`The server returned ${size} B of ${shown.replace('+', '.')}$`),
				);
				expect(JSON.stringify(error)).not.toMatch(/marked/i);
			}
		}
	});
});

test.each([
	['a PDF sent as text/html', '%PDF-1.7\n<html>', 'text/html'],
	['binary data', der, ''],
	['a PDF after other bytes', `\n\n${' '.repeat(900)}%PDF-1.7`, ''],
	['a PNG image', png, 'image/png'],
	['a JPEG image', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), der]), 'image/jpeg'],
	['a ZIP archive', zip, 'application/zip'],
	['an ASiC container', zip, 'application/vnd.etsi.asic-e+zip'],
	['a signature', der, 'application/pkcs7-signature'],
	['a signature in PEM', pem, 'application/octet-stream'],
	['a signature in base64', der.toString('base64'), 'application/pkcs7-mime'],
	['a long CSV file', 'name,signed\n'.repeat(200), 'text/csv'],
	['XML after a comment', '<?xml version="1.0"?>\n<!-- <Error> -->\n<Errors/>', ''],
	['XML with a namespace', '<c:Acta version="1" xmlns:c="urn:acta"/>', 'text/plain'],
	['long XML without a declaration', `<acta>${'<firma/>'.repeat(200)}</acta>`, 'text/xml'],
	['XML that is not an error', '<?xml version="1.0"?><Document><Error/></Document>', 'text/xml'],
])('A response with %s is stored as a file', async (_name, body, type) => {
	const respond = () => ({ headers: { 'content-type': type }, body: bodyOf(body) });
	expect((await downloadWith(respond)).stored?.text).toBe(body.toString());
});

describe('The file name', () => {
	const pdf = Buffer.from('%PDF-1.7');
	const named = (
		title: string,
		{
			person = '',
			documentId = '1',
			suffix = ' - psc',
			address = 'https://files.example.com/1',
			type = '',
		} = {},
		beginning = pdf,
	) => nameFile({ title, person, documentId, suffix, address }, beginning, type);

	test.each([
		['Lease: 1/2', 'Lease 1 2 – 1 - psc'],
		['../../etc/a', 'etc a – 1 - psc'],
		['Lease\u202efdp.exe\u2066', 'Leasefdp.exe – 1 - psc'],
		['a\u0085b\u009bc\u001bd\u007fe', 'a b c d e – 1 - psc'],
		['', 'document – 1 - psc'],
		['Contract.pdf', 'Contract – 1 - psc'],
		['Contract.PDF ', 'Contract – 1 - psc'],
		['Contract.docx', 'Contract – 1 - psc'],
		['Contract.pdf.p7m', 'Contract – 1 - psc'],
		['Contract.xlsx', 'Contract – 1 - psc'],
		['Contract.pptx.pdf', 'Contract – 1 - psc'],
		['Lease v1.2', 'Lease v1.2 – 1 - psc'],
	])('for the title %j is "%s.pdf"', (title, expected) => {
		expect(named(title).fileName).toBe(`${expected}.pdf`);
	});

	test.each([
		['a long title', 'x'.repeat(300), 'x'.repeat(114)],
		['a title with an emoji at the limit', `${'x'.repeat(113)}👩`, 'x'.repeat(113)],
		['a title with joined emoji at the limit', `${'x'.repeat(110)}👩‍👧‍👦`, 'x'.repeat(110)],
		['a title with an accent at the limit', `${'x'.repeat(113)}e\u0301`, 'x'.repeat(113)],
		['a title with a space at the limit', `${'x'.repeat(113)} y`, 'x'.repeat(113)],
		['a title with 5,000 accents on one letter', `a\ud83d b${'\u0301'.repeat(5000)}`, 'a'],
		['a title of wide characters', '契'.repeat(50), '契'.repeat(38)],
	])('shows that %s was cut', (_what, title, kept) => {
		expect(named(title).fileName).toMatch(new RegExp(`^${kept}… [\\da-f]{6} – 1 - psc\\.pdf$`));
	});

	test('is different for long titles that begin alike, and the same for the same title', () => {
		const title = `Service agreement for ${'x'.repeat(120)}`;
		expect(named(`${title} 1`).fileName).not.toBe(named(`${title} 2`).fileName);
		expect(named(`${title} 1`).fileName).toBe(named(`${title} 1`).fileName);
		const person = 'y'.repeat(100);
		expect(named('Lease', { person: `${person} 1` }).fileName).not.toBe(
			named('Lease', { person: `${person} 2` }).fileName,
		);
	});

	test.each(['.', ' ', '.pdf', 'x.'])(
		'is found in linear time even if the title repeats %j',
		async (part) => {
			await expectLinear(40_000, (length) => {
				const title = `a${part.repeat(length / part.length)}b`;
				return () => named(title);
			});
		},
	);

	test.each([
		['Contract.pdf', 'Ana Gil', 'Contract – Ana Gil – 1 - psc.pdf'],
		['', 'Ana Gil', 'document – Ana Gil – 1 - psc.pdf'],
		['Lease', ' Ana\u2028Gil. ', 'Lease – Ana Gil – 1 - psc.pdf'],
		['Lease_Ana Gil.pdf', 'Ana Gil', 'Lease_Ana Gil – 1 - psc.pdf'],
		['Lease agreement', 'Lea', 'Lease agreement – Lea – 1 - psc.pdf'],
		['Lease', '', 'Lease – 1 - psc.pdf'],
	])('for the title %j and the signatory "%s" is "%s"', (title, person, expected) => {
		expect(named(title, { person }).fileName).toBe(expected);
	});

	test.each([
		['65f1c0de0000000000000a1b', 'Lease – Ana Gil – 000a1b - psc.pdf'],
		['9b1d-4f0c-12', 'Lease – Ana Gil – 4f0c12 - psc.pdf'],
		['12', 'Lease – Ana Gil – 12 - psc.pdf'],
		['../../a\u202e', 'Lease – Ana Gil – a - psc.pdf'],
	])('of the document %j ends in its ID', (documentId, expected) => {
		expect(named('Lease', { person: 'Ana Gil', documentId }).fileName).toBe(expected);
	});

	test.each(['', '/.. '])('differs between contents if the ID is %j', (documentId) => {
		const nameOf = (content: string) =>
			named('Lease', { documentId }, Buffer.from(`%PDF-${content}`)).fileName;
		expect(nameOf('one')).toMatch(/^Lease – [\da-f]{6} - psc\.pdf$/);
		expect(nameOf('one')).toBe(nameOf('one'));
		expect(nameOf('one')).not.toBe(nameOf('two'));
	});

	test.each(['x', 'é', 'ก', '漢', '😀'])(
		'is at most 253 bytes long, so any extension fits into 255, and keeps all its parts if they consist of "%s"',
		(letter) => {
			const title = letter.repeat(200);
			const person = `${letter.repeat(100)} Gil`;
			const documentId = `${letter.repeat(50)}65f1c0de`;
			const suffix = ' - PSC certificate';
			const { fileName } = named(title, { person, documentId, suffix });
			expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(253);
			expect(fileName).toMatch(
				new RegExp(`^${letter}.*… \\w+ – ${letter}.*… \\w+ – f1c0de - PSC certificate\\.pdf$`, 'u'),
			);
		},
	);

	const bytes = Buffer.from('x');

	test.each([
		['application/pdf; charset=x', '.pdf', 'application/pdf'],
		[' text/xml', '.xml', 'text/xml'],
		['image/png', '.png', 'image/png'],
		['application/pkcs7-mime', '.p7m', 'application/pkcs7-mime'],
		['image/svg+xml', '', 'application/octet-stream'],
		['text/javascript', '', 'application/octet-stream'],
		['constructor', '', 'application/octet-stream'],
		['', '', 'application/octet-stream'],
	])(
		'for the content type "%s" gets the extension "%s" and the type "%s"',
		(type, extension, mimeType) => {
			expect(named('Lease', { type }, bytes)).toEqual({
				fileName: `Lease – 1 - psc${extension}`,
				mimeType,
			});
		},
	);

	test.each([
		['proof%201.p7m?X-Signature=1', '.p7m'],
		['Constancia.ASN1', '.asn1'],
		['run.exe', ''],
		['page.html?name=.pdf', ''],
	])('for the link …/%s to a file of unknown type gets the extension "%s"', (name, extension) => {
		const address = `https://files.example.com/a/${name}`;
		expect(named('Lease', { address, type: 'application/octet-stream' }, bytes)).toEqual({
			fileName: `Lease – 1 - psc${extension}`,
			mimeType: 'application/octet-stream',
		});
	});

	test('ends in .pdf if text comes before the header of a PDF', () => {
		expect(named('Lease', {}, Buffer.from('\n\n%PDF-1.7')).fileName).toBe('Lease – 1 - psc.pdf');
	});

	test.each([
		['application/zip', '.zip', 'PK\x03\x04\n\0\0\0'],
		['application/vnd.etsi.asic-e+zip', '.asice', 'PK\x03\x04\n\0\0\0'],
		['application/pkcs7-mime', '.p7m', '0\x82\x01\x06\t*'],
	])('of a PDF inside %s ends in %s', (type, extension, before) => {
		const content = Buffer.from(`${before}%PDF-1.7 Lease`, 'latin1');
		const { fileName, mimeType } = named('Lease', { type }, content);
		expect(fileName).toBe(`Lease – 1 - psc${extension}`);
		expect(mimeType).toBe(type);
		expect(fileContentOf(content, type)).toEqual({ what: 'file' });
	});
});
