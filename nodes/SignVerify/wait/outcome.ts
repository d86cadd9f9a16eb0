import type { IDataObject } from 'n8n-workflow';

import { comparedEmail } from '../api/documents';
import {
	isDecided,
	isFinalStatus,
	passedOf,
	readIdentityRequest,
	readIdentityResults,
} from '../api/identity';
import type { NotifiedDocument } from '../api/notification';
import { type ExpectedPerson, noIdAnswers } from '../api/officialId';
import type { ServiceClient } from '../account/client';
import { clockToleranceMs } from '../http/timeLimits';
import { delay } from '../util/async';
import { textOf } from '../util/values';

/** The details that identify the awaited document. */
export interface AwaitedDocument extends IDataObject {
	/**
	 * The ID from the response to the create call; '' if the response contains none, because the service
	 * doesn't guarantee an ID.
	 */
	documentId: string;
	templateId: string;
	emails: string[];
	/**
	 * When the create call was sent (epoch-ms, by the clock of n8n's machine). Stored waits contain this
	 * name, so it can't change. The `since` in a webhook's URL is a different time: when the wait began
	 * (registrations/wait.ts).
	 */
	since: number;
	/**
	 * When the response to the create call arrived. The `until` in a webhook's URL is a different time: when
	 * the wait ends.
	 */
	until: number;
}

/**
 * Whether a notification is about the awaited document. If the service returned an ID, only the ID is
 * compared. Otherwise, the document must have the same template and exactly the same signatories, and its
 * date must be between the create call and the response, allowing for clock differences. A missing value
 * never matches.
 */
export function isAwaited(document: NotifiedDocument, awaited: AwaitedDocument): boolean {
	const { ids, summary, addedOn = NaN, signatories } = document;
	if (awaited.documentId) return ids.includes(awaited.documentId);
	const { since: creationSentAt, until: creationAnsweredAt } = awaited;
	const isInTime =
		addedOn >= creationSentAt - clockToleranceMs &&
		addedOn <= creationAnsweredAt + clockToleranceMs;
	if (!summary.templateId || !isInTime) return false;
	const emails = signatories.map(({ email }) => email ?? '');
	const notifiedFingerprint = fingerprintOf(summary.templateId, emails);
	const awaitedFingerprint = fingerprintOf(awaited.templateId, awaited.emails);
	return notifiedFingerprint.join('\n') === awaitedFingerprint.join('\n');
}

/**
 * Returns the strings that identify a document for which the service returned no ID: its template and its
 * signatories. The date isn't one of them, because it is compared separately.
 */
export function fingerprintOf(templateId: string, emails: string[]): string[] {
	return [templateId.trim(), ...[...new Set(emails.map(comparedEmail))].sort()];
}

/** The identity request that an execution waits for. */
export interface AwaitedIdentity {
	validationId: string;
	email: string;
	/** Whether to output the data read from the person's official ID. */
	personal: boolean;
}

/** An awaited request, and the person whose ID is expected. The latter is never stored. */
interface IdentityToCheck extends AwaitedIdentity {
	/** undefined if unknown. */
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
	/** The additional fields in the output if this event ends the wait (`endsWait` in api/events.ts). */
	outcome?: IDataObject | undefined;
}

/** Whether an identity request is over. */
type IdentityOutcome =
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
export async function identityOutcome(
	service: ServiceClient,
	awaited: IdentityToCheck,
	{ validationIds, outcome }: IdentityEvent = { validationIds: [] },
): Promise<IdentityOutcome> {
	const isNamed = validationIds.includes(awaited.validationId);
	if (validationIds.length > 0 && !isNamed) return { isOver: false };
	// An event without an ID may be about a different request, so don't use its outcome for the awaited
	// request.
	const ownOutcome = isNamed ? outcome : undefined;
	const startedAt = performance.now();
	let state = await readRequestState(service, awaited);
	for (const pauseMs of resultPausesMs) {
		const expectsResults = (isNamed || state.isFinal) && !ownOutcome;
		if (state.isDecided || !expectsResults) break;
		if (performance.now() - startedAt + pauseMs > resultTimeoutMs) break;
		await delay(pauseMs);
		state = await readRequestState(service, awaited);
	}
	const { request, fields } = state;
	if (ownOutcome && fields.passed === null) {
		return { isOver: true, fields: { ...fields, ...ownOutcome } };
	}
	if (state.isDecided) return { isOver: true, fields };
	const isOver = isNamed || state.isFinal;
	return isOver ? { isOver, fields: { ...fields, resultsMissing: true } } : { isOver, request };
}

/** Reads a request's state from the service and creates the output's fields for it. */
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
