import { runItems } from '../../nodes/SignVerify/operations/runItems';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { type ServiceRequest } from '../../nodes/SignVerify/http/request';
import { read } from './calls';
import { coded, standIn, type Respond } from './standIn';

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
