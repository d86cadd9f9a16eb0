import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { endpointPaths } from '../http/endpoints';
import { isObject, objectOf, textOf } from '../util/values';
import { nounOf } from './events';
import { answersFromId, birthDay, type ExpectedPerson } from './officialId';
import { readById } from './readById';
import type { IdentityRequestBody } from './types';

/**
 * Requests a verification for a person (docs/dev/service.md#create-an-identity-verification-request).
 * @returns The content of the response: `validationId` and `url`, if the service follows its documentation.
 * @throws ServiceError. Its `mayHaveCreated` is true if the request may have been created anyway.
 */
export async function requestVerification(
	service: ServiceClient,
	body: IdentityRequestBody,
): Promise<IDataObject> {
	const { responseData } = await service.call({
		purpose: 'creating',
		noun: nounOf.identity,
		path: endpointPaths.identityRequest,
		body: { ...body },
	});
	return objectOf(responseData);
}

interface ResultsChoice {
	personal: boolean;
	expected: ExpectedPerson;
	/**
	 * Whether to return the results in the service's own format. Without `personal`, they contain only the
	 * scores and the customer ID.
	 */
	isRaw?: boolean;
}

/**
 * Reads a verification's results (docs/dev/service.md#get-identity-verification-results).
 * @param validationId The request's ID, which is also the ID of the request's session.
 * @returns undefined if there are no results yet. Until the person is done, the service may return results in
 * which every field is empty or 0. These are treated as no results. `score` is null if only the data from the
 * person's official ID is available.
 * @throws ServiceError if the service fails or can't be reached.
 */
export async function readIdentityResults(
	service: ServiceClient,
	validationId: string,
	{ personal, expected, isRaw = false }: ResultsChoice,
): Promise<IDataObject | undefined> {
	const { object: found } = await readById(service, 'identityResults', validationId);
	if (!isObject(found?.results)) return undefined;
	const { score, ocr } = found.results;
	const scores = scoresOf(score);
	if (!hasValue(scores) && !hasValue(ocr)) return undefined;
	const { customerId = null } = found;
	if (isRaw) return personal ? found : { results: { score: scores }, customerId };
	return {
		...answersAbout(expected, { score: scores, ocr }),
		validationId,
		customerId,
		score: hasValue(scores) ? scores : null,
		...failedChecksOf(scores),
		...(personal ? { ocr: withBirthDay(ocr) } : {}),
	};
}

/**
 * Returns what an output answers about a person: whether they passed, and whether the ID is that of the expected
 * person. Without results, each answer is null or unknown.
 */
export function answersAbout(
	expected: ExpectedPerson,
	{ score, ocr }: { score?: unknown; ocr?: unknown } = {},
): IDataObject {
	return { passed: passedOf(score), ...answersFromId(ocr, expected) };
}

/**
 * The statuses that mean "did not pass". Expired and canceled are left out, because they say nothing about
 * the person.
 */
const failedStatuses = ['FAIL', 'FAILED', 'REJECTED', 'DECLINED', 'DENIED'];

/**
 * Whether a person passed a verification.
 * @param score The score from the results. Only the overall status OK means that the person passed.
 * @param status The status of the request, if known.
 * @returns null if there is no verdict. Unknown statuses are ignored.
 */
export function passedOf(score: unknown, status?: unknown): boolean | null {
	const { overall } = objectOf(score);
	const words = [objectOf(overall).status, status].map(wordOf);
	if (words.some((word) => failedStatuses.includes(word))) return false;
	return words[0] === 'OK' ? true : null;
}

/** The checks in a score that have a status, by the service's names (docs/dev/service.md#identity-verification-results). */
const checks = [
	'idValidation.overall',
	'liveness.livenessScore',
	'liveness.digitalAttack',
	'liveness.evasionAttack',
	'liveness.overall',
	'faceRecognition.maskCheck',
	'faceRecognition.lensesCheck',
	'faceRecognition.faceBrightness',
	'faceRecognition.nameMatch',
	'faceRecognition.overall',
	'overall',
];

/**
 * Returns the checks that failed, whose status is neither OK nor empty. The field contains nothing but names
 * that are known.
 */
export function failedChecksOf(score: unknown): { failedChecks?: string[] } {
	if (!hasValue(score)) return {};
	const failedChecks = checks.filter((check) => {
		const found = check.split('.').reduce<unknown>((node, name) => objectOf(node)[name], score);
		return !['', 'OK'].includes(wordOf(objectOf(found).status));
	});
	return { failedChecks };
}

const wordOf = (status: unknown) => textOf(status).trim().toUpperCase();

/**
 * The statuses of a finished request. All of them are assumptions, because the service documents only CREATED,
 * the status of a new request; other clients expect COMPLETED (docs/dev/service.md#seen-identity). Words that
 * could also mean "just started" (ACCEPTED, SUCCESS, PROCESSED, REVIEWED) are left out.
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

/** The statuses of a request that is over and will never have results. */
const abandonedStatuses = [...failedStatuses, 'EXPIRED', 'CANCELED', 'CANCELLED'];

/** An unknown status means that the request is still open. */
export function isFinalStatus(status: string): boolean {
	return isOneOf([...finishedStatuses, ...abandonedStatuses], status);
}

/**
 * Whether a verification is decided: it has an overall score or a verdict, or it will never have results. The
 * data from the person's official ID and the scores of individual checks are not enough, because they are
 * available before the person is done.
 */
export function isDecided(score: unknown, status: string): boolean {
	const { overall } = objectOf(score);
	const hasOverall = Number(textOf(objectOf(overall).value)) > 0;
	return hasOverall || passedOf(score) !== null || isOneOf(abandonedStatuses, status);
}

function isOneOf(statuses: string[], status: string): boolean {
	return statuses.includes(wordOf(status));
}

/** Returns only values and statuses, because other score fields may contain personal data. */
function scoresOf(node: unknown): IDataObject {
	if (!isObject(node)) return {};
	const kept = Object.entries(node)
		.filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
		.map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
	return Object.fromEntries(kept) as IDataObject;
}

/** Whether a result has content: a number above 0, or a string that is neither empty nor 0. */
function hasValue(node: unknown): boolean {
	if (Array.isArray(node)) return node.some(hasValue);
	if (isObject(node)) return Object.values(node).some(hasValue);
	return typeof node === 'number' ? node > 0 : typeof node === 'string' && Number(node) !== 0;
}

function withBirthDay(ocr: unknown): IDataObject | null {
	if (!isObject(ocr)) return null;
	const birthDate = birthDay(ocr.birthDate);
	return birthDate === undefined ? ocr : { ...ocr, birthDate };
}
