import library, { type AxiosRequestConfig } from 'axios';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

/** Sockets are not reused, as in n8n. */
const client = library.create({ proxy: false });

/**
 * n8n's `helpers.httpRequest` on the HTTP client that n8n itself uses, so that it fails as n8n
 * fails: for a status outside 2xx unless told otherwise, and with the client's own errors.
 */
export async function httpRequest(options: IHttpRequestOptions): Promise<unknown> {
	const config: AxiosRequestConfig = {
		url: options.url,
		method: options.method ?? 'GET',
		headers: options.headers as Record<string, string>,
		maxRedirects: options.disableFollowRedirect ? 0 : 5,
	};
	if (options.baseURL) config.baseURL = options.baseURL;
	if (options.qs && Object.keys(options.qs).length) config.params = options.qs;
	if (options.timeout) config.timeout = options.timeout;
	if (options.abortSignal) config.signal = options.abortSignal;
	// n8n takes an empty object for "no body".
	if (options.body && Object.keys(options.body as IDataObject).length) config.data = options.body;
	if (options.encoding) config.responseType = options.encoding;
	if (options.ignoreHttpStatusErrors) config.validateStatus = () => true;

	const response = await client.request<unknown>(config);
	if (!options.returnFullResponse) return response.data;
	return {
		body: response.data,
		headers: { ...response.headers },
		statusCode: response.status,
		statusMessage: response.statusText,
	};
}

/** Calls as somebody on the outside makes them: no proxy, and no status is an error. */
export const axios = library.create({ proxy: false, validateStatus: () => true, timeout: 60_000 });

/** Posts something and gives the status answered. */
export const post = async (url: string, body: unknown): Promise<number> =>
	(await axios.post(url, body)).status;
