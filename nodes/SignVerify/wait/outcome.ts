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

/** How to recognize the document that an execution waits for. */
export interface AwaitedDocument extends IDataObject {
	/** From the creation's answer, which is not documented; '' if it has none. */
	documentId: string;
	templateId: string;
	emails: string[];
	/** When its creation was sent, and when the answer arrived (epoch-ms, by this machine's clock). */
	since: number;
	until: number;
}

/** How far the clocks of the service and of n8n may be apart (ms). */
const clockTolerance = 5 * 60_000;

/**
 * Whether a notification is about the awaited document. Its ID decides. If the answer to its creation had
 * no ID, the document must have the same template, a date during the creation, and exactly the same
 * signatories. What is missing does not match.
 */
export function isAwaited(
	document: NotifiedDocument | undefined,
	awaited: AwaitedDocument,
): boolean {
	if (!document) return false;
	const { ids, summary, addedOn = NaN, signatories } = document;
	if (awaited.documentId) return ids.includes(awaited.documentId);
	const { since, until } = awaited;
	const isInTime = addedOn >= since - clockTolerance && addedOn <= until + clockTolerance;
	if (!summary.templateId || !isInTime) return false;
	const emails = signatories.map(({ email }) => email ?? '');
	const found = nameWithoutId(summary.templateId, emails);
	return found.join('\n') === nameWithoutId(awaited.templateId, awaited.emails).join('\n');
}

/** What a document is recognized by where the service gives no ID, besides its date: its template, and who signs. */
export function nameWithoutId(templateId: string, emails: string[]): string[] {
	return [templateId.trim(), ...[...new Set(emails.map(comparedEmail))].sort()];
}

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
 * Asks the service whether a request is over, for a few seconds again while expected results are missing.
 * @param named The requests that an event names, whose body is not documented. If the awaited one is among
 * them, it is over. If only others are, the event is not for this wait. If there is none, the service decides.
 * @returns Status and results, with `resultsMissing: true` if it is over without an overall score; undefined
 * while it is not known to be over.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function identityOutcome(
	service: ServiceClient,
	awaited: AwaitedIdentity,
	named: string[] = [],
): Promise<IDataObject | undefined> {
	const isNamed = named.includes(awaited.validationId);
	if (named.length > 0 && !isNamed) return undefined;
	const start = performance.now();
	let status = await readStatus(service, awaited);
	for (const pause of pauses) {
		if (status.isDecided || !(isNamed || status.isFinal)) break;
		if (performance.now() - start + pause > maxTime) break;
		await delay(pause);
		status = await readStatus(service, awaited);
	}
	if (status.isDecided) return status.output;
	return isNamed || status.isFinal ? { ...status.output, resultsMissing: true } : undefined;
}

/** How the service says that a verification stands. */
async function readStatus(
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
			// It may be in one of the two answers only.
			customerId: results?.customerId ?? request?.customerId ?? null,
			// Nobody can mistake a score of null for a verified person.
			score: results?.score ?? null,
			...(personal ? { ocr: results?.ocr ?? null } : {}),
		},
		isDecided: isDecided(results?.score, status),
		isFinal: isFinalStatus(status),
	};
}
