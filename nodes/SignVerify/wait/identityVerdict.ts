import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import {
	answersAbout,
	isDecided,
	isFinalStatus,
	passedOf,
	readIdentityResults,
} from '../api/identities';
import type { ExpectedPerson } from '../api/officialId';
import type { WaitOutcome } from '../item/outcome';
import { type FoundObject, readById } from '../api/readById';
import { eventCallMs } from '../http/callTimeouts';
import { delay } from '../util/async';
import { textOf, withFirst } from '../util/values';

/** An awaited request, and the person whose ID is expected. */
export interface AwaitedIdentity {
	validationId: string;
	/** Whether to output the data read from the person's official ID. */
	personal: boolean;
	expected: ExpectedPerson;
}

/** The pauses before asking the service again for results that should exist by now. */
const resultPausesMs = [500, 1000, 1500];

type IdentityVerdict =
	/** The request is over, and the output has these fields next to those of the outcome. */
	| { isOver: true; wait: WaitOutcome; fields: IDataObject }
	/**
	 * The request may not be over yet. `found` is what the service returned for it, without an object if the
	 * event is about a different request.
	 */
	| { isOver: false; found: FoundObject };

/**
 * Asks the service whether an identity request is over. If it is over, but its results are missing, keeps
 * asking for a few seconds, because an event's sender is waiting for a response.
 * @param isNamed Whether an event has arrived that names the awaited request, which is then over. Otherwise, only what
 * the service returns counts.
 * @returns If the request is over, how its wait ends, and the output's fields. If it's over but undecided
 * ({@link isDecided}), they include `resultsMissing: true`.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function checkIdentity(
	service: ServiceClient,
	awaited: AwaitedIdentity,
	isNamed = false,
): Promise<IdentityVerdict> {
	const startedAt = performance.now();
	let progress = await readProgress(service, awaited);
	for (const pauseMs of resultPausesMs) {
		const expectsResults = isNamed || progress.isFinal;
		if (progress.isDecided || !expectsResults) break;
		if (performance.now() - startedAt + pauseMs > eventCallMs) break;
		await delay(pauseMs);
		progress = await readProgress(service, awaited);
	}
	const { found, fields } = progress;
	const wait = fields.passed ? 'completed' : 'ended';
	if (progress.isDecided) return { isOver: true, wait, fields };
	const isOver = isNamed || progress.isFinal;
	return isOver ? { isOver, wait, fields: { ...fields, resultsMissing: true } } : { isOver, found };
}

async function readProgress(
	service: ServiceClient,
	{ validationId, personal, expected }: AwaitedIdentity,
) {
	const found = await readById(service, 'identityRequest', validationId);
	const { object: request } = found;
	const status = textOf(request?.status);
	const results = await readIdentityResults(service, validationId, { personal, expected });
	const passed = passedOf(results?.score, status);
	// Either response may lack the customer's ID.
	const customerId = results?.customerId ?? request?.customerId ?? null;
	// If the score is missing, output null, because no one can mistake that for a verified person's score.
	const withoutResults = {
		...answersAbout(expected),
		validationId,
		email: textOf(request?.emailId),
		status,
		customerId,
		score: null,
		...(personal ? { ocr: null } : {}),
	};
	return {
		found,
		fields: withFirst({ passed }, { ...withoutResults, ...results, customerId }),
		isDecided: isDecided(results?.score, status),
		isFinal: isFinalStatus(status),
	};
}
