import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { isRefusedWith } from '../http/errors';
import { settle } from '../util/async';
import { isObject } from '../util/values';

/**
 * Reads a single object by its ID, which is the last part of the path.
 * @param path The path before the ID.
 * @returns undefined if the service itself reports that the object doesn't exist, usually with 404 or 400, or
 * if it returns an empty object (docs/dev/service.md#seen-identity).
 * @throws ServiceError if the service fails or can't be reached.
 */
export async function readById(
	service: ServiceClient,
	path: string,
	id: string,
): Promise<IDataObject | undefined> {
	const reading = await settle(
		service.call({ kind: 'reading', path: `${path}/${encodeURIComponent(id)}` }),
	);
	if (reading.ok) {
		const { responseData } = reading.value;
		return isObject(responseData) && Object.keys(responseData).length ? responseData : undefined;
	}
	if (isRefusedWith(reading.error, [400, 404, 410, 422])) return undefined;
	throw reading.error;
}
