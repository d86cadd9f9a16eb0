import type { IDataObject } from 'n8n-workflow';

import { identityRequestId } from '../notifications/identityRequest';
import { readIdentity, requestPath } from '../operations/identity/requests';
import { readResults } from '../operations/identity/results';
import { attempt } from '../transport/attempt';
import type { ServiceClient } from '../transport/client';
import { textOf } from '../transport/text';

/** The identity request that an execution waits for. */
interface AwaitedIdentity {
	validationId: string;
	email: string;
	/** Whether what was read from the person's ID is to come out. */
	personal: boolean;
}

/** Statuses of a person who is not done; all but the first are an assumption (field notes). */
const unfinished = ['', 'CREATED', 'IN_PROGRESS'];

/**
 * Whether an event brings the end of the awaited request. Its body is not documented: one that names
 * another request is believed, for all else the service is asked.
 * @returns The output; false when it is about another; `later` when the service cannot say yet.
 */
export async function finishedIdentity(
	service: ServiceClient,
	body: IDataObject,
	awaited: AwaitedIdentity,
): Promise<IDataObject | false | 'later'> {
	const named = identityRequestId(body);
	if (named !== undefined && named !== awaited.validationId) return false;
	const read = await attempt(identityOutcome(service, awaited));
	if (!read.ok) return 'later';
	return read.value ?? (named === undefined ? false : 'later');
}

/**
 * Asks the service for the end of a request.
 * @returns Status and results; undefined while the person is not done.
 * @throws ServiceFailure when the service fails or cannot be reached.
 */
export async function identityOutcome(
	service: ServiceClient,
	{ validationId, email, personal }: AwaitedIdentity,
): Promise<IDataObject | undefined> {
	const request = await readIdentity(service, requestPath, validationId);
	const status = textOf(request?.status);
	const results = await readResults(service, validationId, personal);
	if (!results && unfinished.includes(status)) return undefined;
	return {
		validationId,
		email: email || textOf(request?.emailId),
		status,
		...(results ?? {
			sessionId: validationId,
			customerId: request?.customerId ?? null,
			score: null,
		}),
		timedOut: false,
	};
}
