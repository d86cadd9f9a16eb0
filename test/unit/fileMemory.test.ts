import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { IWebhookFunctions } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { downloadFiles } from '../../nodes/SignVerify/events/files';
import { httpRequest } from '../support/http';
import { take } from '../support/httpHelper';

const megabyte = 1_000_000;

/**
 * Makes a body of this many bytes in pieces of 0.1 MB. If `isEndless` is set, the body then stays open but
 * sends nothing more.
 */
const large = (size: number, { isEndless = false, pauseMs = 1 } = {}): Readable =>
	Readable.from(
		(async function* () {
			for (let length = 0; length < size; length += megabyte / 10) {
				if (length % megabyte === 0) await delay(pauseMs);
				yield Buffer.alloc(megabyte / 10, '%PDF-');
			}
			if (isEndless) await new Promise(() => undefined);
		})(),
	);

const more = { timeoutMs: 60_000, totalMs: 60_000 };

describe('The memory for downloaded files', () => {
	let server: Server;
	let origin: string;
	/** 97 MB, compressed to about 95 kB. */
	const bomb = gzipSync(Buffer.alloc(97 * megabyte), { level: 9 });

	beforeAll(async () => {
		server = createServer((request, response) => {
			const isBomb = request.url?.startsWith('/bomb');
			response.writeHead(200, isBomb ? { 'content-encoding': 'gzip' } : {});
			response.end(isBomb ? bomb : '%PDF-small');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(() => server.close());

	/** Downloads the three files of an event as the trigger does, and returns the stored files. */
	const receive = async (file: string) => {
		const Document = Object.fromEntries(
			['documentURL', 'certificateURL', 'pscCertificateURL'].map((name) => [
				name,
				`${origin}/${file}/${name}`,
			]),
		);
		const helpers = {
			httpRequest,
			// Storing a file takes a moment, and the file stays in memory until n8n has stored it.
			prepareBinaryData: async (bytes: Buffer) => {
				await delay(20);
				return { fileSize: String(bytes.length) };
			},
		};
		const context = { helpers } as unknown as Pick<IWebhookFunctions, 'helpers'>;
		const { binary } = await downloadFiles(
			context,
			readNotification('completedDocument', { Document }),
			['document', 'certificate', 'pscCertificate'],
		);
		return Object.values(binary);
	};

	test('has a single limit for all events, but leaves room for a small file alongside large ones', async () => {
		let most = 0;
		const before = process.memoryUsage().arrayBuffers;
		const watching = setInterval(() => {
			most = Math.max(most, process.memoryUsage().arrayBuffers - before);
		}, 5);
		try {
			const bombs = [receive('bomb'), receive('bomb'), receive('bomb')];
			await delay(100);
			expect(await receive('small')).toHaveLength(3);
			await Promise.all(bombs);
		} finally {
			clearInterval(watching);
		}
		process.stdout.write(`nine files of 97 MB: at most ${Math.round(most / megabyte)} MB\n`);
		expect(most).toBeLessThan(500 * megabyte);
	});

	test('is not tied up by a stalled download', async () => {
		const cancel = new AbortController();
		let hasEnded = false;
		const hanging = take(() => ({ body: large(95 * megabyte, { isEndless: true }) }), {
			more: { timeoutMs: 60_000, totalMs: 60_000 },
			signal: cancel.signal,
		}).finally(() => (hasEnded = true));
		await delay(500);
		const { stored } = await take(() => ({ body: large(20 * megabyte) }), { more });
		expect(stored?.text).toHaveLength(20 * megabyte);
		expect(hasEnded).toBe(false);
		cancel.abort();
		expect((await hanging).error?.message).toMatch(/the execution was cancelled$/);
	});

	test('is enough for several large files at once, because some downloads are stopped and start over', async () => {
		let begun = 0;
		const files = Array.from({ length: 4 }, async () => {
			const body = () => {
				begun++;
				return { body: large(40 * megabyte, { pauseMs: 2 }) };
			};
			return await take(body, { more });
		});
		for (const { stored } of await Promise.all(files)) {
			expect(stored?.text).toHaveLength(40 * megabyte);
		}
		expect(begun).toBeGreaterThan(4);
		expect(begun).toBeLessThan(12);
	});

	test('is released after a download is stored, fails or is canceled', async () => {
		for (let count = 0; count < 3; count++) {
			const cancel = new AbortController();
			setTimeout(() => cancel.abort(), 200);
			await Promise.all([
				take(() => ({ body: large(30 * megabyte) }), { more }),
				take(() => ({ body: large(30 * megabyte) }), {
					more,
					store: async () => await Promise.reject(new Error('disk full')),
				}),
				take(() => ({ body: large(20 * megabyte, { isEndless: true }) }), {
					more,
					signal: cancel.signal,
				}),
			]);
		}
		const { stored, calls } = await take(() => ({ body: large(100 * megabyte) }), { more });
		expect(stored?.text).toHaveLength(100 * megabyte);
		expect(calls).toHaveLength(1);
	});
});
