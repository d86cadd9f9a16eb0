import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { isObject, isoTime, objectOf, textOf } from '../util/values';
import { readById } from './readById';
import type { IdentityRequestBody } from './types';

/**
 * Asks for the verification of a person
 * (docs/dev/service.md#create-an-identity-verification-request).
 * @returns The answer's content: `validationId` and `url`, if the service keeps to its interface.
 * @throws ServiceError; its `mayHaveCreated` says whether the request may exist.
 */
export async function requestVerification(
	service: ServiceClient,
	body: IdentityRequestBody,
): Promise<IDataObject> {
	const { responseData } = await service.call({
		kind: 'creating',
		noun: 'the identity request',
		path: '/identity/validation/request',
		body: { ...body },
	});
	return objectOf(responseData);
}

/**
 * Reads the status of a request (docs/dev/service.md#get-an-identity-verification-request).
 * @returns undefined if the service knows no such request.
 * @throws ServiceError when the service fails or cannot be reached.
 */
export async function readIdentityRequest(
	service: ServiceClient,
	validationId: string,
): Promise<IDataObject | undefined> {
	return await readById(service, '/identity/validation/request', validationId);
}

/** What to give of the results of a verification. */
interface ResultsChoice {
	/** Whether to add what was read from the person's ID. */
	personal: boolean;
	/** Whether to give them as the service does; without personal data, only what certainly is none. */
	isRaw?: boolean;
}

/**
 * Reads the results of a verification (docs/dev/service.md#get-identity-verification-results).
 * @param validationId For the service, the session of a request has the request's ID.
 * @returns undefined while there are no results. Before the person is done, the service may answer with
 * all fields, each of them empty or 0. `score` is null if only the ID was read.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function readIdentityResults(
	service: ServiceClient,
	validationId: string,
	{ personal, isRaw = false }: ResultsChoice,
): Promise<IDataObject | undefined> {
	const found = await readById(service, '/identity/session/results', validationId);
	if (!isObject(found?.results)) return undefined;
	const { score, ocr } = found.results;
	const scores = scoresOf(score);
	if (!hasValue(scores) && !hasValue(ocr)) return undefined;
	const { customerId = null } = found;
	if (isRaw) return personal ? found : { results: { score: scores }, customerId };
	return {
		passed: passedOf(scores),
		validationId,
		customerId,
		score: hasValue(scores) ? scores : null,
		...(personal ? { ocr: withIsoBirthDate(ocr) } : {}),
	};
}

/** Words of a verdict against a person: that something expired or was canceled is none. */
const failures = ['FAIL', 'FAILED', 'REJECTED', 'DECLINED', 'DENIED'];

/**
 * Whether a person passed a verification.
 * @param score Of its results; only its overall status OK says that the person passed.
 * @param status Of the request, if it is known.
 * @returns null without a verdict: a word that is not known is none.
 */
export function passedOf(score: unknown, status?: unknown): boolean | null {
	const { overall } = objectOf(score);
	const words = [objectOf(overall).status, status].map((word) => textOf(word).trim().toUpperCase());
	if (words.some((word) => failures.includes(word))) return false;
	return words[0] === 'OK' ? true : null;
}

/**
 * Statuses of a request that do not change any more. Only CREATED is documented, and COMPLETED was seen
 * (docs/dev/service.md#seen-identity). The others can only mean the end. Words that can also mean a
 * beginning (ACCEPTED, SUCCESS, PROCESSED, REVIEWED) are not in the lists.
 */
const finishedStatuses = [
	...['COMPLETED', 'COMPLETE', 'FINISHED', 'DONE'],
	...['VERIFIED', 'APPROVED', 'PASSED'],
];
/** Those after which no results come. */
const abandonedStatuses = [...failures, 'EXPIRED', 'CANCELED', 'CANCELLED'];

/** Whether a request with this status is over; an unknown word means that it is not. */
export function isFinalStatus(status: string): boolean {
	return isOneOf([...finishedStatuses, ...abandonedStatuses], status);
}

/**
 * Whether all is known about a verification: it has an overall score or a verdict, or no results will come.
 * What was read from the ID, and the scores of single checks, are there before the person is done.
 */
export function isDecided(score: unknown, status: string): boolean {
	const { overall } = objectOf(score);
	const hasOverall = Number(textOf(objectOf(overall).value)) > 0;
	return hasOverall || passedOf(score) !== null || isOneOf(abandonedStatuses, status);
}

function isOneOf(statuses: string[], status: string): boolean {
	return statuses.includes(status.trim().toUpperCase());
}

/** Only values and statuses: other fields of the scores may be personal data. */
function scoresOf(node: unknown): IDataObject {
	if (!isObject(node)) return {};
	const kept = Object.entries(node)
		.filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
		.map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
	return Object.fromEntries(kept) as IDataObject;
}

/** Whether somebody has looked: there is a number above 0, or a text that is not empty (as a number, 0). */
function hasValue(node: unknown): boolean {
	if (Array.isArray(node)) return node.some(hasValue);
	if (isObject(node)) return Object.values(node).some(hasValue);
	return typeof node === 'number' ? node > 0 : typeof node === 'string' && Number(node) !== 0;
}

function withIsoBirthDate(ocr: unknown): IDataObject | null {
	if (!isObject(ocr)) return null;
	const birthDate = isoTime(ocr.birthDate);
	return birthDate ? { ...ocr, birthDate } : ocr;
}
