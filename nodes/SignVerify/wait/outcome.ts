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
import type { ServiceClient } from '../http/client';
import { delay } from '../util/async';
import { textOf } from '../util/values';

/** The facts by which the awaited document is recognized. */
export interface AwaitedDocument extends IDataObject {
	/** The ID from the response to the creation. The service does not document that response; '' if it has no ID. */
	documentId: string;
	templateId: string;
	emails: string[];
	/** When the creation was sent (`since`), and when its response arrived (`until`; epoch-ms by this machine's clock). */
	since: number;
	until: number;
}

/** How far the clocks of the service and of n8n may be apart. */
const clockToleranceMs = 5 * 60_000;

/**
 * Whether a notification is about the awaited document. If the service returned an ID, only the ID decides. Otherwise,
 * the document must have the same template, a date during the creation, and exactly the same signatories. A missing
 * value does not match.
 */
export function isAwaited(
	document: NotifiedDocument | undefined,
	awaited: AwaitedDocument,
): boolean {
	if (!document) return false;
	const { ids, summary, addedOn = NaN, signatories } = document;
	if (awaited.documentId) return ids.includes(awaited.documentId);
	const { since, until } = awaited;
	const isInTime = addedOn >= since - clockToleranceMs && addedOn <= until + clockToleranceMs;
	if (!summary.templateId || !isInTime) return false;
	const emails = signatories.map(({ email }) => email ?? '');
	const notifiedFingerprint = fingerprintOf(summary.templateId, emails);
	const awaitedFingerprint = fingerprintOf(awaited.templateId, awaited.emails);
	return notifiedFingerprint.join('\n') === awaitedFingerprint.join('\n');
}

/** The texts that identify a document if the service returns no ID: its template and its signatories. Its date is not one. */
export function fingerprintOf(templateId: string, emails: string[]): string[] {
	return [templateId.trim(), ...[...new Set(emails.map(comparedEmail))].sort()];
}

/** The identity request that an execution waits for. */
export interface AwaitedIdentity {
	validationId: string;
	email: string;
	/** Whether to output the data that was read from the person's ID. */
	personal: boolean;
}

/** Pauses before the service is asked again for results that should exist. */
const resultPausesMs = [500, 1000, 1500];

/** After this time, the service is not asked again, because the sender of the event waits for a response. */
const resultTimeoutMs = 5000;

/** An event that may be about the awaited identity request. */
interface IdentityEvent {
	/** All request IDs in the event, whose body the service does not document. */
	validationIds: string[];
	/** The fields that the output contains in addition if this event ends the wait (`endsWait` in api/events.ts). */
	outcome?: IDataObject | undefined;
}

/**
 * Asks the service whether a request is over. While expected results are missing, it asks again for a few seconds.
 * @param event The event that has arrived. If it names the awaited request, the request is over. If it names only other
 * requests, the event is not for this wait. If it names none, the service decides.
 * @returns The fields of the output, with `resultsMissing: true` if the request is over without an overall score, and
 * with the event's own outcome if the service has no verdict. undefined while the request is not known to be over.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function identityOutcome(
	service: ServiceClient,
	awaited: AwaitedIdentity,
	{ validationIds, outcome }: IdentityEvent = { validationIds: [] },
): Promise<IDataObject | undefined> {
	const isNamed = validationIds.includes(awaited.validationId);
	if (validationIds.length > 0 && !isNamed) return undefined;
	// An event without an ID may be about another request, so it must not decide how this one ended.
	const ownOutcome = isNamed ? outcome : undefined;
	const startedAt = performance.now();
	let request = await readRequestState(service, awaited);
	for (const pauseMs of resultPausesMs) {
		const expectsResults = (isNamed || request.isFinal) && !ownOutcome;
		if (request.isDecided || !expectsResults) break;
		if (performance.now() - startedAt + pauseMs > resultTimeoutMs) break;
		await delay(pauseMs);
		request = await readRequestState(service, awaited);
	}
	if (ownOutcome && request.output.passed === null) return { ...request.output, ...ownOutcome };
	if (request.isDecided) return request.output;
	const isOver = isNamed || request.isFinal;
	return isOver ? { ...request.output, resultsMissing: true } : undefined;
}

/** Reads the state of a request, and the output for it, from the service. */
async function readRequestState(
	service: ServiceClient,
	{ validationId, email, personal }: AwaitedIdentity,
) {
	const request = await readIdentityRequest(service, validationId);
	const status = textOf(request?.status);
	const results = await readIdentityResults(service, validationId, { personal });
	return {
		output: {
			passed: passedOf(results?.score, status),
			timedOut: false,
			validationId,
			email: email || textOf(request?.emailId),
			status,
			// Only one of the two responses may contain the customer's ID.
			customerId: results?.customerId ?? request?.customerId ?? null,
			// A score of null cannot be mistaken for the score of a verified person.
			score: results?.score ?? null,
			...(personal ? { ocr: results?.ocr ?? null } : {}),
		},
		isDecided: isDecided(results?.score, status),
		isFinal: isFinalStatus(status),
	};
}
