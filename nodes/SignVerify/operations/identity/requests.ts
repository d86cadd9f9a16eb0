import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { attempt, type Attempt } from '../../transport/attempt';
import type { ServiceClient } from '../../transport/client';
import { isObject } from '../../transport/envelope';
import { ServiceError } from '../../transport/errors';
import type { ItemContext } from '../types';
import { readId } from '../values';

/** Answers that mean that there is no such request; all others say nothing about it. */
const nothingThere = [400, 404, 410, 422];

/**
 * Reads something about an identity verification by an ID in the path.
 * @param path Ends before the ID.
 * @returns What was found; undefined where the service has nothing: it says so (404 or
 * 400, mostly), or answers an empty object (docs/service.md#seen-identity).
 * @throws ServiceError for every other failure.
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

/** Where a request is read (docs/service.md#get-an-identity-verification-request). */
export const requestPath = '/identity/validation/request';

/**
 * Statuses of a request that do not change any more. Only CREATED is documented and COMPLETED is
 * seen (docs/service.md#seen-identity); the others can mean nothing but the end. Words that can
 * also be said at the beginning or half way (ACCEPTED, SUCCESS, PROCESSED, REVIEWED) are not among
 * them.
 */
const finalStatuses = [
	...['COMPLETED', 'COMPLETE', 'FINISHED', 'DONE'],
	...['VERIFIED', 'APPROVED', 'PASSED'],
	...['REJECTED', 'DECLINED', 'DENIED', 'FAILED'],
	...['EXPIRED', 'CANCELED', 'CANCELLED'],
];

/** Whether a request with this status is over; a word that is not known is none of the end. */
export function isFinalStatus(status: string): boolean {
	return finalStatuses.includes(status.trim().toUpperCase());
}

/** The form for which request is meant. */
export const validationIdField: INodeProperties = {
	displayName: 'Validation ID',
	name: 'validationId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
	description: 'The validationId that requesting the verification gave',
};

/** @throws InputError when it is no ID. */
export function readValidationId(item: ItemContext): string {
	const source = 'Use the validationId that "Request" gave.';
	return readId(item.parameter('validationId'), validationIdField.displayName, source);
}

/** The service knows nothing by this ID. */
export function unknownRequest(field: string, id: string): ServiceError {
	return new ServiceError({
		message: `${field}: the service has no identity request with the ID "${id}"`,
		description:
			'Use the validationId that "Request" gave, and the same account in the credential.',
		httpStatus: 404,
	});
}

function saysNothingThere(answer: Attempt<unknown>): boolean {
	const error = answer.ok ? undefined : answer.error;
	return error instanceof ServiceError && nothingThere.includes(error.answered ?? 0);
}
