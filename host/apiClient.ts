import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

import { newConnections } from '../sandbox/util/connections';

/** n8n ties a login to a browser ID, so every call must send the same ID. */
const browserId = 'n8n-nodes-signverify-host';
const timeoutMs = 60_000;

/** Thrown if n8n rejected a call or did not do what the call requested. */
export class N8nApiError extends Error {
	override name = 'N8nApiError';

	/**
	 * @param message Describes the failure, with n8n's own message if there is one.
	 * @param status The HTTP status, if n8n responded.
	 */
	constructor(
		message: string,
		readonly status?: number,
	) {
		super(message);
	}
}

export interface CallOptions {
	body?: unknown;
	query?: Record<string, string>;
	headers?: Record<string, string>;
}

/**
 * Returns n8n's own explanation of a failure: the `message` of a JSON error, or the beginning of any other
 * body.
 */
function reason(data: unknown): string {
	if (typeof data === 'object' && data !== null && 'message' in data) return String(data.message);
	return typeof data === 'string' ? data.slice(0, 200) : '';
}

/** Calls n8n's REST API as the editor does: with JSON, a cookie and a browser ID. */
export class N8nClient {
	private readonly http: AxiosInstance;
	private cookie = '';

	/** @param url n8n's URL, without a trailing slash. */
	constructor(url: string) {
		this.http = axios.create({
			baseURL: `${url}/rest`,
			proxy: false,
			httpAgent: newConnections,
			timeout: timeoutMs,
			headers: { 'browser-id': browserId },
			validateStatus: () => true,
		});
	}

	/**
	 * Makes one call.
	 * @param path The path under `/rest`, with a leading slash.
	 * @returns The body of the response, unwrapped from n8n's `data` property.
	 * @throws N8nApiError if n8n responds with a non-2xx status or cannot be reached. The message never
	 * contains the request, which may include a password.
	 */
	async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
		let response: AxiosResponse<unknown>;
		try {
			response = await this.http.request<unknown>({
				method,
				url: path,
				data: options.body,
				params: options.query,
				headers: { ...options.headers, ...(this.cookie ? { cookie: this.cookie } : {}) },
			});
		} catch (error) {
			// The error from axios contains the request with its secrets, so use only the message.
			throw new N8nApiError(`${method} /rest${path}: ${(error as Error).message}`);
		}
		const { status, data, headers } = response;
		if (status < 200 || status > 299) {
			throw new N8nApiError(
				`${method} /rest${path} failed with HTTP ${status}: ${reason(data)}`,
				status,
			);
		}
		const cookie = headers['set-cookie']?.find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0] ?? '';
		const wrapped = typeof data === 'object' && data !== null && 'data' in data;
		return (wrapped ? data.data : data) as T;
	}
}
