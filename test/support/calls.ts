import type { IDataObject, INode } from 'n8n-workflow';

import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { standIn, type Respond, type StandInCall } from './standIn';
import { type ServiceRequest } from '../../nodes/SignVerify/http/request';

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
