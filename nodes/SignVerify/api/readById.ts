import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { isObject } from '../util/values';

/**
 * Reads one thing by its ID, which is the last part of the path.
 * @param path The path before the ID.
 * @returns undefined if the service itself says that there is no such thing, mostly with 404 or 400, or returns an empty
 * object (docs/dev/service.md#seen-identity).
 * @throws ServiceError when the service fails or cannot be reached.
 */
export async function readById(
	service: ServiceClient,
	path: string,
	id: string,
): Promise<IDataObject | undefined> {
	const ended = await settle(
		service.call({ kind: 'reading', path: `${path}/${encodeURIComponent(id)}` }),
	);
	if (ended.ok) {
		const { responseData } = ended.value;
		return isObject(responseData) && Object.keys(responseData).length ? responseData : undefined;
	}
	const { error } = ended;
	const status = error instanceof ServiceError ? error.serviceStatus : undefined;
	if ([400, 404, 410, 422].includes(status ?? 0)) return undefined;
	throw error;
}
