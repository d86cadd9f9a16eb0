import type { IDataObject } from 'n8n-workflow';

import { attempt, type Attempt } from '../../transport/attempt';
import type { ServiceClient } from '../../transport/client';
import { isObject } from '../../transport/envelope';
import { ServiceFailure } from '../../transport/failure';

/**
 * Reads something about an identity verification by an ID in the path.
 * @param path Ends before the ID.
 * @returns What was found; undefined where the service has nothing: it says 404 or 400, or answers
 * an empty object (field notes: Identity).
 * @throws ServiceFailure for every other failure.
 */
export async function readIdentity(
	service: ServiceClient,
	path: string,
	id: string,
): Promise<IDataObject | undefined> {
	const answer = await attempt(
		service.call({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` }),
	);
	if (answer.ok) {
		const { responseData } = answer.value;
		return isObject(responseData) && Object.keys(responseData).length ? responseData : undefined;
	}
	if (saysNothingThere(answer)) return undefined;
	throw answer.error;
}

/** Where a request is read (interface: Get an identity verification request). */
export const requestPath = '/identity/validation/request';

/** The service knows nothing by this ID. */
export function unknownRequest(field: string, id: string): ServiceFailure {
	return new ServiceFailure({
		message: `${field}: the service has no identity request with the ID "${id}"`,
		description:
			'Use the validationId that "Request" gave, and the same account in the credential.',
		httpStatus: 404,
	});
}

function saysNothingThere(answer: Attempt<unknown>): boolean {
	const error = answer.ok ? undefined : answer.error;
	return error instanceof ServiceFailure && [400, 404].includes(error.answered ?? 0);
}
