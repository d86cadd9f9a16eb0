import type { IDataObject } from 'n8n-workflow';

import { isFinalStatus, passedOf, readIdentityRequest, readIdentityResults } from '../api/identity';
import type { ServiceClient } from '../http/client';
import { delay } from '../util/async';
import { isObject, textOf } from '../util/values';

/** The identity request that an execution waits for. */
export interface AwaitedIdentity {
	validationId: string;
	email: string;
	/** Whether to output what was read from the person's ID. */
	personal: boolean;
}

/** Pauses (ms) before the service is asked again for results that should exist. */
const pauses = [500, 1000, 1500];

/** After this time (ms), it is not asked again, because the sender of the event waits. */
const maxTime = 5000;

/**
 * Asks the service whether a request is over, for a few seconds again while expected scores are missing.
 * @param named The requests that an event names, whose body is not documented. If the awaited one is among
 * them, it is over. If only others are, the event is not for this wait. If there is none, the service decides.
 * @returns Status and results; undefined while it is not known to be over.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function identityOutcome(
	service: ServiceClient,
	awaited: AwaitedIdentity,
	named: string[] = [],
): Promise<IDataObject | undefined> {
	const isNamed = named.includes(awaited.validationId);
	if (named.length > 0 && !isNamed) return undefined;
	const start = Date.now();
	let status = await readStatus(service, awaited);
	for (const pause of pauses) {
		if (status.hasScore || !(isNamed || status.isOver)) break;
		if (Date.now() - start + pause > maxTime) break;
		await delay(pause);
		status = await readStatus(service, awaited);
	}
	return isNamed || status.isOver ? status.output : undefined;
}

/** How the service says that a verification stands. */
async function readStatus(
	service: ServiceClient,
	{ validationId, email, personal }: AwaitedIdentity,
) {
	const request = await readIdentityRequest(service, validationId);
	const status = textOf(request?.status);
	const results = await readIdentityResults(service, validationId, personal);
	// Nobody can mistake a score of null for a verified person.
	const none = { sessionId: validationId, customerId: request?.customerId ?? null, score: null };
	return {
		output: {
			validationId,
			email: email || textOf(request?.emailId),
			status,
			...(results ?? none),
			passed: passedOf(results?.score, status),
			timedOut: false,
		},
		hasScore: isObject(results?.score),
		isOver: results !== undefined || isFinalStatus(status),
	};
}
