import { NodeOperationError } from 'n8n-workflow';

import { tooLarge } from './body';
import { describeError, type Retryable, ServiceError } from './errors';
import type { ServiceRequest } from './request';

/* The words of all failures of calls. Those of a download are in downloadRefusal.ts, and those about
   the credential, which the token exchange finds out, in api/token.ts. */

/** What an error of the HTTP client means for the person who built the workflow. */
export interface NetworkProblem {
	/** The rest of a sentence that begins with the service's origin. */
	problem: string;
	remedy: string;
	/** `whenIdempotent` if the request may have reached the service. */
	retryable: Retryable;
	/** Whether the request certainly did not reach the service. */
	neverSent: boolean;
}

const checkBaseUrl = 'Check the Base URL in the credential, and that the service is up.';
const tryAgain = 'Try again in a moment.';

const noHost = unsent('has a host name that does not exist', 'never');
const refused = unsent('refuses connections', 'always');
const unreachable = unsent('cannot be reached from here', 'always');
const broken = sent('closed the connection', 'whenIdempotent');
const late = sent('did not answer in time', 'whenIdempotent');

/** For a code that is not known. */
export const unknownProblem = { ...broken, problem: 'could not be reached', remedy: checkBaseUrl };

/** By the code of the error: Node's, the HTTP client's, or our own for an answer that is too large. */
export const networkProblems = new Map<string, NetworkProblem>(
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

export const badCertificate: NetworkProblem = {
	...unsent('has a certificate that cannot be trusted', 'never'),
	remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
};

function unsent(problem: string, retryable: Retryable): NetworkProblem {
	return { problem, remedy: checkBaseUrl, retryable, neverSent: true };
}

function sent(problem: string, retryable: Retryable): NetworkProblem {
	return { problem, remedy: tryAgain, retryable, neverSent: false };
}

/** The execution was cancelled before the call was sent. */
export function cancelled(): ServiceError {
	return new ServiceError({
		message: 'The execution was cancelled before this item was sent',
		description: 'Nothing was sent for it. Run the workflow again.',
		docsAnchor: 'other-messages',
	});
}

/** n8n could not give the node its credential, so the call was not sent. */
export function credentialUnread(error: unknown): ServiceError {
	return new ServiceError({
		message: `n8n could not read the credential: ${describeError(error).message}`,
		description:
			'Choose the credential in the node again. If n8n has a fault, try again in a moment.',
		docsAnchor: 'the-credential',
		// Without a credential n8n throws this one; all others are faults of n8n or its database.
		retryable: error instanceof NodeOperationError ? 'never' : 'always',
	});
}

/** @param problem What is wrong, as the rest of a sentence. */
export function wrongBaseUrl(problem: string): ServiceError {
	return new ServiceError({
		message: `Base URL: ${problem}`,
		description: 'Correct it in the credential. An example is https://sign.example.com/api.',
		docsAnchor: 'the-credential',
	});
}

/**
 * The failure of a creating call that may have worked (design rule 1).
 * @param what What happened, without a full stop.
 * @param noun What may exist now: "the document".
 */
export function lostCreation(what: string, noun: string, httpStatus?: number): ServiceError {
	return new ServiceError({
		message: `${what}, so ${noun} may have been created`,
		description: `Look for ${noun} at the service before you run this item again. It was not sent a second time.`,
		...(httpStatus === undefined ? {} : { httpStatus }),
		mayHaveCreated: true,
		docsAnchor: 'may-have-been-created',
	});
}

/** @param body What came, in a few words. */
export function notTheService(
	httpStatus: number,
	body: string,
	{ creates }: ServiceRequest,
	origin: string,
): ServiceError {
	const message = `${origin} answered HTTP ${httpStatus} with ${body}, which is not an answer of the signing service`;
	if (creates) return lostCreation(message, creates, httpStatus);
	return new ServiceError({
		message,
		description: 'Check the Base URL in the credential, its path included.',
		httpStatus,
	});
}

/**
 * A refusal by its status.
 * @param words The service's own, if there are any.
 */
export function refusal(
	httpStatus: number,
	words: string,
	{ creates }: ServiceRequest,
	retryAfter: number | undefined,
): ServiceError {
	const said = words ? `: ${words}` : '';
	const failure = (message: string, remedy: string, retryable: Retryable = 'never') =>
		new ServiceError({
			message,
			description: remedy + (creates ? ' Nothing was created.' : ''),
			httpStatus,
			retryable,
			retryAfter,
		});

	if (httpStatus >= 500) {
		const message = `The service failed (HTTP ${httpStatus}${said})`;
		if (creates) return lostCreation(message, creates, httpStatus);
		return failure(message, `The fault is at the service. ${tryAgain}`, 'whenIdempotent');
	}
	if (httpStatus === 429) {
		return failure(
			`The service says that there were too many requests (HTTP 429${said})`,
			'Wait a moment, or set "Requests per Second" in the options.',
			'always',
		);
	}
	if (httpStatus === 401 || httpStatus === 403) {
		return failure(
			`The service does not allow this (HTTP ${httpStatus}${said})`,
			'A new access token did not help. Check that the account in the credential may do this.',
		);
	}
	if (httpStatus === 404) {
		return failure(
			`The service did not find it (HTTP 404${said})`,
			'Check the ID, and that it belongs to the account in the credential.',
		);
	}
	if (httpStatus < 400) {
		return failure(
			`The service redirects this call to another URL (HTTP ${httpStatus})`,
			'Enter the address that it leads to as the Base URL in the credential.',
		);
	}
	return failure(
		`The service refused the request (HTTP ${httpStatus}${said})`,
		'Correct what it names and run again.',
	);
}
