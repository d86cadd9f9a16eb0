import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../util/values';
import { tooLarge } from './body';
import { lostCreation, type Repeat, ServiceError, wordsOf } from './errors';
import type { ServiceRequest } from './request';

/** What an error of the HTTP client means for the person who built the workflow. */
interface NetworkProblem {
	/** The rest of a sentence that begins with the service's origin. */
	problem: string;
	remedy: string;
	/** `ifIdempotent` if the request may have reached the service. */
	repeat: Repeat;
	/** Whether the request certainly did not reach the service. */
	neverSent: boolean;
}

const checkAddress = 'Check the Base URL in the credential, and that the service is up.';
const tryAgain = 'Try again in a moment.';

const noHost = unsent('has a host name that does not exist', 'never');
const refused = unsent('refuses connections', 'always');
const unreachable = unsent('cannot be reached from here', 'always');
const broken = sent('closed the connection', 'ifIdempotent');
const late = sent('did not answer in time', 'ifIdempotent');

/** By the code of the error: Node's, the HTTP client's, or our own for an answer that is too large. */
const problems = new Map<string, NetworkProblem>(
	Object.entries({
		ENOTFOUND: noHost,
		EAI_AGAIN: unsent('has a host name that cannot be looked up right now', 'always'),
		ECONNREFUSED: refused,
		EHOSTUNREACH: unreachable,
		ENETUNREACH: unreachable,
		ECONNRESET: broken,
		EPIPE: broken,
		ETIMEDOUT: late,
		ECONNABORTED: late,
		ERR_CANCELED: sent('was not waited for, since the execution was cancelled', 'never'),
		EPROTO: {
			...unsent('does not speak HTTPS', 'never'),
			remedy: 'Check whether the Base URL should start with http:// or https://.',
		},
		[tooLarge]: {
			...sent('answered with more than 32 MB', 'never'),
			remedy: 'Check the Base URL in the credential, its path included.',
		},
	}),
);

const badCertificate: NetworkProblem = {
	...unsent('has a certificate that cannot be trusted', 'never'),
	remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
};

/**
 * Reads an error of n8n's HTTP helper. n8n wraps the client's error, sometimes twice, and rewrites its
 * message. The code stays in one of a few places.
 * @returns What it means, in words without the URL and without a header.
 */
export function readNetworkError(error: unknown): NetworkProblem {
	for (const code of codesOf(error, 0)) {
		const known = problems.get(code);
		if (known) return known;
		if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return badCertificate;
	}
	return { ...broken, problem: 'could not be reached', remedy: checkAddress };
}

function unsent(problem: string, repeat: Repeat): NetworkProblem {
	return { problem, remedy: checkAddress, repeat, neverSent: true };
}

function sent(problem: string, repeat: Repeat): NetworkProblem {
	return { problem, remedy: tryAgain, repeat, neverSent: false };
}

function codesOf(error: unknown, depth: number): string[] {
	if (!isObject(error) && !(error instanceof Error)) return [];
	if (depth > 4) return [];
	const { code, cause, httpCode, reason, errors } = error as unknown as Record<string, unknown>;
	const own = [code, httpCode].filter((value): value is string => typeof value === 'string');
	// A host name with several IP addresses fails with one error for each of them.
	const inner = [cause, reason, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
	return [...own, ...inner.flatMap((value) => codesOf(value, depth + 1))];
}

/** The execution was cancelled before the call was sent. */
export function cancelled(): ServiceError {
	return new ServiceError({
		message: 'The execution was cancelled before this item was sent',
		description: 'Nothing was sent for it. Run the workflow again.',
		topic: 'other-messages',
	});
}

/** n8n could not give the node its credential, so the call was not sent. */
export function credentialUnread(error: unknown): ServiceError {
	return new ServiceError({
		message: `n8n could not read the credential: ${wordsOf(error).message}`,
		description:
			'Choose the credential in the node again. If n8n has a fault, try again in a moment.',
		topic: 'the-credential',
		// Without a credential n8n throws this one; all others are faults of n8n or its database.
		repeat: error instanceof NodeOperationError ? 'never' : 'always',
	});
}

/**
 * The failure of a call that got no answer.
 * @param error Thrown by n8n's HTTP helper, or our own inside its wrapping.
 * @param hadToken Without a token, the call cannot have been sent.
 */
export function toServiceError(
	error: unknown,
	request: ServiceRequest,
	origin: string,
	hadToken: boolean,
): ServiceError {
	const own = ownError(error);
	if (own) return own;
	const { problem, remedy, repeat, neverSent } = readNetworkError(error);
	const unsent = neverSent || !hadToken;
	if (request.creates && !unsent) return lostCreation(`${origin} ${problem}`, request.creates);
	return new ServiceError({
		message: `${origin} ${problem}`,
		description: remedy,
		repeat: unsent && repeat === 'ifIdempotent' ? 'always' : repeat,
		topic: 'the-service-cannot-be-reached',
	});
}

/** Our own failure, from the credential or from reading the answer, inside n8n's wrapping. */
function ownError(error: unknown): ServiceError | undefined {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if (inner instanceof ServiceError) return inner;
		inner = inner.cause;
	}
	return undefined;
}
