import type {
	IAdditionalCredentialOptions,
	IDataObject,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import type { ServiceContext, ServiceRequest } from '../../nodes/SignVerify/http/request';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { CredentialKeeper } from './credentials';

/** A response from the service. The default is HTTP 200 with `success: true`. */
export interface StandInResponse {
	status?: number;
	body?: unknown;
	headers?: IDataObject;
}

/** A call to the service, with its token. */
export interface StandInCall {
	options: IHttpRequestOptions;
	token: string;
	/** When the call was made, in ms as returned by `performance.now()`. */
	at: number;
}

/**
 * Returns the response to a call or throws as the HTTP client does. To imitate a service that never responds,
 * it returns a promise that never settles.
 */
export type Respond = (
	call: StandInCall,
	count: number,
) => StandInResponse | undefined | Promise<StandInResponse>;

export const standInOrigin = 'https://sign.example.com';

/** Makes an error like those that the HTTP client throws. */
export function errorWithCode(code: string): Error {
	return Object.assign(new Error('no'), { code });
}

/** Leaves a call without a response until the caller aborts it. */
export async function neverRespond({ options }: Pick<StandInCall, 'options'>): Promise<never> {
	return await new Promise((_, reject) => {
		const signal = options.abortSignal as AbortSignal;
		if (signal.aborted) reject(errorWithCode('ERR_CANCELED'));
		signal.addEventListener('abort', () => reject(errorWithCode('ERR_CANCELED')));
	});
}

/** Each test gets its own account, because tokens are cached by account. */
let users = 0;

/**
 * Replaces n8n and the service in tests of single calls, so these tests do not use the network.
 * @param credential Values that override those of the stored credential.
 * @param options `isInEngine2` is true if n8n's Engine 2.0 makes the calls.
 */
export function standIn(
	respond: Respond,
	credential: IDataObject = {},
	signal?: AbortSignal,
	{ isInEngine2 = false } = {},
): { context: ServiceContext; calls: StandInCall[]; reads(): number; exchanges(): number } {
	const calls: StandInCall[] = [];
	let reads = 0;
	let exchanges = 0;
	const stored = {
		baseUrl: `${standInOrigin}/api/`,
		userId: `user ${users++}`,
		apiKey: 'the-api-key',
		accessToken: 'token-0',
		...credential,
	};
	const network = async (options: IHttpRequestOptions) => {
		if (options.url.endsWith('/access/token')) {
			const body = { token: `token-${++exchanges}` };
			return { statusCode: 200, headers: {}, body };
		}
		const { body, headers } = options;
		const call = {
			// The service receives the body as JSON, so the tests check the parsed JSON.
			options: {
				...options,
				...(typeof body === 'string' ? { body: JSON.parse(body) as IDataObject } : {}),
			},
			token: String(headers?.token),
			at: performance.now(),
		};
		calls.push(call);
		const response = (await respond(call, calls.length)) ?? {};
		const { status = 200, body: responseBody = { success: true } } = response;
		return { statusCode: status, body: responseBody, headers: response.headers ?? {} };
	};
	const keeper = new CredentialKeeper(stored, network, isInEngine2);
	const node = {
		id: 'n',
		name: 'SignVerify',
		type: 't',
		typeVersion: 1.1,
		parameters: {},
	} as INode;
	const context = {
		getNode: () => node,
		logger: { debug: () => undefined, warn: () => undefined },
		getCredentials: async () => {
			reads++;
			// The credential is read on each call, because a test may change it, as a user might.
			const { accessToken, accountHash } = keeper.stored;
			return await Promise.resolve({ ...stored, ...credential, accessToken, accountHash });
		},
		getExecutionCancelSignal: () => signal,
		helpers: {
			httpRequest: network,
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				additional: IAdditionalCredentialOptions,
			) => {
				// During an execution, n8n replaces the caller's abort signal with its own.
				options.abortSignal = new AbortController().signal;
				await Promise.resolve();
				return await keeper.request(node, options, additional);
			},
		},
	};
	return {
		context: context as unknown as ServiceContext,
		calls,
		reads: () => reads,
		exchanges: () => exchanges,
	};
}

/** Three calls: one that reads, one that deletes and one that creates. */
export const read: ServiceRequest = { purpose: 'reading', path: '/templates/v2' };
export const deletion: ServiceRequest = {
	purpose: 'deleting',
	path: '/webhooks',
	qs: { webHookID: 'w' },
};
export const creation: ServiceRequest = {
	purpose: 'creating',
	noun: 'the document',
	path: '/documents',
	body: { a: 1 },
};

/** Makes one call and returns its outcome and the calls that were sent. */
export async function callOnce(
	respond: Respond,
	request: ServiceRequest = read,
	{ maxTimeMs, ...settings }: { maxTimeMs?: number } & Partial<INode> = {},
	credential: IDataObject = {},
) {
	const service = standIn(respond, credential);
	const node = { ...service.context.getNode(), ...settings };
	const context = { ...service.context, getNode: () => node };
	const outcome: unknown = await new ServiceClient(context, maxTimeMs)
		.call(request)
		.catch((error: unknown) => error);
	return { ...service, outcome };
}

/** Returns the pauses (ms) between consecutive calls. */
export function pausesBetween(calls: StandInCall[]): number[] {
	return calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? at));
}
