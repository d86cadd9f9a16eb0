import { Agent } from 'node:http';

import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

/** n8n asks that every call of one browser names it, and ties the login to it. */
const BROWSER_ID = 'n8n-nodes-signverify-host';
const TIMEOUT_MS = 60_000;

/** n8n refused a call, or did not do what it was asked. */
export class N8nApiError extends Error {
	override name = 'N8nApiError';

	/**
	 * @param message what happened, in n8n's own words where it gave any
	 * @param status the HTTP status, where the failure was an answer
	 */
	constructor(
		message: string,
		readonly status?: number,
	) {
		super(message);
	}
}

/** What a call may carry beside its path. */
export interface CallOptions {
	body?: unknown;
	query?: Record<string, string>;
	headers?: Record<string, string>;
}

/** n8n's own words about a failure: `{message}` in its JSON errors, else a piece of the body. */
function reason(data: unknown): string {
	if (typeof data === 'object' && data !== null && 'message' in data) return String(data.message);
	return typeof data === 'string' ? data.slice(0, 200) : '';
}

/** Calls n8n's REST interface as the editor does: JSON, a cookie, a browser id. */
export class N8nClient {
	private readonly http: AxiosInstance;
	private cookie = '';

	/** @param url n8n's address, without a slash at the end */
	constructor(url: string) {
		this.http = axios.create({
			baseURL: `${url}/rest`,
			proxy: false,
			// n8n that was busy for seconds closes kept connections just as they are used again.
			httpAgent: new Agent({ keepAlive: false }),
			timeout: TIMEOUT_MS,
			headers: { 'browser-id': BROWSER_ID },
			validateStatus: () => true,
		});
	}

	/**
	 * Makes one call.
	 *
	 * @param method the HTTP method
	 * @param path below `/rest`, with its leading slash
	 * @returns what n8n answered, without the `data` that it wraps answers in
	 * @throws N8nApiError for any status but 2xx, and where n8n could not be reached. The message
	 * never holds what was sent: that may be a password.
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
			// axios's error holds the request, secrets included: only its message goes on.
			throw new N8nApiError(`${method} /rest${path}: ${(error as Error).message}`);
		}
		const { status, data, headers } = response;
		if (status < 200 || status > 299) {
			throw new N8nApiError(
				`${method} /rest${path} was answered with ${status}: ${reason(data)}`,
				status,
			);
		}
		const cookie = headers['set-cookie']?.find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0] ?? '';
		const wrapped = typeof data === 'object' && data !== null && 'data' in data;
		return (wrapped ? data.data : data) as T;
	}
}
