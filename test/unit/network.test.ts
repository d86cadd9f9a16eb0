import { Readable } from 'node:stream';
import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { ServiceError } from '../../nodes/SignVerify/http/errors';
import { unanswered, readNetworkError } from '../../nodes/SignVerify/http/messages';
import { readBody } from '../../nodes/SignVerify/http/response';
import { maxAnswer } from '../../nodes/SignVerify/http/request';
import { prepareJson } from '../../nodes/SignVerify/util/values';
import { creation, read, coded, standInOrigin } from '../support/standIn';
import { processorTimeOf, processorTimeUntil } from '../support/processorTime';

const { signal } = new AbortController();

/** An answer whose body comes in these pieces, and the stream that it comes from. */
function answer(pieces: Iterable<Buffer>) {
	const body = Readable.from(pieces);
	const whole = { body, headers: {}, statusCode: 200 } as unknown as IN8nHttpFullResponse;
	return { body, whole };
}

const bodyOf = async (pieces: Iterable<Buffer>, limit?: number): Promise<unknown> =>
	(await readBody(answer(pieces).whole, signal, limit)).body;

/** So many bytes, in pieces. */
function* bytes(count: number) {
	const piece = Buffer.alloc(100_000, 'x');
	for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

describe('the body of an answer', () => {
	test('is parsed if it is JSON, however it is cut into pieces, and whatever its type', async () => {
		const single = Array.from(Buffer.from('{"name":"Zoë"}'), (byte) => Buffer.from([byte]));
		const { whole } = answer(single);
		whole.headers = { 'content-type': 'text/html; charset=iso-8859-1' };
		expect(await readBody(whole, signal)).toEqual({ ...whole, body: { name: 'Zoë' } });
	});

	test('is its text if it is something else, and empty if there is none', async () => {
		expect(await bodyOf([Buffer.from('not '), Buffer.from('there')])).toBe('not there');
		expect(await bodyOf([])).toBe('');
	});

	test('is UTF-8, without its mark', async () => {
		expect(await bodyOf([Buffer.from('\ufeff"Zoë"')])).toBe('Zoë');
		expect(await bodyOf([Buffer.from('"Zoë"', 'latin1')])).toBe('"Zo\ufffd"'.slice(1, -1));
	});

	test.each([{ a: 1 }, null, undefined, '{"a":1}'])(
		'%j, which is no stream, stays as it is',
		async (body) => {
			const given = { body, headers: {}, statusCode: 200 } as unknown as IN8nHttpFullResponse;
			expect(await readBody(given, signal)).toBe(given);
		},
	);

	test.each([
		[undefined, 2_000_000],
		[maxAnswer.list, 8_000_000],
	])('with the limit %s is read up to its last byte, and no further', async (limit, most) => {
		expect(await bodyOf(bytes(most), limit)).toHaveLength(most);
		const { body, whole } = answer(bytes(most + 1));
		await expect(readBody(whole, signal, limit)).rejects.toMatchObject({
			code: 'ANSWER_TOO_LARGE',
			message: 'The answer is too large',
		});
		expect(body.destroyed).toBe(true);
	});

	test('is parsed up to a depth of 100', async () => {
		const deep = (depth: number) => [Buffer.from('['.repeat(depth) + ']'.repeat(depth))];
		expect(await bodyOf(deep(100))).toHaveLength(1);
		const tooDeep = { code: 'ANSWER_TOO_DEEP', message: 'The answer is too deep' };
		await expect(bodyOf(deep(101))).rejects.toMatchObject(tooDeep);
	});

	test('keeps the digits of long numbers, and is its text as it was if it is not JSON', async () => {
		const id = '9007199254740993';
		expect(await bodyOf([Buffer.from(`{"id":${id}}`)])).toEqual({ id });
		expect(await bodyOf([Buffer.from(`id ${id}`)])).toBe(`id ${id}`);
	});

	test('with ever so many members does not block n8n for long', async () => {
		const piece = Buffer.from(`{"templates":[${'{},'.repeat(2_600_000)}{}]}`);
		const read = async () => await bodyOf([piece], maxAnswer.list);
		// On a busy machine, the first one can also pay for the memory.
		const times = [await processorTimeUntil(read), await processorTimeUntil(read)];
		expect(Math.min(...times)).toBeLessThan(3000);
	});

	test('with ever so many levels is refused at once', async () => {
		const piece = Buffer.alloc(8_000_000, '[');
		const refuse = async () =>
			await expect(bodyOf([piece], maxAnswer.list)).rejects.toThrow('too deep');
		expect(await processorTimeUntil(refuse)).toBeLessThan(250);
	});
});

describe('reading ends', () => {
	test('with its signal, which closes the connection', async () => {
		const ending = new AbortController();
		const body = new Readable({ read() {} });
		const reading = readBody({ body, headers: {}, statusCode: 200 }, ending.signal);
		body.push('a piece');
		ending.abort();
		await expect(reading).rejects.toThrow();
		expect(body.destroyed).toBe(true);
	});

	test('at once where the signal has come before', async () => {
		const { body, whole } = answer(bytes(1));
		await expect(readBody(whole, AbortSignal.abort())).rejects.toThrow();
		expect(body.destroyed).toBe(true);
	});

	test('without a listener left at the signal', async () => {
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await bodyOf([Buffer.from('x')]);
		await expect(bodyOf(bytes(3_000_000))).rejects.toThrow();
		expect(added).toHaveBeenCalledTimes(2);
		expect(removed.mock.calls).toEqual(added.mock.calls);
	});
});

describe('the failure of a call without an answer', () => {
	test.each([
		['ECONNRESET', true, 'never'],
		['ETIMEDOUT', true, 'never'],
		['EPIPE', true, 'never'],
		['ERR_CANCELED', true, 'never'],
		['SOMETHING', true, 'never'],
		['ANSWER_TOO_LARGE', true, 'never'],
		['ANSWER_TOO_DEEP', true, 'never'],
		['ECONNREFUSED', false, 'always'],
		['EAI_AGAIN', false, 'always'],
		['ENOTFOUND', false, 'never'],
		['CERT_HAS_EXPIRED', false, 'never'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', false, 'never'],
		// The connection stood, and the request may have gone out.
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', true, 'never'],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', true, 'never'],
		['EPROTO', false, 'never'],
	])('%s of a creation: may have created %s', (code, mayHaveCreated, retryable) => {
		expect(unanswered(coded(code), creation, standInOrigin)).toMatchObject({
			mayHaveCreated,
			retryable,
		});
	});

	test.each(['ECONNRESET', 'ETIMEDOUT', 'SOMETHING'])('%s of a read may be repeated', (code) => {
		expect(unanswered(coded(code), read, standInOrigin)).toMatchObject({
			mayHaveCreated: false,
			retryable: 'whenIdempotent',
		});
	});

	test.each([
		['a cause', { cause: coded('ECONNREFUSED') }],
		['a cause of a cause', { cause: Object.assign(new Error(), { cause: coded('ECONNREFUSED') }) }],
		['one error for each address', { errors: [new Error(), coded('ECONNREFUSED')] }],
		['what n8n calls httpCode', { httpCode: 'ECONNREFUSED' }],
		['what n8n calls reason', { reason: coded('ECONNREFUSED') }],
	])('the code is found in %s', (_name, more) => {
		const error = Object.assign(new Error('wrapped'), more);
		expect(readNetworkError(error)).toMatchObject({ neverSent: true, retryable: 'always' });
	});

	test.each([
		['connect', false],
		['read', true],
		['write', true],
	])('a network that is gone at "%s": may have created %s', (syscall, mayHaveCreated) => {
		const cause = Object.assign(coded('EHOSTUNREACH'), { syscall });
		const error = Object.assign(coded('EHOSTUNREACH'), { cause });
		expect(unanswered(error, creation, standInOrigin)).toMatchObject({ mayHaveCreated });
	});

	test('a cause that points at itself ends', () => {
		const error = new Error('x') as Error & { cause: unknown };
		error.cause = error;
		expect(readNetworkError(error).problem).toBe('could not be reached');
	});

	test('our own failure inside the wrapping of n8n is found', () => {
		const own = new ServiceError({ message: 'own', description: 'd' });
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: own }) });
		expect(unanswered(wrapped, creation, standInOrigin)).toBe(own);
	});
});

describe('JSON from outside', () => {
	test.each([
		['[9007199254740991,-9007199254740991]'],
		['{"a":1.12345678901234567890,"b":1e12345678901234567,"c":12345678901234567890.5}'],
		['[1234567890123456]'],
		['["9007199254740993"]'],
		['["\\"9007199254740993"]'],
		['["\\\\","9007199254740993"]'],
		['[00009007199254740993]'],
		[''],
		['"\\'],
		['"half a text 9007199254740993'],
	])('%s stays as it is', (json) => {
		expect(prepareJson(json)).toBe(json);
	});

	test.each([
		['[9007199254740993]', '["9007199254740993"]'],
		['-9007199254740993', '"-9007199254740993"'],
		['{"a" : 12345678901234567000 }', '{"a" : "12345678901234567000" }'],
		[
			'["\\\\",9007199254740993,"é",9007199254740995]',
			'["\\\\","9007199254740993","é","9007199254740995"]',
		],
	])('%s: whole numbers that would lose digits become texts', (json, prepared) => {
		expect(prepareJson(json)).toBe(prepared);
	});

	test.each([
		['as deep as the limit', '['.repeat(100), true],
		['a list one deeper', '['.repeat(101), false],
		['an object one deeper', '{"a":'.repeat(101), false],
		['many, one after another', '[{}],'.repeat(101), true],
		['brackets inside a text', `["${'{['.repeat(101)}"]`, true],
		['a quotation mark inside a text', `["\\"${'{'.repeat(101)}"]`, true],
		['a text that ends with a backslash', `["\\\\",${'{'.repeat(101)}]`, false],
	])('%s', (_, json, isAccepted) => {
		expect(prepareJson(json) !== undefined).toBe(isAccepted);
	});

	// A limit in milliseconds would fail where the code is instrumented for coverage.
	test.each(['"', '\\"', '[]', 'a', '9', '1234567890123456,', '99999999999999999,'])(
		'is looked at in a time that grows with 8 MB of %j',
		(piece) => {
			const timeOf = (size: number) => {
				const json = piece.repeat(size / piece.length);
				return processorTimeOf(() => prepareJson(json));
			};
			// Eight times as many characters; the square would be 64.
			expect(timeOf(8_000_000)).toBeLessThan(24 * timeOf(1_000_000) + 20);
		},
	);
});
