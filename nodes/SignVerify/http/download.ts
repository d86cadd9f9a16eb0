import type { IBinaryData, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { cancellation, delay, settle, withTimeout } from '../util/async';
import { textOf } from '../util/values';
import { ServiceError } from './errors';
import { fileMemory, givenUpMemory } from './fileMemory';
import { nameFile, type NamedFile } from './fileName';
import { contentOf } from './fileContent';
import { brokenFile, refusalOfFile } from './failures';
import { type Incoming, readBytes } from './response';
import { RetryPolicy } from './retry';

/** A file at a pre-signed URL. */
export interface Download extends NamedFile {
	/** The file's name in errors, with an article: "the document". */
	noun: string;
	/** How long (ms) the server may be silent before the attempt fails. */
	timeoutMs: number;
	/** The total time limit (ms) for all attempts. */
	totalMs: number;
}

/** The part of n8n's contexts that a download needs. */
export interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/**
 * Downloads a file into n8n's binary data. The URL itself grants access, so the request contains no
 * credentials, and following redirects is safe.
 *
 * After a temporary failure (HTTP 429 or 5xx, or a broken or silent connection), the download is retried as
 * often as retry.ts and the time limit allow. It also restarts after it had to give up its memory to other
 * files (fileMemory.ts).
 * @throws ServiceError if the link has expired, the response is a page instead of a file, the file is too
 * large or too slow, or the transfer breaks. The error never contains the URL, which is as sensitive as a
 * key.
 */
export async function downloadFile(
	context: DownloadContext,
	download: Download,
): Promise<IBinaryData> {
	const cancel = context.getExecutionCancelSignal?.();
	const deadline = performance.now() + download.totalMs;
	const policy = new RetryPolicy({ kind: 'file', maxTimeMs: download.totalMs });
	for (;;) {
		const file = fileMemory.hold();
		const outcome = await settle(fetchOnce(context, download, deadline, file));
		file.release();
		if (outcome.ok) return outcome.value;
		const { error } = outcome;
		if (!(error instanceof ServiceError)) throw error;
		if (file.givesUp.aborted) {
			const remainingMs = deadline - performance.now();
			if (await fileMemory.waitForRoom(file.bytes, remainingMs, cancel)) continue;
			throw cancel?.aborted ? brokenFile(download, cancellation()) : error;
		}
		const pauseMs = policy.pauseAfter(error.failure, error.retryAfterMs ?? 0);
		if (pauseMs === undefined) throw error.withDetail(policy.summary);
		if (!(await delay(pauseMs, cancel))) throw brokenFile(download, cancellation());
	}
}

async function fetchOnce(
	context: DownloadContext,
	download: Download,
	deadline: number,
	file: ReturnType<typeof fileMemory.hold>,
): Promise<IBinaryData> {
	const start = async (abortSignal: AbortSignal) => {
		const { statusCode, headers, body } = (await context.helpers.httpRequest({
			method: 'GET',
			url: download.address,
			headers: { accept: '*/*' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: download.timeoutMs,
			abortSignal,
		})) as IN8nHttpFullResponse;
		const signal = AbortSignal.any([abortSignal, file.givesUp]);
		const take = (more: number) => file.take(more);
		const bytes = await readBytes(body as unknown as Incoming, 'file', signal, take);
		return { statusCode, headers, bytes };
	};
	const cancel = context.getExecutionCancelSignal?.();
	const transfer = await settle(withTimeout(start, deadline - performance.now(), cancel));
	if (!transfer.ok) {
		throw brokenFile(download, file.givesUp.aborted ? givenUpMemory() : transfer.error);
	}
	// The bytes are about to be passed to n8n, so this download can no longer free its memory for other
	// files.
	file.isDownloading = false;
	const { statusCode, headers, bytes } = transfer.value;
	const found = contentOf(bytes, textOf(headers['content-type']).toLowerCase());
	const refusal = refusalOfFile(download.noun, statusCode, found, headers['retry-after']);
	if (refusal) throw refusal;
	const { fileName, mimeType } = nameFile(download, bytes, headers);
	// Pass the name and the type so that n8n neither derives them from the URL nor stores the URL.
	return await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
}
