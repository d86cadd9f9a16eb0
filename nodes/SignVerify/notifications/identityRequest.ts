import type { IDataObject } from 'n8n-workflow';

import { readIdentity, requestPath } from '../operations/identity/requests';
import { firstText } from '../reading/firstText';
import { attempt } from '../transport/attempt';
import type { ServiceClient } from '../transport/client';
import { isObject } from '../transport/envelope';

/** What the service says of an identity request that a notification names. */
export type Standing = 'known' | 'unknown' | 'unreachable';

/**
 * The ID of the identity request that a notification is about. Its body is not documented, so the
 * names that the interface uses elsewhere count, at the top or one level below it.
 */
export function identityRequestId(body: IDataObject): string | undefined {
	for (const part of [body, ...Object.values(body).filter(isObject)]) {
		const id = firstText(part.validationId, part.sessionId);
		if (id !== undefined) return id;
	}
	return undefined;
}

/**
 * Asks the service about the request that a notification names (interface: Get an identity
 * verification request).
 */
export async function lookUpIdentityRequest(
	service: ServiceClient,
	body: IDataObject,
): Promise<Standing> {
	const id = identityRequestId(body);
	if (id === undefined) return 'unknown';
	const request = await attempt(readIdentity(service, requestPath, id));
	if (!request.ok) return 'unreachable';
	if (!request.value) return 'unknown';
	const own = firstText(request.value.sessionId);
	return own === undefined || own === id ? 'known' : 'unknown';
}
