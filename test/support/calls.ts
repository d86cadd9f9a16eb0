import type { IDataObject } from 'n8n-workflow';

import { ServiceClient, type ClientOptions } from '../../nodes/SignVerify/http/client';
import { standIn, type Respond } from './standIn';
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
	options: ClientOptions = {},
	credential: IDataObject = {},
) {
	const service = standIn(respond, credential);
	const outcome: unknown = await new ServiceClient(service.context, options)
		.call(request)
		.catch((error: unknown) => error);
	return { ...service, outcome };
}
