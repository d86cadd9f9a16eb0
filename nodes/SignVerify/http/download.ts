import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { attempt, delay, withTimeout } from '../util/async';
import { decodeUrlPart, textOf } from '../util/values';
import { originOf } from './baseUrl';
import { type Download, notDownloaded, notTheFile, refusedDownload } from './downloadRefusal';
import { ServiceError } from './errors';
import { BoundedStream, type ByteStream } from './limitedStream';
import { readNetworkError } from './network';
import { RetryBudget, RetryPolicy } from './retry';

/** The part of n8n's contexts that a download needs. */
export interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
	getExecutionCancelSignal(): AbortSignal | undefined;
}

/** How many bytes are read to see whether it is a file, and of an error for its words. */
const beginningOf = { file: 1024, explanation: 4000 };

/** The code of the HTTP client's error for a cancelled execution. */
const cancelled = { code: 'ERR_CANCELED' };

/**
 * Fetches a file into n8n's binary data, piece by piece. Nothing of the credential is sent, because
 * the URL is the permission. So redirects can be followed. After a fault that may pass (HTTP 429 or
 * 5xx, a broken or silent connection), it starts again, within the tries of a read, the time and the
 * retry budget.
 * @param retryBudget That of the execution; a limit of the storage's rate (429) does not spend it.
 * @throws ServiceError if the link has expired, the answer is a page instead of a file, the file is too
 * large or too slow, or the transfer breaks. Its words never contain the URL, which is as good as a key.
 */
export async function downloadFile(
	context: DownloadContext,
	download: Download,
	retryBudget = new RetryBudget(),
): Promise<IBinaryData> {
	const deadline = Date.now() + download.total;
	const policy = new RetryPolicy('read', download.total);
	for (;;) {
		const outcome = await attempt(downloadOnce(context, download, deadline));
		if (outcome.ok) {
			retryBudget.onSuccess();
			return outcome.value;
		}
		const { error } = outcome;
		if (!(error instanceof ServiceError)) throw error;
		// Nobody else waits for this storage: a limit of its rate is like any other fault.
		const waitTime = () => Math.max(policy.backoff(), error.retryAfter ?? 0);
		const wait = policy.next(error, retryBudget, waitTime, false);
		if (!(await delay(wait, context.getExecutionCancelSignal()))) {
			throw brokenOff(download, cancelled);
		}
	}
}

async function downloadOnce(
	context: DownloadContext,
	download: Download,
	deadline: number,
): Promise<IBinaryData> {
	if (context.getExecutionCancelSignal()?.aborted) throw brokenOff(download, cancelled);
	let stream: BoundedStream | undefined;
	try {
		const { statusCode, headers, body } = await open(context, download, deadline);
		const isFile = statusCode < 300;
		stream = new BoundedStream(body as unknown as ByteStream, {
			...download,
			...(isFile ? {} : { limit: Infinity }),
			announced: Number(headers['content-length'] ?? 0),
			deadline,
			broken: (error) => brokenOff(download, error),
		});
		const answer = {
			...(await stream.beginning(isFile ? beginningOf.file : beginningOf.explanation)),
			status: statusCode,
			contentType: headers['content-type'],
			retryAfter: headers['retry-after'],
		};
		if (!isFile) throw refusedDownload(download, answer);
		const refusal = stream.failure ?? notTheFile(download, answer);
		if (refusal) throw refusal;
		return await store(context, download, headers, stream);
	} finally {
		stream?.close();
	}
}

async function store(
	{ helpers }: DownloadContext,
	{ title, suffix, address }: Download,
	headers: IDataObject,
	stream: BoundedStream,
): Promise<IBinaryData> {
	const { fileName, mimeType } = nameFile({
		title,
		suffix,
		address,
		disposition: headers['content-disposition'],
		contentType: headers['content-type'],
	});
	const stored = await attempt(
		// With name and type given, n8n does not derive them from the URL, and does not store it.
		helpers.prepareBinaryData(stream.stream(), fileName, mimeType),
	);
	if (stream.failure) throw stream.failure;
	if (stored.ok) return stored.value;
	throw stored.error;
}

async function open(
	context: DownloadContext,
	download: Download,
	deadline: number,
): Promise<IN8nHttpFullResponse & { headers: IDataObject }> {
	const cancel = context.getExecutionCancelSignal();
	const late = new AbortController();
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: download.address,
		headers: { accept: '*/*' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout: download.timeout,
		abortSignal: cancel ? AbortSignal.any([cancel, late.signal]) : late.signal,
	};
	const time = Math.min(download.timeout, deadline - Date.now());
	const start = async (signal: AbortSignal): Promise<unknown> => {
		const giveUp = () => late.abort();
		signal.addEventListener('abort', giveUp);
		try {
			return (await context.helpers.httpRequest(options)) as unknown;
		} finally {
			// From now on, the stream has its own time limits.
			signal.removeEventListener('abort', giveUp);
		}
	};
	const answer = await attempt(withTimeout(start, time, cancel));
	if (answer.ok) return answer.value as IN8nHttpFullResponse & { headers: IDataObject };
	throw brokenOff(download, answer.error);
}

function brokenOff({ address, noun }: Download, error: unknown): ServiceError {
	const { problem, repeat } = readNetworkError(error);
	return notDownloaded(
		`${noun}: ${originOf(address)} ${problem}`,
		'Try again in a moment. If it stays like this, check the address of the file.',
		{ repeat },
	);
}

/** How many characters of each source of a name are read. */
const mostRead = 2000;

/** What is known about a file that may give it a name. */
export interface FileOrigin extends Pick<Download, 'title' | 'suffix' | 'address'> {
	/** Header `Content-Disposition`, if there was one. */
	disposition: unknown;
	/** Header `Content-Type`, if there was one. */
	contentType: unknown;
}

/**
 * Names a file: as the sender does, otherwise after the document or after its URL.
 * @returns A name without a path that every system accepts, and the MIME type.
 */
export function nameFile(origin: FileOrigin): { fileName: string; mimeType: string } {
	const declared =
		textOf(origin.contentType).slice(0, mostRead).split(';')[0]?.trim().toLowerCase() ?? '';
	const general = declared === '' || /\/octet-stream$/.test(declared);
	const inAddress = lastPart(origin.address);
	const name =
		cleanName(dispositionName(textOf(origin.disposition).slice(0, mostRead))) ||
		cleanName(origin.title && `${origin.title}${origin.suffix}`) ||
		cleanName(inAddress) ||
		'document';
	const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0];
	const isPdf =
		declared === 'application/pdf' || (general && /\.pdf$/i.test(extension ?? inAddress));
	return {
		fileName: isPdf && extension?.toLowerCase() !== '.pdf' ? `${name}.pdf` : name,
		mimeType: isPdf ? 'application/pdf' : declared || 'application/octet-stream',
	};
}

/** The name in a `Content-Disposition`. The encoded form comes first, because it can have every character. */
function dispositionName(header: string): string {
	const encoded = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;]+)/i.exec(header)?.[1];
	const decoded = encoded === undefined ? undefined : decodeUrlPart(encoded.trim());
	if (decoded) return decoded;
	const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
	if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
	return /filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim() ?? '';
}

function lastPart(address: string): string {
	const path = address.split(/[?#]/)[0] ?? '';
	const at = path.lastIndexOf('/') + 1;
	// Directly behind "https://" is the host.
	return at > 'https://'.length ? decodeUrlPart(path.slice(at, at + mostRead)) : '';
}

function cleanName(name: string): string {
	const clean = name
		.slice(0, mostRead)
		.replace(/[\p{Bidi_Control}\p{Surrogate}]/gu, '')
		.replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.replace(/^[. ]+|[. ]+$/g, '');
	if ([...clean].length <= 150) return clean;
	const extension = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? '';
	return `${[...clean].slice(0, 140).join('').trim()}${extension}`;
}
