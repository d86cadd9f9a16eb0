import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../transport/client';
import { isObject } from '../transport/envelope';
import { ServiceFailure } from '../transport/failure';
import { firstText } from './text';

/** What the service says of an identity request that a notification names. */
export type Standing = 'known' | 'unknown' | 'unreachable';

/** Answers that mean that there is no such request; all others say nothing about it. */
const unknownStatuses = [400, 404, 410, 422];

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
	try {
		const path = `/identity/validation/request/${encodeURIComponent(id)}`;
		const { responseData } = await service.call({ method: 'GET', path });
		if (!isObject(responseData) || Object.keys(responseData).length === 0) return 'unknown';
		const own = firstText(responseData.sessionId);
		return own === undefined || own === id ? 'known' : 'unknown';
	} catch (error) {
		const status = error instanceof ServiceFailure ? error.answered : undefined;
		return unknownStatuses.includes(status ?? 0) ? 'unknown' : 'unreachable';
	}
}
