import type { IDataObject } from 'n8n-workflow';

import { ServiceClient, type ClientOptions } from '../../nodes/SignVerify/http/client';
import type { ServiceRequest } from '../../nodes/SignVerify/http/request';
import { runItems } from '../../nodes/SignVerify/operations/runItems';
import { coded, standIn, type Respond } from './standIn';

/** Calls of each kind: one that reads, one that deletes, one that creates. */
export const read: ServiceRequest = { method: 'GET', path: '/templates/v2' };
export const deletion: ServiceRequest = {
	method: 'DELETE',
	path: '/webhooks',
	qs: { webHookID: 'w' },
};
export const creation: ServiceRequest = {
	method: 'POST',
	path: '/documents',
	body: { a: 1 },
	creates: 'the document',
};

/** Makes one call; gives its outcome and what went out. */
export async function callOnce(
	respond: Respond,
	request: ServiceRequest = read,
	options: ClientOptions = {},
	credential: IDataObject = {},
) {
	const service = standIn(respond, credential);
	const outcome: unknown = await new ServiceClient(service.context, options)
		.call(request)
		.catch((error: unknown) => error);
	return { ...service, outcome };
}

/** How a try of a call ends. */
export type End = 'ok' | 'failed' | 'broken' | 'refused' | 'limited';

export const answer: Record<End, Respond> = {
	ok: () => undefined,
	failed: () => ({ status: 503 }),
	broken: () => {
		throw coded('ECONNRESET');
	},
	refused: () => {
		throw coded('ECONNREFUSED');
	},
	limited: () => ({ status: 429, headers: { 'retry-after': '0.3' } }),
};

/** Makes a call for each request, all in one execution; the ends follow one another over all tries. */
export async function run(requests: ServiceRequest[], ends: End[], parallel = 10) {
	const { context, calls } = standIn((call, count) => {
		const end = ends[(count - 1) % ends.length] ?? 'ok';
		return answer[end](call, count);
	});
	const client = new ServiceClient(context, { maxRetryTime: Infinity, parallel });
	const settled = await runItems(
		requests.length,
		async (index) => await client.call(requests[index] ?? read),
		{ parallel, stopOnFailure: false },
	);
	return {
		calls: calls.length,
		done: settled.filter(({ state }) => state === 'done').length,
		settled,
	};
}

/** The same call, a number of times. */
export const many = (request: ServiceRequest, count: number) =>
	Array<ServiceRequest>(count).fill(request);
