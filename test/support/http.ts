import library, { type AxiosRequestConfig } from 'axios';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { newConnections } from '../../sandbox/util/connections';

const client = library.create({ proxy: false });

/**
 * Works like n8n's `helpers.httpRequest`. It uses the same HTTP client, so calls fail with the same errors. A
 * status outside 2xx is an error unless `ignoreHttpStatusErrors` is set.
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
	// n8n does not send an empty object as a body.
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

/** Makes calls from outside n8n, without a proxy. No status is treated as an error. */
export const axios = library.create({
	proxy: false,
	httpAgent: newConnections,
	validateStatus: () => true,
	timeout: 60_000,
});

/** Posts a body and returns the status of the response. */
export const post = async (url: string, body: unknown): Promise<number> =>
	(await axios.post(url, body)).status;
