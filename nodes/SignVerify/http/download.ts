import type { IBinaryData, IExecuteFunctions, IN8nHttpFullResponse, INode } from 'n8n-workflow';

import { delay, settle, withTimeout } from '../util/async';
import { ServiceError } from './errors';
import { broken, type Download, maxFile, nameFile, refusalOf } from './file';
import { type Incoming, readBytes } from './network';
import { RetryPolicy } from './retry';

/** The part of n8n's contexts that a download needs. */
export interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
	getExecutionCancelSignal(): AbortSignal | undefined;
	/** Its setting "Retry On Fail" counts, if there is one. */
	getNode?(): INode;
}

/**
 * Fetches a file into n8n's binary data. Nothing of the credential is sent, because the URL is the
 * permission. So redirects can be followed. After a fault that may pass (HTTP 429 or 5xx, a broken or silent
 * connection), it starts again, within the tries of a read and the time.
 * @throws ServiceError if the link has expired, the answer is a page instead of a file, the file is too
 * large or too slow, or the transfer breaks. Its words never contain the URL, which is as good as a key.
 */
export async function downloadFile(
	context: DownloadContext,
	download: Download,
): Promise<IBinaryData> {
	const cancel = context.getExecutionCancelSignal();
	const deadline = performance.now() + download.total;
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
	const start = async (abortSignal: AbortSignal) => {
		const { statusCode, headers, body } = (await context.helpers.httpRequest({
			method: 'GET',
			url: download.address,
			headers: { accept: '*/*' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: download.timeout,
			abortSignal,
		})) as IN8nHttpFullResponse;
		const bytes = await readBytes(body as unknown as Incoming, maxFile, abortSignal);
		return { statusCode, headers, bytes };
	};
	const cancel = context.getExecutionCancelSignal();
	const answer = await settle(withTimeout(start, deadline - performance.now(), cancel));
	if (!answer.ok) throw broken(download, answer.error);
	const refusal = refusalOf(download, answer.value);
	if (refusal) throw refusal;
	const { bytes, headers } = answer.value;
	const { fileName, mimeType } = nameFile(download, bytes, headers['content-type']);
	// With name and type given, n8n does not derive them from the URL, and does not store it.
	return await context.helpers.prepareBinaryData(bytes, fileName, mimeType);
}
