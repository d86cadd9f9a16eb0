import { describeError } from '../errors/nodeError';
import { parseUrl } from '../util/urls';
import { isObject, textOf } from '../util/values';
import { type ErrorFacts, ServiceError } from './serviceError';
import {
	callProblems,
	type FailedResponse,
	type NetworkError,
	type NetworkProblem,
	type NoResponseProblem,
	networkProblems,
	otherTarget,
	type CallProblem,
	type RefusedProblem,
	refusedProblems,
	statusInWords,
} from './callProblems';
import { type Action } from './request';
import { denied, type Failure, lostForNow, unsentForGood, verdictOn } from './retry';

/*
 * Recognizes the problem of a failed call in the table (callProblems.ts), and creates the error for
 * the user.
 */

/**
 * Interprets an error from n8n's HTTP helper, which rewrites the message but keeps the code.
 * @param origin The origin (scheme, host, and port) of the service's URL, even if the call goes through a
 * proxy.
 * @param followsRedirects Whether another host may have failed than that of the origin.
 * @returns Words that mention neither the rest of the URL nor any header.
 * @n8n
 */
export function readNetworkError(
	error: unknown,
	origin: string,
	followsRedirects = false,
): NoResponseProblem {
	const call = { errors: errorsIn(error), url: parseUrl(origin), followsRedirects };
	const scheme = origin.startsWith('http:') ? 'HTTP' : 'HTTPS';
	const [redirectedTo] = followsRedirects
		? call.errors.flatMap((one) => otherTarget(one, call) ?? [])
		: [];
	const facts = { at: redirectedTo ?? origin, scheme, detail: codeIn(call) };
	for (const { signs, words } of Object.values<NetworkProblem>(networkProblems)) {
		const sign = signs.find(({ text, when }) =>
			call.errors.some(
				(fields) => textsOf(fields).some((one) => text.test(one)) && (when?.(fields, call) ?? true),
			),
		);
		if (!sign) continue;
		const { proves, detail = facts.detail } = sign;
		return { ...words({ ...facts, detail }), failure: proves };
	}
	return { ...networkProblems.unknown.words(facts), failure: lostForNow };
}

/**
 * Returns an error and the errors nested in it, outermost first. n8n wraps the client's error, sometimes
 * twice. If a host name resolves to several IP addresses, the client reports one error per address.
 * @n8n
 */
export function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if ((!isObject(error) && !(error instanceof Error)) || depth > 4) return [];
	const fields = error as Record<string, unknown>;
	const inner = [fields.cause, fields.reason, fields.errors].flat();
	return [fields, ...inner.flatMap((part) => errorsIn(part, depth + 1))];
}

function textsOf({ code, httpCode, message, reason }: Record<string, unknown>): string[] {
	return [code, httpCode, message, reason].filter((text) => typeof text === 'string');
}

/**
 * Whether n8n's HTTP helper refused to authenticate a call, because it doesn't handle credentials whose token
 * expires (Engine 2.0 in n8n 2.41). It then hasn't sent anything.
 * @n8n
 */
export function isTokenUnsupported(error: unknown): boolean {
	return errorsIn(error).some(
		({ name, message }) =>
			name === 'UnimplementedError' && /\bexpirable property\b/.test(textOf(message)),
	);
}

/** Returns the code that Node or the HTTP client has given the error; '' if there is none. */
function codeIn({ errors }: NetworkError): string {
	const codes = errors.flatMap(({ code, httpCode }) => [code, httpCode]).map(textOf);
	return codes.find((code) => /^[A-Z][A-Z\d_]{1,40}$/.test(code)) ?? '';
}

/**
 * If the call may have created something, the error asks the user to check, and the failure and the status
 * are the only facts that it keeps.
 */
function failedCall(
	problem: CallProblem,
	action: Action,
	facts: Partial<ErrorFacts> = {},
): ServiceError {
	const { purpose } = action;
	const { problem: what, failure = unsentForGood } = problem;
	if (action.purpose !== 'creating' || !verdictOn(failure, { purpose }).mayHaveCreated) {
		return new ServiceError({ ...problem, ...facts, purpose });
	}
	const lost = callProblems.mayHaveCreated(what, action.noun);
	return new ServiceError({ ...lost, failure, shownStatus: facts.shownStatus, purpose });
}

/** Says of a create call that nothing was created. */
function ofUndone(problem: CallProblem, action: Action): CallProblem {
	if (action.purpose !== 'creating') return problem;
	const { noun } = action;
	const undone = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} wasn't created.`;
	return { ...problem, remedy: `${undone} ${problem.remedy}` };
}

export function canceledItem(): ServiceError {
	return new ServiceError(callProblems.canceled);
}

/**
 * Creates the error for a call that rate limiting would have delayed too long.
 * @param limit `isRateLimited` is true if the service responded "too many requests", and false if the
 * credential's "Requests per Second" caused the delay. `askedPauseMs` is how much longer (ms) the service
 * wants us to pause.
 */
export function notSent(
	action: Action,
	{ isRateLimited, askedPauseMs }: { isRateLimited: boolean; askedPauseMs: number },
): ServiceError {
	if (!isRateLimited) return new ServiceError(callProblems.ownLimit);
	const problem = refusedProblem({ status: 429, words: '', retryAfterMs: askedPauseMs });
	return new ServiceError({ ...ofUndone(problem, action), shownStatus: 429, failure: denied });
}

export function lostCreation(what: string, noun: string): ServiceError {
	return new ServiceError({ ...callProblems.mayHaveCreated(what, noun), purpose: 'creating' });
}

/**
 * Only a ServiceError records whether anything was sent. Any other type of error is a bug in the node. It may
 * have occurred after the call was sent, so the object may have been created.
 */
export function errorOfSending(error: unknown, noun: string): ServiceError {
	if (error instanceof ServiceError) return error;
	return lostCreation(`The node itself failed (${describeError(error).message})`, noun);
}

/** @param error The error from n8n's HTTP helper, which may wrap an error from this package. */
export function noResponse(error: unknown, action: Action, origin: string): ServiceError {
	const ownError: unknown = errorsIn(error).find((inner) => inner instanceof ServiceError);
	if (ownError instanceof ServiceError) return ownError;
	return failedCall(readNetworkError(error, origin), action);
}

interface FailedCall extends FailedResponse, Pick<ErrorFacts, 'serviceStatus'> {
	origin: string;
	body: string;
	/** Whether the response can't have come from the service. */
	isForeign: boolean;
}

export function unclear(response: FailedCall, action: Action): ServiceError {
	const { origin: at, status, body, isForeign } = response;
	const problem = isForeign
		? callProblems.foreign({ at, status, body })
		: callProblems.unclear(response);
	return failedCall(problem, action, { shownStatus: status });
}

function refusedProblem(response: FailedResponse): CallProblem {
	const rows = Object.values<RefusedProblem>(refusedProblems);
	const row = rows.find(({ by }) => by(response)) ?? refusedProblems.rejected;
	return row.words(response);
}

export function refused(response: FailedCall, action: Action): ServiceError {
	const { origin: at, status, body, isForeign } = response;
	const { retryAfterMs, serviceStatus } = response;
	// The proxy has kept the call from reaching the service.
	if (status === 407) {
		const problem = networkProblems.proxy.words({ at, scheme: '', detail: 'HTTP 407' });
		return new ServiceError({ ...problem, shownStatus: status });
	}
	const isFromService = serviceStatus !== undefined;
	const failure: Failure = { what: 'refused', status, isFromService };
	const problem = isForeign ? callProblems.foreign({ at, status, body }) : refusedProblem(response);
	return failedCall({ ...ofUndone(problem, action), failure }, action, {
		shownStatus: status,
		serviceStatus,
		refusal: statusInWords(response),
		retryAfterMs,
	});
}
