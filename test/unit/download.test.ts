import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	downloadFile,
	type Download,
	type DownloadContext,
} from '../../nodes/SignVerify/transport/download';
import { coded } from '../support/standIn';

const download: Download = {
	address: 'https://files.example.com/a/lease.pdf?signature=MARKED-SIGNATURE&short=1',
	noun: 'the document',
	title: 'Lease',
	suffix: ' - psc',
	limit: 1000,
	timeout: 200,
};

/** What a storage answers. */
interface Answer {
	status?: number;
	headers?: IDataObject;
	body?: Readable;
}

/** A download from a storage; gives what n8n stored, or the failure. */
async function take(
	respond: () => Answer,
	{ more = {}, signal, store }: Options = {},
): Promise<{ stored?: Stored; error?: Error; calls: IHttpRequestOptions[] }> {
	const calls: IHttpRequestOptions[] = [];
	const context = {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				calls.push(options);
				const { status = 200, headers = {}, body = pieces('content') } = respond();
				return await Promise.resolve({ statusCode: status, headers, body });
			},
			prepareBinaryData: store ?? keep,
		},
		getExecutionCancelSignal: () => signal,
	} as unknown as DownloadContext;
	try {
		const stored = (await downloadFile(context, { ...download, ...more })) as unknown as Stored;
		return { stored, calls };
	} catch (error) {
		return { error: error as Error, calls };
	}
}

type Stored = { text: string; fileName: string; mimeType: string };
interface Options {
	more?: Partial<Download>;
	signal?: AbortSignal;
	store?: (stream: Readable, fileName: string, mimeType: string) => Promise<unknown>;
}

async function keep(stream: Readable, fileName: string, mimeType: string): Promise<Stored> {
	let text = '';
	for await (const piece of stream as AsyncIterable<Buffer>) text += piece.toString();
	return { text, fileName, mimeType };
}

const pieces = (...texts: string[]): Readable =>
	Readable.from(texts.map((text) => Buffer.from(text)));
/** Gives its pieces, then nothing more, and no end. */
const stuck = (...texts: string[]): Readable => {
	const stream = new Readable({ read: () => undefined });
	for (const text of texts) stream.push(text);
	return stream;
};
const messageAfter = async (respond: () => Answer, options?: Options) =>
	(await take(respond, options)).error?.message;

describe('a download', () => {
	test('is a plain GET of the address, with nothing of the credential', async () => {
		const { calls, stored } = await take(() => ({ body: pieces('con', 'tent') }));
		expect(calls).toEqual([
			{
				method: 'GET',
				url: download.address,
				headers: { accept: '*/*' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: 200,
			},
		]);
		expect(stored).toEqual({
			text: 'content',
			fileName: 'Lease - psc.pdf',
			mimeType: 'application/pdf',
		});
	});

	test('is named by what the storage says', async () => {
		const headers = {
			'content-disposition': 'attachment; filename="a.png"',
			'content-type': 'image/png',
		};
		expect((await take(() => ({ headers }))).stored).toMatchObject({
			fileName: 'a.png',
			mimeType: 'image/png',
		});
	});

	test('ends with the execution', async () => {
		const { signal } = new AbortController();
		expect((await take(() => ({}), { signal })).calls[0]?.abortSignal).toBe(signal);
	});

	test('lets go of the connection, whatever came of it', async () => {
		const body = pieces('a');
		await take(() => ({ body }));
		expect(body.destroyed).toBe(true);
		const left = stuck('a');
		const store = async () => await Promise.reject(new Error('disk full'));
		expect(await messageAfter(() => ({ body: left }), { store })).toBe('disk full');
		expect(left.destroyed).toBe(true);
	});

	test.each([
		['ECONNREFUSED', 'refuses connections'],
		['ETIMEDOUT', 'did not answer in time'],
	])('from a place that fails with %s', async (code, problem) => {
		const { error } = await take(() => {
			throw coded(code);
		});
		expect(error).toMatchObject({
			message: `Could not download the document: https://files.example.com ${problem}`,
			description: 'Try again in a moment. If it stays like this, check the address of the file.',
		});
	});
});

describe('the size of a file', () => {
	const bytes = (count: number) => 'x'.repeat(count);

	test('may be the limit', async () => {
		const respond = () => ({ headers: { 'content-length': '1000' }, body: pieces(bytes(1000)) });
		expect((await take(respond)).stored?.text).toHaveLength(1000);
	});

	test('announced beyond the limit ends the download before it begins', async () => {
		const body = stuck();
		const error = await take(() => ({ headers: { 'content-length': '2500000' }, body }), {
			more: { limit: 1_234_567 },
		});
		expect(error.error).toMatchObject({
			message: 'Could not download the document: it has 2.5 MB, more than the limit of 1.23 MB',
			description: 'Raise "Max File Size (MB)" in the options if the file is to be that large.',
		});
		expect(body.destroyed).toBe(true);
	});

	test('not announced, or announced wrong, is counted', async () => {
		for (const headers of [{}, { 'content-length': '5' }]) {
			const body = pieces(bytes(600), bytes(401));
			expect(await messageAfter(() => ({ headers, body }))).toBe(
				'Could not download the document: more than the limit of 0.001 MB',
			);
		}
	});
});

describe('a file that does not come to its end', () => {
	test('is given up when nothing more comes', async () => {
		const body = stuck('beginning');
		const start = Date.now();
		const { error } = await take(() => ({ body }));
		expect(error).toMatchObject({
			message: 'Could not download the document: nothing more of it came for 0.2 s',
			description: 'Try again in a moment, or raise "Timeout" in the options.',
		});
		expect(Date.now() - start).toBeGreaterThanOrEqual(180);
		expect(body.destroyed).toBe(true);
	});

	test('is the same failure where the HTTP client breaks it off at that moment', async () => {
		const body = stuck('beginning');
		setTimeout(() => body.destroy(coded('ECONNABORTED')), 195);
		expect(await messageAfter(() => ({ body }))).toMatch('nothing more of it came');
	});

	test('is a broken connection where that comes sooner', async () => {
		const body = stuck('beginning');
		setTimeout(() => body.destroy(coded('ECONNRESET')), 20);
		expect(await messageAfter(() => ({ body }))).toBe(
			'Could not download the document: https://files.example.com broke the connection off',
		);
	});

	test('may break before n8n begins to store it', async () => {
		const body = stuck('beginning');
		const store = async (stream: Readable) => {
			body.destroy(coded('ECONNRESET'));
			await delay(10);
			return await keep(stream, '', '');
		};
		expect(await messageAfter(() => ({ body }), { store })).toMatch('broke the connection off');
	});

	test('is not given up while its pieces keep coming', async () => {
		async function* slow() {
			for (let count = 0; count < 6; count++) {
				await delay(60);
				yield Buffer.from('x');
			}
		}
		expect((await take(() => ({ body: Readable.from(slow()) }))).stored?.text).toBe('xxxxxx');
	});

	test('is not given up because storing it takes long', async () => {
		const store = async (stream: Readable) => {
			let count = 0;
			for await (const piece of stream) {
				await delay(150);
				count += String(piece).length;
			}
			return { text: String(count) };
		};
		const { stored } = await take(() => ({ body: pieces('a', 'b', 'c') }), { store });
		expect(stored?.text).toBe('3');
	});
});

describe('an answer that is not the file', () => {
	const xml = (words: string) => `<?xml version="1.0"?><Error><Message>${words}</Message></Error>`;
	const hint =
		'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. To get this one, take a fresh link from the service.';
	const invalid = 'is not valid, most likely because it has expired';

	test.each([
		[403, xml('Request has expired'), 'has expired (HTTP 403: Request has expired)'],
		[400, '{"message":"Link expired"}', 'has expired (HTTP 400: Link expired)'],
		[410, '', 'has expired (HTTP 410)'],
		[401, '', `${invalid} (HTTP 401)`],
		[403, ' <Error><Message>Denied</Message></Error>', `${invalid} (HTTP 403: Denied)`],
		[404, '<html><title>Not there</title></html>', `${invalid} (HTTP 404: Not there)`],
		[403, '<?xml version="1.0"?><Error/>', `${invalid} (HTTP 403)`],
	])('HTTP %i %s: the link is over', async (status, body, words) => {
		const { error } = await take(() => ({ status, body: pieces(body) }));
		expect(error).toMatchObject({
			message: `The link to the document ${words}`,
			description: hint,
			answered: status,
		});
	});

	test.each([
		[429, 'The fault is where the file is kept. Try again in a moment.'],
		[500, 'The fault is where the file is kept. Try again in a moment.'],
		[503, 'The fault is where the file is kept. Try again in a moment.'],
		[400, 'Check that the address is whole and was not changed on the way.'],
		[300, 'Check that the address is whole and was not changed on the way.'],
	])('HTTP %i says where to look', async (status, description) => {
		const { error } = await take(() => ({ status, body: pieces('{"message":', '"no"}') }));
		expect(error).toMatchObject({
			message: `Could not download the document (HTTP ${status}: no)`,
			description,
		});
	});

	test('never quotes the address or what signs it', async () => {
		const words = `Wrong: ${download.address} and MARKED-SIGNATURE and 1`;
		const message = await messageAfter(() => ({ status: 403, body: pieces(xml(words)) }));
		expect(message).toBe(
			'The link to the document is not valid, most likely because it has expired (HTTP 403: Wrong: … and … and 1)',
		);
	});

	test('is read no further than an explanation goes', async () => {
		let given = 0;
		const body = new Readable({
			read() {
				given++;
				this.push('x'.repeat(1000));
			},
		});
		const message = (await messageAfter(() => ({ status: 400, body }))) ?? '';
		expect(message).toMatch(/^Could not download the document \(HTTP 400: x{299}…\)$/);
		expect(given).toBeLessThan(100);
		const long = await messageAfter(() => ({ status: 400, body: pieces(xml('y'.repeat(999))) }));
		expect(long).toContain(`: ${'y'.repeat(300)})`);
	});

	test('and breaks is the failure that its status says', async () => {
		const body = stuck();
		setTimeout(() => body.destroy(coded('ECONNRESET')), 10);
		expect(await messageAfter(() => ({ status: 500, body }))).toBe(
			'Could not download the document (HTTP 500)',
		);
	});
});
