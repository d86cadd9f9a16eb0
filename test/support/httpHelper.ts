import { Readable } from 'node:stream';
import type {
	IDataObject,
	IHttpRequestOptions,
	ICredentialDataDecryptedObject,
} from 'n8n-workflow';

import {
	downloadFile,
	type DownloadContext,
	type Download,
} from '../../nodes/SignVerify/files/download';
import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { standInOrigin } from './standIn';

/** The download that the tests use by default. */
export const download: Download = {
	address: 'https://files.example.com/a/lease.pdf?signature=MARKED-SIGNATURE&short=1',
	noun: 'the document',
	title: 'Lease',
	person: '',
	suffix: ' - psc',
	purpose: 'execution',
	timeoutMs: 200,
	totalMs: 4000,
};

/** A response from a storage service. */
export interface Answer {
	status?: number;
	headers?: IDataObject;
	body?: Readable;
}

/** A file as stored by n8n. */
export type Stored = { text: string; fileName: string; mimeType: string };

export interface Options {
	more?: Partial<Download>;
	signal?: AbortSignal;
	store?: () => Promise<unknown>;
}

/** Downloads a file from a storage service and returns the file that n8n stored, or the error. */
export async function take(
	respond: (options: IHttpRequestOptions) => Answer | Promise<Answer>,
	{ more = {}, signal, store }: Options = {},
): Promise<{ stored?: Stored; error?: Error; calls: IHttpRequestOptions[] }> {
	const calls: IHttpRequestOptions[] = [];
	const context = {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				calls.push(options);
				const { status = 200, headers = {}, body } = await respond(options);
				const content = pieces(...(status < 300 ? ['content'] : []));
				return { statusCode: status, headers, body: body ?? content };
			},
			prepareBinaryData: store ?? keep,
		},
		getExecutionCancelSignal: () => signal,
	} as unknown as DownloadContext;
	try {
		const stored: unknown = await downloadFile(context, { ...download, ...more });
		return { stored: stored as Stored, calls };
	} catch (error) {
		return { error: error as Error, calls };
	}
}

const keep = async (bytes: Buffer, fileName: string, mimeType: string): Promise<Stored> =>
	await Promise.resolve({ text: bytes.toString(), fileName, mimeType });

/** Makes a body that consists of these pieces. */
export const pieces = (...texts: Array<string | Buffer>): Readable =>
	Readable.from(texts.map((text) => Buffer.from(text)));

/** Makes a body that sends its pieces and then hangs without ending. */
export const stuck = (...texts: string[]): Readable => {
	const stream = new Readable({ read: () => undefined });
	for (const text of texts) stream.push(text);
	return stream;
};

/** Makes a body that sends its pieces and then fails with this error. */
export const breaking = (error: Error, ...texts: string[]): Readable => {
	const stream = stuck(...texts);
	setTimeout(() => stream.destroy(error), 20);
	return stream;
};

const type = new SignVerifyApi();
let accounts = 0;
/** Makes a credential that no other test has used, because tokens are cached by account. */
export const account = (more: IDataObject = {}): ICredentialDataDecryptedObject => ({
	baseUrl: `${standInOrigin}/api/`,
	userId: `user ${accounts++}`,
	apiKey: 'the-api-key',
	accessToken: '',
	...more,
});

/** Returns the response to a token exchange or throws as the HTTP client does. */
export type Respond = (options: IHttpRequestOptions, count: number) => unknown;
export const answer = (body: unknown, statusCode = 200, headers: IDataObject = {}) => ({
	body,
	statusCode,
	headers,
});
export const token = (text: string) => answer({ responseData: { accessToken: text } });

/** Makes n8n's HTTP helper, with a token endpoint that responds to its calls. */
export function endpoint(respond: Respond) {
	const calls: IHttpRequestOptions[] = [];
	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => {
			calls.push(options);
			return await Promise.resolve(respond(options, calls.length));
		},
	};
	const renew = async (credential: ICredentialDataDecryptedObject) => {
		const { accessToken } = await type.preAuthentication.call({ helpers }, { ...credential });
		return accessToken;
	};
	return { calls, renew };
}
