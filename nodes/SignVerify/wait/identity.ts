import type { IDataObject } from 'n8n-workflow';

import { isFinalStatus, readIdentityRequest, readIdentityResults } from '../api/identity';
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

/** How the service says that a verification stands. */
interface VerificationStatus {
	/** `score` is null without results, which nobody can mistake for a verified person. */
	output: IDataObject;
	hasScore: boolean;
	/** Whether it has results or a final status. */
	isOver: boolean;
}

/** Pauses (ms) before the service is asked again for results that should exist. */
const pauses = [500, 1000, 1500];

/** After this time (ms), it is not asked again, because the sender of the event waits. */
const maxTime = 5000;

/**
 * Asks the service whether an event ends the wait for a request. Its body is not documented. If it names
 * the awaited request, the request is over. If it names another, it is for that one. If it names none, the
 * service decides.
 * @returns The output; undefined if the event does not end the wait.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function finishedIdentity(
	service: ServiceClient,
	named: string | undefined,
	awaited: AwaitedIdentity,
): Promise<IDataObject | undefined> {
	if (named !== undefined && named !== awaited.validationId) return undefined;
	return await readOutcome(service, awaited, named !== undefined);
}

/**
 * Asks the service whether a request is over.
 * @returns Status and results; undefined while it is not known to be over.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function identityOutcome(
	service: ServiceClient,
	awaited: AwaitedIdentity,
): Promise<IDataObject | undefined> {
	return await readOutcome(service, awaited, false);
}

/**
 * Reads a request, for a few seconds again while expected scores are missing.
 * @param isKnownOver Whether it is over, whatever the service says.
 */
async function readOutcome(
	service: ServiceClient,
	awaited: AwaitedIdentity,
	isKnownOver: boolean,
): Promise<IDataObject | undefined> {
	const start = Date.now();
	let status = await readStatus(service, awaited);
	for (const pause of pauses) {
		if (status.hasScore || !(isKnownOver || status.isOver)) break;
		if (Date.now() - start + pause > maxTime) break;
		await delay(pause);
		status = await readStatus(service, awaited);
	}
	return isKnownOver || status.isOver ? status.output : undefined;
}

async function readStatus(
	service: ServiceClient,
	{ validationId, email, personal }: AwaitedIdentity,
): Promise<VerificationStatus> {
	const request = await readIdentityRequest(service, validationId);
	const status = textOf(request?.status);
	const results = await readIdentityResults(service, validationId, personal);
	const none = { sessionId: validationId, customerId: request?.customerId ?? null, score: null };
	return {
		output: {
			validationId,
			email: email || textOf(request?.emailId),
			status,
			...(results ?? none),
			timedOut: false,
		},
		hasScore: isObject(results?.score),
		isOver: results !== undefined || isFinalStatus(status),
	};
}
