import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { originOf } from './address';
import { attempt } from './attempt';
import { boundedStream, type ByteStream } from './boundedStream';
import { refusedDownload } from './downloadRefusal';
import { ServiceFailure } from './failure';
import { nameFile } from './fileName';
import { readNetworkError } from './network';

/** What of n8n's contexts a download needs. */
export interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
	getExecutionCancelSignal(): AbortSignal | undefined;
}

/** A file behind a pre-signed address. */
export interface Download {
	address: string;
	/** What it is, with its article, for errors. */
	noun: string;
	/** The document's title, and what tells this file of it apart; for the file's name. */
	title: string;
	suffix: string;
	/** Bytes that are taken at the most. */
	limit: number;
	/** Milliseconds to wait for the answer, and for each further piece of it. */
	timeout: number;
}

/**
 * Fetches a file into n8n's binary data, piece by piece. Nothing of the credential goes along:
 * whoever holds the address may fetch the file. Redirects are followed, since no secret travels.
 * @throws ServiceFailure when the link has expired, the file is too large, or the transfer breaks;
 * its words never hold the address, which is as good as a key.
 */
export async function downloadFile(
	context: DownloadContext,
	download: Download,
): Promise<IBinaryData> {
	const { statusCode, headers, body } = await open(context, download);
	const stream = body as unknown as ByteStream;
	if (statusCode >= 300) throw await refusedDownload(download, statusCode, stream);

	const bounded = boundedStream(stream, {
		...download,
		announced: Number(headers['content-length'] ?? 0),
		broken: (error) => brokenOff(download, error),
	});
	const { fileName, mimeType } = nameFile({
		...download,
		disposition: headers['content-disposition'],
		contentType: headers['content-type'],
	});
	const stored = await attempt(
		// With name and type given, n8n does not derive them from the address, nor keep it.
		context.helpers.prepareBinaryData(bounded.stream, fileName, mimeType),
	);
	stream.destroy();
	if (stored.ok) return stored.value;
	throw bounded.failure() ?? stored.error;
}

async function open(
	context: DownloadContext,
	download: Download,
): Promise<IN8nHttpFullResponse & { headers: IDataObject }> {
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: download.address,
		headers: { accept: '*/*' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout: download.timeout,
	};
	const signal = context.getExecutionCancelSignal();
	if (signal) options.abortSignal = signal;
	const answer = await attempt(context.helpers.httpRequest(options));
	if (answer.ok) return answer.value as IN8nHttpFullResponse & { headers: IDataObject };
	throw brokenOff(download, answer.error);
}

function brokenOff({ address, noun }: Download, error: unknown): ServiceFailure {
	const { problem } = readNetworkError(error);
	return new ServiceFailure({
		message: `Could not download ${noun}: ${originOf(address)} ${problem}`,
		description: 'Try again in a moment. If it stays like this, check the address of the file.',
	});
}
