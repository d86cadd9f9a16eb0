import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { aliveAfter, type Caller, type Http } from '../n8n/surroundings';
import { type CallKind, Faults, kindOfCall, type FaultKind } from './faults';
import type { Accounts } from './service/accounts';
import type { ServiceResponse, ServiceRequest } from './service/contract';
import { jsonOf } from './service/ids';
import type { World } from './world';

export const serviceOrigin = 'https://sign.example.com';
export const baseUrl = `${serviceOrigin}/api`;

/** Carries calls to the service and loses, delays or refuses them according to the active faults. */
export class Network implements Http {
	readonly faults = new Faults();

	constructor(
		private readonly world: World,
		private readonly service: Accounts,
	) {}

	/**
	 * Stands in for n8n's `helpers.httpRequest` with the options that the nodes use: returns the entire
	 * response, whatever its status, with the body as a stream. Errors look like errors from n8n's HTTP
	 * client.
	 */
	async request(caller: Caller, options: IHttpRequestOptions): Promise<unknown> {
		const {
			status,
			headers = {},
			body,
		} = await aliveAfter(caller, this.respondOrAbort(caller, options));
		const text = typeof body === 'string' ? body : jsonOf(body);
		return { body: Readable.from([Buffer.from(text)]), headers, statusCode: status };
	}

	/** Ends early if the caller cancels the call or the timeout expires. */
	private async respondOrAbort(
		caller: Caller,
		options: IHttpRequestOptions,
	): Promise<ServiceResponse> {
		const signal = options.abortSignal as AbortSignal | undefined;
		return await new Promise((resolve, reject) => {
			const abort = () => reject(failed('ERR_CANCELED'));
			if (signal?.aborted) return abort();
			signal?.addEventListener('abort', abort, { once: true });
			const clock = options.timeout
				? setTimeout(() => reject(failed('ECONNABORTED')), options.timeout)
				: undefined;
			const isGivenUp = () => signal?.aborted === true;
			void this.carry(caller, options, isGivenUp)
				.then(resolve, reject)
				.finally(() => {
					clearTimeout(clock);
					signal?.removeEventListener('abort', abort);
				});
		});
	}

	private async carry(
		caller: Caller,
		options: IHttpRequestOptions,
		isGivenUp: () => boolean,
	): Promise<ServiceResponse> {
		const url = withQuery(options);
		const method = options.method ?? 'GET';
		const path = pathOf(url);
		const kind = kindOfCall(method, path);
		const fault = this.faults.take(kind);
		const title = `${caller.name}: ${method} ${path}`;
		await this.world.step(title);
		if (isGivenUp() || !caller.isAlive()) throw failed('ERR_CANCELED');
		const act = () =>
			kind === 'file'
				? this.service.file(url)
				: this.service.respondTo(asRequest(options, url), caller);
		const response = await this.withFault(fault, act, options, kind);
		this.world.note(
			`${title} ${response instanceof Error ? response.message : response.status}${fault ? ` (${fault})` : ''}`,
		);
		await this.world.step(`the response to ${title}`);
		if (response instanceof Error) throw response;
		return response;
	}

	/** Returns the service's response, altered by the fault if there is one. */
	private async withFault(
		fault: FaultKind | undefined,
		act: () => ServiceResponse,
		options: IHttpRequestOptions,
		kind: CallKind,
	): Promise<ServiceResponse | Error> {
		switch (fault) {
			case undefined:
				return act();
			case 'slow':
				await this.world.sleep(3000);
				return act();
			case 'late': {
				const response = act();
				await this.world.sleep(overdue);
				return response;
			}
			case 'overdue':
				await this.world.sleep(overdue);
				return act();
			case 'lost':
				act();
				return failed('ECONNRESET');
			case 'gateway':
				act();
				return gatewayPage;
			case 'quoting':
				return refused(400, `Not accepted: ${wordsOf(options)}`);
			case 'exchangeRefused':
			case 'exchangeMissing': {
				const refusal = fault === 'exchangeRefused' ? 'badRequest' : 'missingPage';
				// The token exchange and downloads do not need a token.
				if (kind === 'token' || kind === 'file') return refusals[refusal];
				this.faults.add({ on: 'token', kind: refusal, after: 0, times: 1 });
				return refusals.unauthorized;
			}
			case 'refused':
				return failed('ECONNREFUSED');
			case 'broken':
				return failed('ECONNRESET');
			default:
				return refusals[fault];
		}
	}
}

/**
 * A delay (ms) longer than any timeout in the simulation, even that of a call that first has to renew its
 * token.
 */
const overdue = 95_000;

/** Makes the page that a gateway returns instead of the service's response. */
function pageWith(status: number, title: string): ServiceResponse {
	return {
		status,
		headers: { 'content-type': 'text/html' },
		body: `<html><head><title>${title}</title></head></html>`,
	};
}

const gatewayPage = pageWith(502, '502 Bad Gateway');

function refused(status: number, message: string, headers = {}) {
	const body = {
		responseData: {},
		message,
		success: false,
		responseCode: status,
	};
	return {
		status,
		headers: { 'content-type': 'application/json', ...headers },
		body,
	};
}

const refusals = {
	unavailable: refused(503, 'Service unavailable'),
	limited: refused(429, 'Too many requests', { 'retry-after': '2' }),
	limitedSilently: refused(429, 'Too many requests'),
	unauthorized: refused(401, 'Unauthorized'),
	forbidden: refused(403, 'Forbidden'),
	badRequest: refused(400, 'Some emails are repeated'),
	page: pageWith(200, 'Sign in'),
	missingPage: pageWith(404, '404 page not found'),
	forbiddenPage: pageWith(403, '403 Forbidden'),
};

/** Returns a call's secrets, which the service may repeat in its message. */
function wordsOf(options: IHttpRequestOptions): string {
	const { token, 'api-key': apiKey } = (options.headers ?? {}) as Record<string, string>;
	return `${token ?? apiKey ?? ''} ${withQuery(options)}`;
}

function failed(code: string): Error {
	return Object.assign(new Error(code), { code });
}

/** Returns a URL's path relative to the base URL. */
function pathOf(url: string): string {
	return new URL(url).pathname.replace(/^\/api/, '');
}

function withQuery({ url, qs }: IHttpRequestOptions): string {
	if (!qs || Object.keys(qs).length === 0) return url;
	const full = new URL(url);
	for (const [name, value] of Object.entries(qs)) full.searchParams.set(name, String(value));
	return full.href;
}

function asRequest(options: IHttpRequestOptions, url: string): ServiceRequest {
	const { pathname, searchParams } = new URL(url);
	const headers = Object.entries(options.headers ?? {});
	const { body = '' } = options as { body?: unknown };
	return {
		method: options.method ?? 'GET',
		path: decodeURIComponent(pathname.replace(/^\/api/, '')),
		query: Object.fromEntries(searchParams),
		headers: Object.fromEntries(
			headers.map(([name, value]) => [name.toLowerCase(), String(value)]),
		),
		bodyText: typeof body === 'string' ? body : JSON.stringify(body),
	};
}
