import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	downloadFile,
	type DownloadContext,
	type Download,
} from '../../nodes/SignVerify/files/fileDownload';

/** The download that the tests use by default. */
export const leaseDownload: Download = {
	address: 'https://files.example.com/a/lease.pdf?signature=MARKED-SIGNATURE&short=1',
	noun: 'the document',
	title: 'Lease',
	person: '',
	documentId: '',
	suffix: ' - psc',
	purpose: 'execution',
	account: 'account',
	timeoutMs: 200,
	totalMs: 4000,
};

export interface StorageResponse {
	status?: number;
	headers?: IDataObject;
	body?: Readable;
}

/** A file as stored by n8n. */
export type StoredFile = { text: string; fileName: string; mimeType: string };

export interface DownloadSetup {
	more?: Partial<Download>;
	signal?: AbortSignal;
	store?: () => Promise<unknown>;
}

/** Downloads a file from a storage service and returns the file that n8n stored, or the error. */
export async function downloadWith(
	respond: (options: IHttpRequestOptions) => StorageResponse | Promise<StorageResponse>,
	{ more = {}, signal, store }: DownloadSetup = {},
): Promise<{
	stored?: StoredFile;
	sha256?: string;
	error?: Error;
	calls: IHttpRequestOptions[];
}> {
	const calls: IHttpRequestOptions[] = [];
	const context = {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				calls.push(options);
				const { status = 200, headers = {}, body } = await respond(options);
				const content = bodyOf(...(status < 300 ? ['content'] : []));
				return { statusCode: status, headers, body: body ?? content };
			},
			prepareBinaryData: store ?? keep,
		},
		getExecutionCancelSignal: () => signal,
	} as unknown as DownloadContext;
	try {
		const { data, sha256 } = await downloadFile(context, { ...leaseDownload, ...more });
		return { stored: data as unknown as StoredFile, sha256, calls };
	} catch (error) {
		return { error: error as Error, calls };
	}
}

const keep = async (bytes: Buffer, fileName: string, mimeType: string): Promise<StoredFile> =>
	await Promise.resolve({ text: bytes.toString(), fileName, mimeType });

/** Makes a body that consists of these pieces. */
export const bodyOf = (...texts: Array<string | Buffer>): Readable =>
	Readable.from(texts.map((text) => Buffer.from(text)));

/** Makes a body that sends its pieces and then hangs without ending. */
export const hangingBody = (...texts: string[]): Readable => {
	const stream = new Readable({ read: () => undefined });
	for (const text of texts) stream.push(text);
	return stream;
};

/** Makes a body that sends its pieces and then fails with this error. */
export const breakingBody = (error: Error, ...texts: string[]): Readable => {
	const stream = hangingBody(...texts);
	setTimeout(() => stream.destroy(error), 20);
	return stream;
};
