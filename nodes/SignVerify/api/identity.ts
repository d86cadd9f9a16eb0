import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../transport/client';
import { ServiceError } from '../transport/errors';
import { attempt } from '../util/async';
import { firstText, isObject, isoTime, placesIn } from '../util/values';
import { explainWith, identityNames } from './refusedFields';
import type { Envelope, IdentityRequestBody } from './types';

/**
 * Asks for the verification of a person
 * (docs/service.md#create-an-identity-verification-request).
 * @returns What the answer holds, with `validationId` and `url` at the top if they are anywhere.
 * @throws ServiceError; its `mayHaveCreated` says whether the request may exist all the same.
 */
export async function requestVerification(
	service: ServiceClient,
	body: IdentityRequestBody,
): Promise<IDataObject> {
	const envelope = await service.call({
		method: 'POST',
		path: '/identity/validation/request',
		body: { ...body },
		creates: 'the identity request',
		explain: explainWith(identityNames, body),
	});
	return createdRequest(envelope);
}

/**
 * The ID may be called otherwise, since a session has the ID of its request, and both may stand in a
 * list or in an object.
 */
function createdRequest({ responseData, ...envelope }: Envelope): IDataObject {
	// An outer ID is rather that of the request than one of something in it.
	const places = placesIn(responseData ?? envelope, () => true).reverse();
	const named = places.map((each) => firstText(each.validationId, each.validationID));
	const sessions = places.map((each) => firstText(each.sessionId, each.sessionID));
	const ids = named.some((id) => id !== undefined) ? named : sessions;
	const at = ids.findIndex((id) => id !== undefined);
	const url = firstText(places[at]?.url, ...places.map((each) => each.url));
	return {
		...(responseData === undefined ? {} : places[0]),
		...(at < 0 ? {} : { validationId: ids[at] }),
		...(url === undefined ? {} : { url }),
	};
}

/**
 * Reads how far a request is (docs/service.md#get-an-identity-verification-request).
 * @returns undefined where the service knows no such request.
 * @throws ServiceError when the service fails or cannot be reached.
 */
export async function readIdentityRequest(
	service: ServiceClient,
	validationId: string,
): Promise<IDataObject | undefined> {
	return await read(service, '/identity/validation/request', validationId);
}

/**
 * Reads what a verification found (docs/service.md#get-identity-verification-results).
 * @param personal Whether to give what was read from the person's ID, too (design rule 6).
 * @returns undefined while there are no results. Before the person is done, the service may answer
 * with the whole form of them, every value empty. `score` is null if only the ID was read.
 * @throws ServiceError when the service fails or cannot be reached.
 */
export async function readIdentityResults(
	service: ServiceClient,
	sessionId: string,
	personal: boolean,
): Promise<IDataObject | undefined> {
	const found = await read(service, '/identity/session/results', sessionId);
	if (!isObject(found?.results)) return undefined;
	const { score, ocr } = found.results;
	const scores = scoresOf(score);
	if (!hasValue(scores) && !hasValue(ocr)) return undefined;
	return {
		sessionId,
		customerId: found.customerId ?? null,
		score: hasValue(scores) ? scores : null,
		...(personal ? { ocr: withIsoBirthDate(ocr) } : {}),
	};
}

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

/** Answers that mean that there is no such request; all others say nothing about it. */
const nothingThere = [400, 404, 410, 422];

/**
 * Reads something about a verification by an ID in the path.
 * @param path Ends before the ID.
 * @returns undefined where the service has nothing: it says so (404 or 400, mostly), or answers an
 * empty object (docs/service.md#seen-identity).
 */
async function read(
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
	const { error } = answer;
	if (error instanceof ServiceError && nothingThere.includes(error.answered ?? 0)) return undefined;
	throw error;
}

/** Values and statuses only: nothing else in the scores is documented to be free of personal data. */
function scoresOf(node: unknown): IDataObject {
	if (!isObject(node)) return {};
	const kept = Object.entries(node)
		.filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
		.map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
	return Object.fromEntries(kept) as IDataObject;
}

/** Whether anything below says something: a number, or a text that is not empty. */
function hasValue(node: unknown): boolean {
	if (Array.isArray(node)) return node.some(hasValue);
	if (isObject(node)) return Object.values(node).some(hasValue);
	return typeof node === 'number' || (typeof node === 'string' && node.trim() !== '');
}

function withIsoBirthDate(ocr: unknown): IDataObject | null {
	if (!isObject(ocr)) return null;
	const iso = isoTime(ocr.birthDate);
	return iso ? { ...ocr, birthDateIso: iso } : ocr;
}
