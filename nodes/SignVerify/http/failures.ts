import { timeIsOver } from '../util/async';
import { isObject, originOf, parseUrl } from '../util/values';
import { describeError, type ErrorFacts, ServiceError } from './errors';
import type { FileContent } from './fileContent';
import { memoryGivenUp } from './fileMemory';
import {
	foreignResponse,
	networkWords,
	type NetworkWords,
	notCreated,
	type Words,
	wordsOfBrokenTransfer,
	wordsOfCancellation,
	wordsOfEmptyFile,
	wordsOfExpiredLink,
	wordsOfFailedStorage,
	wordsOfForeignResponse,
	wordsOfFullMemory,
	wordsOfLargeFile,
	wordsOfLostCreation,
	wordsOfOwnLimit,
	wordsOfPartialFile,
	wordsOfProxyRefusal,
	wordsOfRefusal,
	wordsOfSlowFile,
	wordsOfUnclearResponse,
	wordsOfUnreadyFile,
} from './messages';
import { type Action, readRetryAfter } from './request';
import {
	denied,
	type Failure,
	lostForGood,
	lostForNow,
	type NoResponse,
	unsentForGood,
	unsentForNow,
} from './retry';

/*
 * Interprets failed calls and downloads. Determines the `Failure` for retry.ts, and creates the error for the
 * user.
 */

/** The error code for a response that exceeds the size limit. */
export const tooLarge = 'ANSWER_TOO_LARGE';
/**
 * The error code for a list that exceeds the size limit for lists, which is higher than for other calls.
 */
export const tooLargeList = 'LIST_TOO_LARGE';
/** The error code for a body that is nested too deeply. */
export const tooDeep = 'ANSWER_TOO_DEEP';

/** The user-facing words for a network problem, and the type of failure it results in. */
interface NetworkProblem extends NetworkWords {
	failure: NoResponse;
}

const noRoute: NetworkProblem = { ...networkWords.noRoute, failure: unsentForNow };
const connectionClosed: NetworkProblem = { ...networkWords.connectionClosed, failure: lostForNow };
const late: NetworkProblem = { ...networkWords.late, failure: lostForNow };

/** The problems, keyed by error code. The codes are defined by Node, the HTTP client and this package. */
const problemsByCode = new Map<string, NetworkProblem>(
	Object.entries<NetworkProblem>({
		ENOTFOUND: { ...networkWords.noSuchHost, failure: unsentForGood },
		EAI_AGAIN: { ...networkWords.hostNotLookedUp, failure: unsentForNow },
		ECONNREFUSED: { ...networkWords.connectionRefused, failure: unsentForNow },
		EHOSTUNREACH: noRoute,
		ENETUNREACH: noRoute,
		ECONNRESET: connectionClosed,
		EPIPE: connectionClosed,
		ETIMEDOUT: late,
		ECONNABORTED: late,
		[timeIsOver]: late,
		ERR_CANCELED: { ...networkWords.canceled, failure: lostForGood },
		EPROTO: { ...networkWords.noHttps, failure: unsentForGood },
		[tooLarge]: { ...networkWords.tooLarge, failure: lostForGood },
		[tooLargeList]: { ...networkWords.tooLargeList, failure: lostForGood },
		[tooDeep]: { ...networkWords.tooDeep, failure: lostForGood },
	}),
);

/**
 * TLS and HTTP problems. They are recognized by a part of the error's code or message, because the full
 * strings vary between Node versions. An entry with `isPlain` applies only to calls over plain HTTP.
 */
const protocolProblems: Array<{ part: RegExp; isPlain?: true; problem: NetworkProblem }> = [
	{
		part: /^HPE_INVALID_|\bExpected HTTP\//,
		isPlain: true,
		problem: { ...networkWords.noHttp, failure: lostForGood },
	},
	{
		part: /unsupported[ _]protocol|protocol[ _]version|version[ _]too[ _]low|no protocols available/i,
		problem: { ...networkWords.oldTls, failure: unsentForGood },
	},
	{
		// If the server doesn't use TLS, the handshake fails with EPROTO before the request is sent. The
		// codes below can occur later, when the request may already have arrived.
		part: /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/,
		problem: { ...networkWords.noHttps, failure: lostForGood },
	},
];

/**
 * Interprets an error from n8n's HTTP helper, which rewrites the message but keeps the code.
 * @param origin The origin (scheme, host, and port) of the service's URL, even if the call goes through a
 * proxy.
 * @returns The problem. Its description mentions neither the URL nor any header.
 */
export function readNetworkError(error: unknown, origin = ''): NetworkProblem {
	const errors = errorsIn(error);
	const proxy = proxyProblem(errors, origin);
	if (proxy) return proxy;
	const isPlainCall = origin.startsWith('http:');
	for (const { code, message, reason } of errors) {
		const texts = [code, message, reason].filter((text) => typeof text === 'string');
		// If a tunnel through the proxy can't be opened, the proxy's status appears only in the error
		// message.
		if (texts.some((text) => /tunnel.{0,80}\b407\b/is.test(text))) {
			return { ...networkWords.proxyWantsLogin, failure: unsentForGood };
		}
		const known = protocolProblems.find(({ part }) => texts.some((text) => part.test(text)));
		if (known && (!known.isPlain || isPlainCall)) return known.problem;
	}
	// A connection that drops after it was opened can report the same code as one that couldn't be opened.
	const wasOpen = errors.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	for (const code of errors.flatMap((fields) => [fields.code, fields.httpCode])) {
		if (typeof code !== 'string') continue;
		const known = problemsByCode.get(code);
		if (known === noRoute && wasOpen) return connectionClosed;
		if (known === connectionClosed && isPlainCall) {
			return { ...networkWords.connectionClosedToHttp, failure: lostForNow };
		}
		if (known) return known;
		// The client checks the certificate before it sends anything. Other TLS errors can occur at any time.
		if (/^(?!ERR_SSL_).*(?:CERT|UNABLE_TO_VERIFY)/.test(code)) {
			return { ...networkWords.badCertificate, failure: unsentForGood };
		}
	}
	return { ...networkWords.unknown, failure: lostForNow };
}

/**
 * Detects a problem with the proxy. Proxy problems have their own messages, because the proxy and the service
 * are usually run by different people.
 */
function proxyProblem(
	errors: Array<Record<string, unknown>>,
	origin: string,
): NetworkProblem | undefined {
	const url = parseUrl(origin);
	if (!url) return undefined;
	const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
	const isDown = errors.some(
		(fields) =>
			fields.code === 'ECONNREFUSED' && typeof fields.port === 'number' && fields.port !== port,
	);
	if (isDown) return { ...networkWords.proxyDown, failure: unsentForNow };
	const isUnknown = errors.some(
		({ code, hostname }) =>
			code === 'ENOTFOUND' && typeof hostname === 'string' && hostname !== url.hostname,
	);
	return isUnknown ? { ...networkWords.proxyUnknown, failure: unsentForGood } : undefined;
}

/**
 * Returns an error and the errors nested in it, outermost first. n8n wraps the client's error, sometimes
 * twice. If a host name resolves to several IP addresses, the client reports one error per address.
 */
function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if ((!isObject(error) && !(error instanceof Error)) || depth > 4) return [];
	const fields = error as Record<string, unknown>;
	const inner = [fields.cause, fields.reason, fields.errors].flat();
	return [fields, ...inner.flatMap((part) => errorsIn(part, depth + 1))];
}

/** Details of a failed call, without its messages. */
type CallFacts = Omit<ErrorFacts, keyof Words | 'kind'> & { failure: Failure };

/**
 * Creates the error for a failed call. If the call may have created something, the error asks the user to
 * check, and the failure and the status are the only facts that it keeps.
 */
function failedCall(words: Words, action: Action, facts: CallFacts): ServiceError {
	const { kind } = action;
	const error = new ServiceError({ ...words, ...facts, kind });
	if (action.kind !== 'creating' || !error.mayHaveCreated) return error;
	const lost = wordsOfLostCreation(words.message, action.noun);
	const { failure, shownStatus } = facts;
	return new ServiceError({ ...lost, failure, shownStatus, kind });
}

/**
 * Adds to the description of a failed create call that nothing was created. Leaves the words for other calls
 * unchanged.
 */
function ofUndone(words: Words, action: Action): Words {
	if (action.kind !== 'creating') return words;
	return { ...words, description: `${notCreated(action.noun)} ${words.description}` };
}

/** Creates the error for an execution that was canceled before the call was sent. */
export function canceledBeforeSending(): ServiceError {
	return new ServiceError(wordsOfCancellation);
}

/**
 * Creates the error for a call that wasn't sent because rate limiting would have delayed it too long.
 * @param limit `isLimited` is true if the service responded "too many requests", and false if the
 * credential's "Requests per Second" caused the delay. `askedPauseMs` is how much longer (ms) the service
 * wants us to pause.
 */
export function notSent(
	action: Action,
	{ isLimited, askedPauseMs }: { isLimited: boolean; askedPauseMs: number },
): ServiceError {
	if (!isLimited) return new ServiceError({ ...wordsOfOwnLimit, failure: denied });
	const words = ofUndone(wordsOfRefusal(429, '', askedPauseMs), action);
	return new ServiceError({ ...words, shownStatus: 429, failure: denied });
}

/**
 * Creates the error for a create call that was sent but whose outcome is unknown.
 * @param what Why the outcome is unknown, as a sentence without a period at the end.
 * @param noun The object that may have been created, such as "the document".
 */
export function lostCreation(what: string, noun: string): ServiceError {
	const words = wordsOfLostCreation(what, noun);
	return new ServiceError({ ...words, failure: lostForGood, kind: 'creating' });
}

/**
 * Turns any error from a sending operation into a ServiceError, because only a ServiceError records whether
 * anything was sent. Any other type of error is a bug in the node. It may have occurred after the call was
 * sent, so the object may have been created.
 * @param noun The object to create, such as "the document".
 */
export function failureOfSending(error: unknown, noun: string): ServiceError {
	if (error instanceof ServiceError) return error;
	return lostCreation(`The node itself failed (${describeError(error).message})`, noun);
}

/**
 * Creates the error for a call without a response, or with an unreadable response.
 * @param error The error from n8n's HTTP helper, which may wrap an error from this package.
 */
export function unanswered(error: unknown, action: Action, origin: string): ServiceError {
	const ownError: unknown = errorsIn(error).find((inner) => inner instanceof ServiceError);
	if (ownError instanceof ServiceError) return ownError;
	const { problem, docsAnchor, remedy, failure } = readNetworkError(error, origin);
	const words = { message: `${origin} ${problem}`, description: remedy, docsAnchor };
	return failedCall(words, action, { failure });
}

/**
 * Creates the error for a response that is neither a success nor a rejection.
 * @param serviceWords The service's own message; empty if there is none.
 * @param body A short description of the body.
 */
export function notASuccess(
	httpStatus: number,
	serviceWords: string,
	body: string,
	action: Action,
	origin: string,
): ServiceError {
	const words = wordsOfUnclearResponse(httpStatus, serviceWords, body, origin);
	return failedCall(words, action, { shownStatus: httpStatus, failure: lostForGood });
}

/** Details of a rejection, without its status and message. */
interface RefusalFacts extends Pick<ErrorFacts, 'retryAfterMs' | 'serviceStatus'> {
	/** See {@link httpsOriginOf}. */
	httpsOrigin?: string | undefined;
	/**
	 * The origin that was called, and a short description of the response's body. Set only if the response
	 * can't have come from the service.
	 */
	foreign?: { origin: string; body: string } | undefined;
}

/**
 * Creates the error for a rejection, based on its status.
 * @param serviceWords The service's own message; empty if there is none.
 */
export function refusal(
	httpStatus: number,
	serviceWords: string,
	action: Action,
	{ foreign, httpsOrigin, ...facts }: RefusalFacts = {},
): ServiceError {
	if (httpStatus === 407) {
		return new ServiceError({
			...wordsOfProxyRefusal,
			shownStatus: httpStatus,
			failure: unsentForGood,
		});
	}
	const words = foreign
		? wordsOfForeignResponse(foreignResponse(foreign.origin, httpStatus, foreign.body))
		: wordsOfRefusal(httpStatus, serviceWords, facts.retryAfterMs, httpsOrigin);
	const isFromService = facts.serviceStatus !== undefined;
	const failure: Failure = { what: 'refused', status: httpStatus, isFromService };
	return failedCall(ofUndone(words, action), action, {
		...facts,
		shownStatus: httpStatus,
		failure,
	});
}

/**
 * Creates the error for a download response that isn't the file. For an expired link, storage servers and
 * portals return a web page, XML or JSON. The status varies, and can even be HTTP 200.
 * @returns The error; undefined if the response appears to be the file.
 */
export function refusalOfFile(
	noun: string,
	status: number,
	found: FileContent,
	retryAfter: unknown,
): ServiceError | undefined {
	const isSuccess = status < 300;
	if (status === 202) {
		return new ServiceError({
			...wordsOfUnreadyFile(noun),
			failure: lostForNow,
			retryAfterMs: readRetryAfter(retryAfter),
		});
	}
	// The request doesn't ask for a part of the file.
	if (status === 206) return new ServiceError({ ...wordsOfPartialFile(noun), failure: lostForNow });
	if (isSuccess && found.kind === 'file') return undefined;
	if (isSuccess && found.kind === 'nothing') {
		return new ServiceError({ ...wordsOfEmptyFile(noun), failure: lostForNow });
	}
	if (status >= 500 || status === 408 || status === 429) {
		// Don't set `shownStatus`, because the storage server's rate limit doesn't apply to calls to the
		// service.
		return new ServiceError({
			...wordsOfFailedStorage(noun, status),
			failure: lostForNow,
			retryAfterMs: readRetryAfter(retryAfter),
		});
	}
	const words = wordsOfExpiredLink(noun, status, found.kind === 'other' ? found.what : '');
	return new ServiceError({ ...words, shownStatus: status, failure: lostForGood });
}

/** Creates the error for a transfer that broke, couldn't start, or took too long. */
export function brokenFile(
	{ address, noun, totalMs }: { address: string; noun: string; totalMs: number },
	error: unknown,
): ServiceError {
	const { code } = error as { code?: string };
	const withoutRetry = (words: Words) => new ServiceError({ ...words, failure: lostForGood });
	if (code === tooLarge) return withoutRetry(wordsOfLargeFile(noun));
	if (code === memoryGivenUp) return withoutRetry(wordsOfFullMemory(noun));
	if (code === timeIsOver) return withoutRetry(wordsOfSlowFile(noun, totalMs));
	const { problem, failure } = readNetworkError(error, originOf(address));
	const words = wordsOfBrokenTransfer(noun, `${originOf(address)} ${problem}`);
	return new ServiceError({ ...words, failure });
}
