import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
	breaking,
	download,
	keep,
	messageAfter,
	pieces,
	stuck,
	take,
} from '../support/downloading';
import { coded } from '../support/standIn';
import { mostTries, RetryPolicy } from '../../nodes/SignVerify/http/retry';

// How long it waits between tries is the retry policy's own; here the tests would wait.
beforeEach(() => void jest.spyOn(RetryPolicy.prototype, 'backoff').mockReturnValue(1));
afterEach(() => jest.restoreAllMocks());

/** A description after all tries. */
const triedOften = (remedy: string) =>
	expect.stringMatching(
		new RegExp(`^${remedy} It was tried ${mostTries.read.always} times in \\d+ seconds\\.$`),
	) as string;

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
				abortSignal: expect.any(AbortSignal) as AbortSignal,
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
		const execution = new AbortController();
		const body = stuck('beginning');
		const downloading = take(() => ({ body }), { signal: execution.signal });
		setTimeout(() => {
			execution.abort();
			// As the HTTP client does it.
			body.destroy(coded('ERR_CANCELED'));
		}, 20);
		const { error, calls } = await downloading;
		expect((calls[0]?.abortSignal as AbortSignal).aborted).toBe(true);
		expect(calls).toHaveLength(1);
		expect(error?.message).toMatch('was not waited for, since the execution was cancelled');
	});

	test('is not begun by an execution that was cancelled', async () => {
		const { error, calls } = await take(() => ({}), { signal: AbortSignal.abort() });
		expect(calls).toEqual([]);
		expect(error?.message).toMatch('was not waited for, since the execution was cancelled');
	});

	test('lets go of the connection, whatever came of it', async () => {
		const body = pieces('a');
		await take(() => ({ body }));
		expect(body.destroyed).toBe(true);
		const left = stuck('x'.repeat(2000));
		const store = async () => await Promise.reject(new Error('disk full'));
		const more = { limit: 5000 };
		expect(await messageAfter(() => ({ body: left }), { store, more })).toBe('disk full');
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
			description: triedOften(
				'Try again in a moment. If it stays like this, check the address of the file.',
			),
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
		const bodies: Readable[] = [];
		const start = Date.now();
		const { error } = await take(() => {
			bodies.push(stuck('beginning'));
			return { body: bodies.at(-1) as Readable };
		});
		expect(error).toMatchObject({
			message: 'Could not download the document: nothing more of it came for 0.2 s',
			description: triedOften('Try again in a moment, or raise "Timeout" in the options.'),
		});
		expect(Date.now() - start).toBeGreaterThanOrEqual(mostTries.read.ifIdempotent * 180);
		expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true]);
	});

	test('is the same failure where the HTTP client breaks it off at that moment', async () => {
		const respond = () => {
			const body = stuck('beginning');
			setTimeout(() => body.destroy(coded('ECONNABORTED')), 195);
			return { body };
		};
		expect(await messageAfter(respond)).toMatch('nothing more of it came');
	});

	test('is a broken connection where that comes sooner', async () => {
		const respond = () => ({ body: breaking(coded('ECONNRESET'), 'beginning') });
		expect(await messageAfter(respond)).toBe(
			'Could not download the document: https://files.example.com closed the connection',
		);
	});

	test('may break before n8n begins to store it', async () => {
		let body = stuck();
		const store = async (stream: Readable) => {
			body.destroy(coded('ECONNRESET'));
			await delay(10);
			return await keep(stream, '', '');
		};
		const more = { limit: 5000 };
		const respond = () => ({ body: (body = stuck('x'.repeat(2000))) });
		expect(await messageAfter(respond, { store, more })).toMatch('closed the connection');
	});

	test('is not taken for whole where n8n stores what came of it', async () => {
		const respond = () => ({
			body: breaking(coded('ECONNRESET'), 'x'.repeat(2000)),
		});
		const store = async (stream: Readable) => await keep(stream, '', '').catch(() => 'a part');
		const more = { limit: 5000 };
		expect(await messageAfter(respond, { store, more })).toMatch('closed the connection');
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
		[429, 4, 'The fault is where the file is kept. Try again in a moment.'],
		[500, 4, 'The fault is where the file is kept. Try again in a moment.'],
		[503, 4, 'The fault is where the file is kept. Try again in a moment.'],
		[408, 4, 'The fault is where the file is kept. Try again in a moment.'],
		[400, 1, 'Check that the address is whole and was not changed on the way.'],
		[300, 1, 'Check that the address is whole and was not changed on the way.'],
	])('HTTP %i says where to look', async (status, tries, remedy) => {
		const { error } = await take(() => ({ status, body: pieces('{"message":', '"no"}') }));
		const description = tries > 1 ? triedOften(remedy) : remedy;
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
		expect(long).toContain(`: ${'y'.repeat(299)}…)`);
	});

	test('and breaks is the failure that its status says', async () => {
		const respond = () => ({ status: 500, body: breaking(coded('ECONNRESET')) });
		expect(await messageAfter(respond)).toBe('Could not download the document (HTTP 500)');
	});
});
