import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { ServiceError } from '../http/serviceError';
import { type Incoming, readBytes } from '../http/response';
import { RetryPolicy } from '../http/retry';
import { cancellation, delay, errorWith, settle, Slots, withTimeout } from '../util/async';
import { textOf } from '../util/values';
import { fileContentOf } from './fileContent';
import { brokenFile, noFreeSlot, refusalOfFile } from './fileFailures';
import { nameFile, type NamedFile } from './fileNames';

/**
 * The slots for downloads. n8n holds a file in memory until it has stored the file, so a process downloads
 * only so many files at once. An event has slots of its own: its sender waits for seconds, and so can't wait
 * for the files of an execution, which may take minutes.
 */
const slotsOf = { event: new Slots(), execution: new Slots() };

/** The maximum number of downloads at once. The maximum of "Parallel Requests" is the same. */
export const maxDownloads = 50;

/** How many of these downloads are kept for accounts that have no other, so that a few accounts can't take them all. */
export const keptDownloads = 10;

/** How many of these downloads can be for the same account, so that its slow files don't hold up the others. */
export const maxDownloadsOfAccount = 25;

/** Whether a file may be downloaded, given how many others are, and how many of them are for the same account. */
function hasRoom(running: number, runningOfAccount: number): boolean {
	if (runningOfAccount === 0) return running < maxDownloads;
	return running < maxDownloads - keptDownloads && runningOfAccount < maxDownloadsOfAccount;
}

/** A file at a pre-signed URL. */
export interface Download extends NamedFile {
	/** The file's name in errors, with an article: "the document". */
	noun: string;
	/** What the file is for, which decides whose downloads it may have to wait for. */
	purpose: keyof typeof slotsOf;
	/**
	 * The ID of the account in the node's credential, even though a download doesn't use the credential. Files of nodes
	 * whose account is unknown ('') count as those of one account.
	 */
	account: string;
	/** How long (ms) the server may be silent before the try fails. */
	timeoutMs: number;
	/** The total time limit (ms) for all tries, pauses and the time until a slot is free. */
	totalMs: number;
}

export interface DownloadedFile {
	data: IBinaryData;
	/** The SHA-256 checksum of the file's bytes, in hexadecimal. */
	sha256: string;
}

export interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/**
 * Downloads a file into n8n's binary data. The URL itself grants access, so the request contains no
 * credentials, and following redirects is safe.
 *
 * After a temporary failure (HTTP 429 or 5xx, or a broken or silent connection), or if the file may not be there yet
 * (403 or 404), the download is retried as often as retry.ts and the time limit allow. Between tries, it doesn't hold
 * a slot.
 * @param startedAt When the time limit began (`performance.now()`).
 * @throws ServiceError if the link has expired, the response is a page instead of a file, the file is too
 * large or too slow, too many other files are being downloaded, or the transfer breaks. The error never
 * contains the URL, which is as sensitive as a key.
 */
export async function downloadFile(
	context: DownloadContext,
	download: Download,
	startedAt = performance.now(),
): Promise<DownloadedFile> {
	const cancel = context.getExecutionCancelSignal?.();
	const deadline = startedAt + download.totalMs;
	const policy = new RetryPolicy({ purpose: 'file', maxTimeMs: deadline - performance.now() });
	for (;;) {
		const release = await takeSlot(download, deadline, cancel);
		const result = await settle(fetchOnce(context, download, deadline));
		release();
		if (result.ok) return result.value;
		const { error } = result;
		if (!(error instanceof ServiceError)) throw error;
		const pauseMs = policy.pauseAfter(error.failure, error.retryAfterMs ?? 0);
		if (pauseMs === undefined) throw error.withDetail(policy.summary);
		if (!(await delay(pauseMs, cancel))) throw brokenFile(download, cancellation());
	}
}

/**
 * @returns A function that releases the slot.
 * @throws ServiceError if no slot is free before the deadline, or if the execution is canceled.
 */
async function takeSlot(
	download: Download,
	deadline: number,
	cancel: AbortSignal | undefined,
): Promise<() => void> {
	const { purpose, account } = download;
	const slots = slotsOf[purpose];
	const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())));
	const signal = cancel ? AbortSignal.any([cancel, timeout]) : timeout;
	if (await slots.acquire(hasRoom, signal, account)) return () => slots.release(account);
	const error = errorWith(noFreeSlot, 'No slot became free in time');
	// Node 20 collects a time limit that nothing but the combined signal refers to, so it would never end the wait.
	throw brokenFile(download, timeout.aborted && !cancel?.aborted ? error : cancellation());
}

async function fetchOnce(
	context: DownloadContext,
	download: Download,
	deadline: number,
): Promise<DownloadedFile> {
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
		const bytes = await readBytes(body as unknown as Incoming, 'file', abortSignal);
		return { statusCode, headers, bytes };
	};
	const cancel = context.getExecutionCancelSignal?.();
	const transfer = await settle(withTimeout(start, deadline - performance.now(), cancel));
	if (!transfer.ok) throw brokenFile(download, transfer.error);
	const { statusCode, headers, bytes } = transfer.value;
	const type = textOf(headers['content-type']).toLowerCase();
	const found = fileContentOf(bytes, type);
	const refusal = refusalOfFile(download.noun, statusCode, found, headers['retry-after']);
	if (refusal) throw refusal;
	const { fileName, mimeType } = nameFile(download, bytes, type);
	// @n8n Pass the name and the type so that n8n neither derives them from the URL nor stores the URL.
	const data = await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
	return { data, sha256: createHash('sha256').update(bytes).digest('hex') };
}
