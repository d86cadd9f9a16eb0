import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../../sandbox/contract/operations';
import { CredentialKeeper } from './credentials';
import { httpRequest } from './http';

/** A call that was made, as the contract names it. */
export interface Sent {
	endpoint: Endpoint | undefined;
	options: IHttpRequestOptions;
}

/** A service that was recorded once, and then answers the same without a network. */
export class Recording {
	private readonly answers = new Map<Endpoint, unknown[]>();
	private users = 0;

	constructor(private readonly baseUrl: string) {}

	/** The endpoints that were called. */
	get endpoints(): Endpoint[] {
		return [...this.answers.keys()];
	}

	/** A copy of what an endpoint answered first. */
	first(endpoint: Endpoint): object {
		return structuredClone(this.answers.get(endpoint)?.[0]) as object;
	}

	/** A credential whose calls go to the service and are recorded. */
	recorder(account: { userId: string; apiKey: string }): CredentialKeeper {
		return new CredentialKeeper({ baseUrl: this.baseUrl, ...account }, async (options) => {
			const endpoint = endpointOf(this.baseUrl, options);
			const all = (endpoint && this.answers.get(endpoint)) ?? [];
			if (endpoint) this.answers.set(endpoint, all);
			const at = all.push(undefined) - 1;
			const answer = await httpRequest({ ...options, encoding: 'json' });
			const { body } = answer as { body: unknown };
			all[at] = body;
			return { ...(answer as object), body: streamOf(body) };
		});
	}

	/**
	 * A credential of an account of its own, whose calls are answered as recorded.
	 * @param changed What the first call of an endpoint gets instead, or each for a token.
	 */
	replay(changed?: { endpoint: Endpoint; body: object }) {
		const sent: Sent[] = [];
		const counts = new Map<unknown, number>();
		const { responseData } = this.first('POST /access/token') as never;
		const { accessToken: token } = responseData as { accessToken: string };
		const send = async (options: IHttpRequestOptions) => {
			const endpoint = endpointOf(this.baseUrl, options);
			sent.push({ endpoint, options });
			const count = counts.get(endpoint) ?? 0;
			counts.set(endpoint, count + 1);
			const isToken = endpoint === 'POST /access/token';
			const isChanged = changed?.endpoint === endpoint && (isToken || count === 0);
			const isKnown = isToken || options.headers?.token === token;
			const all = (endpoint && this.answers.get(endpoint)) ?? [];
			const body = isChanged ? changed?.body : (all[count] ?? all.at(-1));
			const status = isKnown ? (body ? 200 : 404) : 401;
			const refusal = { success: false, message: `refused ${status}`, responseCode: status };
			return await Promise.resolve({
				statusCode: status,
				headers: {},
				body: streamOf(status === 200 ? body : refusal),
			});
		};
		const credential = { baseUrl: this.baseUrl, userId: `user-${++this.users}`, apiKey: 'the-key' };
		return { keeper: new CredentialKeeper(credential, send), sent };
	}
}

function streamOf(body: unknown): Readable {
	return Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]);
}

function endpointOf(
	baseUrl: string,
	{ method = 'GET', url }: IHttpRequestOptions,
): Endpoint | undefined {
	if (!url.startsWith(`${baseUrl}/`)) return undefined;
	const path = url.slice(baseUrl.length).replace(/\?.*$/, '');
	return ENDPOINTS.find((name) =>
		new RegExp(`^${name.replace(/:\w+/g, '[^/]+')}$`).test(`${method} ${path}`),
	);
}
