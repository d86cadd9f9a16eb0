import type {
	IAdditionalCredentialOptions,
	IDataObject,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import type { ServiceContext, ServiceRequest } from '../../nodes/SignVerify/http/request';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { CredentialKeeper } from './credentials';

/** What the service answers: HTTP 200 with an empty success unless it says otherwise. */
export interface StandInAnswer {
	status?: number;
	body?: unknown;
	headers?: IDataObject;
}

/** A call as it goes out, and the token that it carries. */
export interface StandInCall {
	options: IHttpRequestOptions;
	token: string;
	/** When it went out (ms of `performance.now()`). */
	at: number;
}

/** Answers a call; throws as the HTTP client does; a promise that never ends is a silent service. */
export type Respond = (
	call: StandInCall,
	count: number,
) => StandInAnswer | undefined | Promise<StandInAnswer>;

export const standInOrigin = 'https://sign.example.com';

/** An error of the HTTP client. */
export function coded(code: string): Error {
	return Object.assign(new Error('no'), { code });
}

/** A service that does not answer, until it is no longer waited for. */
export async function silence({ options }: Pick<StandInCall, 'options'>): Promise<never> {
	return await new Promise((_, reject) => {
		const signal = options.abortSignal as AbortSignal;
		if (signal.aborted) reject(coded('ERR_CANCELED'));
		signal.addEventListener('abort', () => reject(coded('ERR_CANCELED')));
	});
}

/** Tokens are remembered by account, so each test has an account of its own. */
let users = 0;

/**
 * Stands in for n8n and the service behind it, without a network: for tests of single calls.
 * @param credential Over the one that n8n keeps.
 */
export function standIn(
	respond: Respond,
	credential: IDataObject = {},
	signal?: AbortSignal,
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
	const keeper = new CredentialKeeper(stored, async (options) => {
		if (options.url.endsWith('/access/token')) {
			const body = { token: `token-${++exchanges}` };
			return { statusCode: 200, headers: {}, body };
		}
		const { body, headers } = options;
		const call = {
			// As the service reads it: the body went out as JSON.
			options: {
				...options,
				...(typeof body === 'string' ? { body: JSON.parse(body) as IDataObject } : {}),
			},
			token: String(headers?.token),
			at: performance.now(),
		};
		calls.push(call);
		const answer = (await respond(call, calls.length)) ?? {};
		const { status = 200, body: answered = { success: true }, headers: given = {} } = answer;
		return { statusCode: status, body: answered, headers: given };
	});
	const node = {
		id: 'n',
		name: 'SignVerify',
		type: 't',
		typeVersion: 1.1,
		parameters: {},
	} as INode;
	const context = {
		getNode: () => node,
		logger: { warn: () => undefined },
		getCredentials: async () => {
			reads++;
			// As it is now: a person can change it.
			const { accessToken, accountHash } = keeper.stored;
			return await Promise.resolve({ ...stored, ...credential, accessToken, accountHash });
		},
		getExecutionCancelSignal: () => signal,
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				additional: IAdditionalCredentialOptions,
			) => {
				// As n8n does it in an execution.
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

/** Calls of each kind: one that reads, one that deletes, one that creates. */
export const read: ServiceRequest = { kind: 'reading', path: '/templates/v2' };
export const deletion: ServiceRequest = {
	kind: 'deleting',
	path: '/webhooks',
	qs: { webHookID: 'w' },
};
export const creation: ServiceRequest = {
	kind: 'creating',
	noun: 'the document',
	path: '/documents',
	body: { a: 1 },
};

/** Makes one call; gives its outcome and what went out. */
export async function callOnce(
	respond: Respond,
	request: ServiceRequest = read,
	{ maxRetryTime, ...settings }: { maxRetryTime?: number } & Partial<INode> = {},
	credential: IDataObject = {},
) {
	const service = standIn(respond, credential);
	const node = { ...service.context.getNode(), ...settings };
	const context = { ...service.context, getNode: () => node };
	const outcome: unknown = await new ServiceClient(context, maxRetryTime)
		.call(request)
		.catch((error: unknown) => error);
	return { ...service, outcome };
}

/** How long (ms) it was quiet between each call and the next one. */
export function pausesBetween(calls: StandInCall[]): number[] {
	return calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? at));
}
