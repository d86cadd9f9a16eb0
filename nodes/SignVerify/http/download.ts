import type { IBinaryData, IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { settle, delay, withTimeout } from '../util/async';
import { objectOf } from '../util/values';
import { ServiceError } from './errors';
import { broken, type Download, nameFile, overdue, refusalOf } from './file';
import { piecesOf } from './network';
import { RetryPolicy } from './retry';

/** The part of n8n's contexts that a download needs. */
export interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
	getExecutionCancelSignal(): AbortSignal | undefined;
	getNode?(): INode;
}

/** A stream of Node, as n8n accepts it. What ships must not import Node's module for it. */
type ByteStream = Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;

interface FileAnswer {
	statusCode: number;
	headers: IDataObject;
	body: ByteStream;
}

/** How many bytes are read to see whether it is a file. */
const maxBeginning = 1000;

/**
 * Fetches a file into n8n's binary data, piece by piece. Nothing of the credential is sent, because
 * the URL is the permission. So redirects can be followed. After a fault that may pass (HTTP 429 or
 * 5xx, a broken or silent connection), it starts again, within the tries of a read and the time.
 * @throws ServiceError if the link has expired, the answer is a page instead of a file, the file is too
 * large or too slow, or the transfer breaks. Its words never contain the URL, which is as good as a key.
 */
export async function downloadFile(
	context: DownloadContext,
	download: Download,
): Promise<IBinaryData> {
	const cancel = context.getExecutionCancelSignal();
	const deadline = Date.now() + download.total;
	const maxRetryTime = download.total;
	const policy = new RetryPolicy({ isIdempotent: true, maxRetryTime, node: context.getNode?.() });
	for (;;) {
		const outcome = await settle(fetchOnce(context, download, deadline));
		if (outcome.ok) return outcome.value;
		const { error } = outcome;
		if (!(error instanceof ServiceError)) throw error;
		const pause = policy.next(error, () => Math.max(policy.backoff(), error.retryAfter ?? 0));
		if (!(await delay(pause, cancel))) throw broken(download, { code: 'ERR_CANCELED' });
	}
}

async function fetchOnce(
	context: DownloadContext,
	download: Download,
	deadline: number,
): Promise<IBinaryData> {
	const start = async (abortSignal: AbortSignal): Promise<IBinaryData> => {
		const answer = await settle<unknown>(
			context.helpers.httpRequest({
				method: 'GET',
				url: download.address,
				headers: { accept: '*/*' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: download.timeout,
				abortSignal,
			}),
		);
		if (!answer.ok) throw broken(download, answer.error);
		return await store(context.helpers, download, answer.value as FileAnswer, abortSignal);
	};
	try {
		return await withTimeout(start, deadline - Date.now(), context.getExecutionCancelSignal());
	} catch (error) {
		const { code } = objectOf(error);
		if (code === 'ETIMEDOUT') throw overdue(download);
		throw code === 'ERR_CANCELED' ? broken(download, error) : error;
	}
}

/** Gives the file to n8n, piece by piece, after a look at its beginning. */
async function store(
	helpers: DownloadContext['helpers'],
	download: Download,
	{ statusCode, headers, body }: FileAnswer,
	signal: AbortSignal,
): Promise<IBinaryData> {
	// Reading reports the error. Without a listener, Node would end the process.
	body.on('error', () => undefined);
	let failure: ServiceError | undefined;
	const read = async function* (): AsyncGenerator<Uint8Array> {
		try {
			yield* piecesOf(body, download.limit, signal);
		} catch (error) {
			// n8n may report something else about it.
			failure = broken(download, error);
			throw failure;
		}
	};
	const pieces = read();
	try {
		let beginning = Buffer.alloc(0);
		while (beginning.length < maxBeginning) {
			const next = await pieces.next();
			if (next.done) break;
			beginning = Buffer.concat([beginning, next.value]);
		}
		const refusal = refusalOf(download, { statusCode, headers, beginning });
		if (refusal) throw refusal;

		const all = async function* (): AsyncGenerator<Uint8Array> {
			yield beginning;
			yield* pieces;
		};
		// Every class of streams inherits the static method `from`.
		const streams = body.constructor as unknown as { from(pieces: unknown): ByteStream };
		const { fileName, mimeType } = nameFile(download, beginning, headers['content-type']);
		// With name and type given, n8n does not derive them from the URL, and does not store it.
		const stored = await settle(helpers.prepareBinaryData(streams.from(all()), fileName, mimeType));
		if (failure) throw failure;
		if (stored.ok) return stored.value;
		throw stored.error;
	} finally {
		// Also if n8n has not read it to its end.
		body.destroy();
	}
}
