import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { isObject, isoTime, objectOf, textOf } from '../util/values';
import { nounOf } from './events';
import { readById } from './readById';
import type { IdentityRequestBody } from './types';

/**
 * Requests the verification of a person
 * (docs/dev/service.md#create-an-identity-verification-request).
 * @returns The content of the response: `validationId` and `url`, if the service follows its documentation.
 * @throws ServiceError; its `mayHaveCreated` says whether the request may exist.
 */
export async function requestVerification(
	service: ServiceClient,
	body: IdentityRequestBody,
): Promise<IDataObject> {
	const { responseData } = await service.call({
		kind: 'creating',
		noun: nounOf.identity,
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

/** The parts of a verification's results to return. */
interface ResultsChoice {
	/** Whether to add what was read from the person's ID. */
	personal: boolean;
	/** Whether to return the results as the service does. Without personal data, only harmless fields are returned. */
	isRaw?: boolean;
}

/**
 * Reads the results of a verification (docs/dev/service.md#get-identity-verification-results).
 * @param validationId The ID of the request. The service uses the same ID for the session of a request.
 * @returns undefined while there are no results. Before the person is done, the service may return all fields, each of
 * them empty or 0. `score` is null if only the ID was read.
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

/** The words of a verdict against a person. An expired or canceled request is no such verdict. */
const failedStatuses = ['FAIL', 'FAILED', 'REJECTED', 'DECLINED', 'DENIED'];

/**
 * Whether a person passed a verification.
 * @param score The score in the results. Only the overall status OK means that the person passed.
 * @param status The status of the request, if it is known.
 * @returns null if there is no verdict. An unknown word is not a verdict.
 */
export function passedOf(score: unknown, status?: unknown): boolean | null {
	const { overall } = objectOf(score);
	const words = [objectOf(overall).status, status].map((word) => textOf(word).trim().toUpperCase());
	if (words.some((word) => failedStatuses.includes(word))) return false;
	return words[0] === 'OK' ? true : null;
}

/**
 * The final statuses of a request. Only CREATED is documented, and COMPLETED was seen
 * (docs/dev/service.md#seen-identity). The others can only mean the end. Words that can also mean a
 * beginning (ACCEPTED, SUCCESS, PROCESSED, REVIEWED) are not in the lists.
 */
const finishedStatuses = [
	'COMPLETED',
	'COMPLETE',
	'FINISHED',
	'DONE',
	'VERIFIED',
	'APPROVED',
	'PASSED',
];
/** The final statuses after which no results come. */
const abandonedStatuses = [...failedStatuses, 'EXPIRED', 'CANCELED', 'CANCELLED'];

/** Whether a request with this status is over. An unknown word means that the request goes on. */
export function isFinalStatus(status: string): boolean {
	return isOneOf([...finishedStatuses, ...abandonedStatuses], status);
}

/**
 * Whether a verification is decided: there is an overall score or a verdict, or no results will come. The data from the
 * ID and the scores of single checks do not count, because they are there before the person is done.
 */
export function isDecided(score: unknown, status: string): boolean {
	const { overall } = objectOf(score);
	const hasOverall = Number(textOf(objectOf(overall).value)) > 0;
	return hasOverall || passedOf(score) !== null || isOneOf(abandonedStatuses, status);
}

function isOneOf(statuses: string[], status: string): boolean {
	return statuses.includes(status.trim().toUpperCase());
}

/** Keeps only values and statuses, because other fields of the scores may be personal data. */
function scoresOf(node: unknown): IDataObject {
	if (!isObject(node)) return {};
	const kept = Object.entries(node)
		.filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
		.map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
	return Object.fromEntries(kept) as IDataObject;
}

/** Whether a result has content: a number above 0, or a text that is neither empty nor 0. */
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
