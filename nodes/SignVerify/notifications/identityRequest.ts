import type { IDataObject } from 'n8n-workflow';

import { firstText } from '../reading/firstText';
import { isObject } from '../transport/envelope';

/**
 * The ID of the identity request that a notification is about. Its body is not documented, so the
 * names that the interface uses elsewhere count, at the top or one level below it.
 */
export function identityRequestId(body: IDataObject): string | undefined {
	for (const part of [body, ...Object.values(body).filter(isObject)]) {
		const { validationId, validationID, sessionId, sessionID } = part;
		const id = firstText(validationId, validationID, sessionId, sessionID);
		if (id !== undefined) return id;
	}
	return undefined;
}
