import type { IDataObject } from 'n8n-workflow';

import { isFinalStatus, readIdentityRequest, readIdentityResults } from '../api/identity';
import type { ServiceClient } from '../http/client';
import { attempt, delay } from '../util/async';
import { isObject, textOf } from '../util/values';

/** The identity request that an execution waits for. */
interface AwaitedIdentity {
	validationId: string;
	email: string;
	/** Whether to output what was read from the person's ID. */
	personal: boolean;
}

interface Standing {
	/** `score` is null without results. */
	output: IDataObject;
	hasScore: boolean;
	/** Whether it is known to be over. */
	isOver: boolean;
}

/** Waits (ms) before the service is asked again for results that should exist. */
const waits = [500, 1000, 1500];

/** Milliseconds after which it is not asked again, because the sender of the event waits. */
const mostTime = 5000;

/**
 * Whether an event ends the wait for a request. Its body is not documented. If it names the awaited
 * request, the request is over. If it names another, it is for that one. If it names none, the service
 * decides.
 * @returns The output; false if the event does not end the wait; `later` if the service does not answer,
 * and the event must be sent again.
 */
export async function finishedIdentity(
	service: ServiceClient,
	named: string | undefined,
	awaited: AwaitedIdentity,
): Promise<IDataObject | false | 'later'> {
	if (named !== undefined && named !== awaited.validationId) return false;
	const isNamed = named !== undefined;
	const read = await attempt(readStanding(service, awaited, ({ isOver }) => isNamed || isOver));
	if (!read.ok) return 'later';
	return isNamed || read.value.isOver ? read.value.output : false;
}

/**
 * Asks the service whether a request is over: it has results, or a final status.
 * @returns Status and results; undefined while it is not known to be over. `score` is null without
 * results, which nobody can mistake for a verified person.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function identityOutcome(
	service: ServiceClient,
	awaited: AwaitedIdentity,
): Promise<IDataObject | undefined> {
	const { isOver, output } = await readStanding(service, awaited, (standing) => standing.isOver);
	return isOver ? output : undefined;
}

/** Reads a request, for a few seconds again while expected scores are missing. */
async function readStanding(
	service: ServiceClient,
	awaited: AwaitedIdentity,
	expectsScore: (standing: Standing) => boolean,
): Promise<Standing> {
	const start = Date.now();
	let standing = await readOnce(service, awaited);
	for (const wait of waits) {
		if (standing.hasScore || !expectsScore(standing)) break;
		if (Date.now() - start + wait > mostTime) break;
		await delay(wait);
		standing = await readOnce(service, awaited);
	}
	return standing;
}

async function readOnce(
	service: ServiceClient,
	{ validationId, email, personal }: AwaitedIdentity,
): Promise<Standing> {
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
