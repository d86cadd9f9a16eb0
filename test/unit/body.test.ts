import { Readable } from 'node:stream';

import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { readBody } from '../../nodes/SignVerify/http/network';

const max = 32_000_000;

interface Answered {
	type?: string;
	status?: number;
	signal?: AbortSignal;
}

/** An answer whose body comes in these pieces, and the stream that it comes from. */
function answer(pieces: Iterable<Buffer>, { type, status = 200 }: Answered = {}) {
	const body = Readable.from(pieces);
	const headers = type === undefined ? {} : { 'content-type': type };
	return { body, whole: { body, headers, statusCode: status } as unknown as IN8nHttpFullResponse };
}

async function read(pieces: Iterable<Buffer>, more: Answered = {}): Promise<unknown> {
	const { signal = new AbortController().signal } = more;
	return (await readBody(answer(pieces, more).whole, signal)).body;
}

function* megabytes(count: number, last = Buffer.alloc(0)) {
	const megabyte = Buffer.alloc(1_000_000, 'x');
	for (let index = 0; index < count; index++) yield megabyte;
	yield last;
}

describe('the body of an answer', () => {
	test('is parsed if it is JSON, however it is cut into pieces', async () => {
		const bytes = Buffer.from('{"name":"Zoë"}');
		const single = Array.from(bytes, (byte) => Buffer.from([byte]));
		expect(await read(single)).toEqual({ name: 'Zoë' });
		expect(await read([bytes], { type: 'text/html' })).toEqual({ name: 'Zoë' });
	});

	test('is its text if it is something else, and empty if there is none', async () => {
		expect(await read([Buffer.from('not '), Buffer.from('there')])).toBe('not there');
		expect(await read([])).toBe('');
	});

	test('keeps the status and the headers of its answer', async () => {
		const { whole } = answer([Buffer.from('[1]')], { type: 'application/json', status: 404 });
		expect(await readBody(whole, new AbortController().signal)).toEqual({
			body: [1],
			headers: { 'content-type': 'application/json' },
			statusCode: 404,
		});
	});

	test('is left alone where the HTTP client has read it, except JSON in a text', async () => {
		const signal = new AbortController().signal;
		for (const [body, expected] of [
			['{"a":1}', { a: 1 }],
			['words', 'words'],
			[{ a: 1 }, { a: 1 }],
			[null, null],
			[undefined, undefined],
		]) {
			const given = { body, headers: {}, statusCode: 200 } as unknown as IN8nHttpFullResponse;
			expect(await readBody(given, signal)).toEqual({ ...given, body: expected });
		}
	});
});

test('the body is UTF-8, without its mark', async () => {
	const marked = Buffer.from('\ufeff"Zoë"');
	expect(await read([marked], { type: 'text/plain; charset=iso-8859-1' })).toBe('Zoë');
	expect(await read([Buffer.from('"Zoë"', 'latin1')])).toBe('"Zo\ufffd"'.slice(1, -1));
});

describe('an answer that is too large', () => {
	test('is an error from the first byte above 32 MB, and its connection is closed', async () => {
		expect(await read(megabytes(32))).toHaveLength(max);
		const { body, whole } = answer(megabytes(40));
		await expect(readBody(whole, new AbortController().signal)).rejects.toMatchObject({
			code: 'ANSWER_TOO_LARGE',
			message: 'The answer is too large',
		});
		expect(body.destroyed).toBe(true);
		const above = read(megabytes(32, Buffer.from('x')));
		await expect(above).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
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
		const { body, whole } = answer(megabytes(1));
		await expect(readBody(whole, AbortSignal.abort())).rejects.toThrow();
		expect(body.destroyed).toBe(true);
	});

	test('without a listener left at the signal', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await read([Buffer.from('x')], { signal });
		await expect(read(megabytes(33), { signal })).rejects.toThrow();
		expect(added).toHaveBeenCalledTimes(2);
		expect(removed.mock.calls).toEqual(added.mock.calls);
	});
});
