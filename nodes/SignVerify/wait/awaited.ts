import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import {
	isDecided,
	isFinalStatus,
	passedOf,
	readIdentityRequest,
	readIdentityResults,
} from '../api/identity';
import type { NotifiedDocument } from '../api/notification';
import { type ExpectedPerson, noIdAnswers } from '../api/officialId';
import { delay } from '../util/async';
import { textOf } from '../util/values';

export function isAwaited({ ids }: NotifiedDocument, documentId: string): boolean {
	return ids.includes(documentId);
}

export interface AwaitedIdentity {
	validationId: string;
	email: string;
	/** Whether to output the data read from the person's official ID. */
	personal: boolean;
}

/** An awaited request, and the person whose ID is expected. The latter is never stored. */
interface IdentityToCheck extends AwaitedIdentity {
	expected?: ExpectedPerson | undefined;
}

/** The pauses before asking the service again for results that should exist by now. */
const resultPausesMs = [500, 1000, 1500];

/** After this time, stop asking the service, because the event's sender is waiting for a response. */
const resultTimeoutMs = 5000;

/** An event that may be about the awaited identity request. */
interface IdentityEvent {
	/**
	 * All values in the event that may be request IDs, because the service does not document the event's
	 * body.
	 */
	validationIds: string[];
	/** The additional fields in the output if this event ends the wait (api/events.ts). */
	outcome?: IDataObject | undefined;
}

type IdentityState =
	/** The request is over, and the output has these fields. */
	| { isOver: true; fields: IDataObject }
	/**
	 * The request may not be over yet. `request` is what the service returned for it; undefined if the
	 * request doesn't exist, or if the event is about a different request.
	 */
	| { isOver: false; request?: IDataObject | undefined };

/**
 * Asks the service whether an identity request is over. If it is over, but its results are missing, keeps
 * asking for a few seconds.
 * @param event The event that has arrived. If the event contains the awaited request's ID, the request is
 * over. If the event contains only other IDs, it is not for this wait. If it contains no ID, only the
 * service's data is used.
 * @returns If the request is over, the output's fields. If the service has no verdict, but the event has an
 * `outcome`, the fields include that outcome. If there is no outcome either, and the request is undecided
 * ({@link isDecided}), the fields include `resultsMissing: true`.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function checkIdentity(
	service: ServiceClient,
	awaited: IdentityToCheck,
	{ validationIds, outcome }: IdentityEvent = { validationIds: [] },
): Promise<IdentityState> {
	const isNamed = validationIds.includes(awaited.validationId);
	if (validationIds.length > 0 && !isNamed) return { isOver: false };
	// An event without an ID may be about a different request, so don't use its outcome for the awaited
	// request.
	const knownOutcome = isNamed ? outcome : undefined;
	const startedAt = performance.now();
	let state = await readRequestState(service, awaited);
	for (const pauseMs of resultPausesMs) {
		const expectsResults = (isNamed || state.isFinal) && !knownOutcome;
		if (state.isDecided || !expectsResults) break;
		if (performance.now() - startedAt + pauseMs > resultTimeoutMs) break;
		await delay(pauseMs);
		state = await readRequestState(service, awaited);
	}
	const { request, fields } = state;
	if (knownOutcome && fields.passed === null) {
		return { isOver: true, fields: { ...fields, ...knownOutcome } };
	}
	if (state.isDecided) return { isOver: true, fields };
	const isOver = isNamed || state.isFinal;
	return isOver ? { isOver, fields: { ...fields, resultsMissing: true } } : { isOver, request };
}

async function readRequestState(
	service: ServiceClient,
	{ validationId, email, personal, expected }: IdentityToCheck,
) {
	const request = await readIdentityRequest(service, validationId);
	const status = textOf(request?.status);
	const results = await readIdentityResults(service, validationId, { personal, expected });
	return {
		request,
		fields: {
			passed: passedOf(results?.score, status),
			nameMatches: results?.nameMatches ?? noIdAnswers.nameMatches,
			isOfAge: results?.isOfAge ?? noIdAnswers.isOfAge,
			timedOut: false,
			validationId,
			email: email || textOf(request?.emailId),
			status,
			// Either response may lack the customer's ID.
			customerId: results?.customerId ?? request?.customerId ?? null,
			// If the score is missing, output null, because no one can mistake that for a verified person's
			// score.
			score: results?.score ?? null,
			...(personal ? { ocr: results?.ocr ?? null } : {}),
		},
		isDecided: isDecided(results?.score, status),
		isFinal: isFinalStatus(status),
	};
}
