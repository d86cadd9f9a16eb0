import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { pathsBeforeIds } from '../http/endpoints';
import { isRefusedWith, ServiceError } from '../http/serviceError';
import { settle } from '../util/async';
import { isObject } from '../util/values';
import { type LookedUpObject, lookUpProblems } from './lookUpProblems';

export interface FoundObject {
	/**
	 * Undefined if the service itself reports that the object doesn't exist, usually with 404 or 400, or if it
	 * returns an empty object (docs/dev/service.md#seen-identity).
	 */
	object?: IDataObject | undefined;
	/** What the service responded instead, such as "(HTTP 404)"; empty if it returned an object. */
	refusal: string;
}

/**
 * Reads a single object by its ID, which is the last part of the path.
 * @throws ServiceError if the service fails or can't be reached.
 */
export async function readById(
	service: ServiceClient,
	endpoint: keyof typeof pathsBeforeIds,
	id: string,
): Promise<FoundObject> {
	const path = `${pathsBeforeIds[endpoint]}/${encodeURIComponent(id)}`;
	const reading = await settle(service.call({ purpose: 'reading', path }));
	if (reading.ok) {
		const { responseData } = reading.value;
		const isEmptyObject = !isObject(responseData) || Object.keys(responseData).length === 0;
		return { object: isEmptyObject ? undefined : responseData, refusal: '' };
	}
	if (!isRefusedWith(reading.error, [400, 404, 410, 422])) throw reading.error;
	return { refusal: reading.error.refusal };
}

/** @throws ServiceError also if there is no object with this ID. */
export async function readExisting(
	service: ServiceClient,
	endpoint: keyof typeof pathsBeforeIds,
	id: string,
	lookedUp: LookedUpObject,
): Promise<IDataObject> {
	return existing(await readById(service, endpoint, id), id, lookedUp);
}

/** @throws ServiceError if the object wasn't found. */
export function existing(
	{ object, refusal }: FoundObject,
	id: string,
	lookedUp: LookedUpObject,
): IDataObject {
	if (object) return object;
	throw new ServiceError({
		...lookUpProblems.notFound(lookedUp, id, refusal),
		shownStatus: 404,
		serviceStatus: 404,
	});
}
