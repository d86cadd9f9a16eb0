import { timeIsOver } from '../util/async';
import { isObject } from '../util/values';
import type { Retryable } from './errors';

/** The code of the error for more bytes than may be read. */
export const tooLarge = 'ANSWER_TOO_LARGE';
/** The same for a body with too many values in one another. */
export const tooDeep = 'ANSWER_TOO_DEEP';

/** What an error of the HTTP client means for the person who built the workflow. */
interface NetworkProblem {
	/** The rest of a sentence that begins with the service's origin. */
	problem: string;
	remedy: string;
	/** `whenIdempotent` if the request may have reached the service. */
	retryable: Retryable;
	/** Whether the request certainly did not reach the service. */
	neverSent: boolean;
}

const checkBaseUrl = 'Check the Base URL in the credential, and that the service is up.';
const checkAddress = 'Check the Base URL in the credential, its path included.';

const noRoute = beforeSending('cannot be reached from here', 'always');
const connectionClosed = afterSending('closed the connection', 'whenIdempotent');
const late = afterSending('did not answer in time', 'whenIdempotent');

/** For a code that is not known. */
const unknownProblem = {
	...connectionClosed,
	problem: 'could not be reached',
	remedy: checkBaseUrl,
};

/** By the code of the error: Node's, the HTTP client's, or our own. */
const networkProblems = new Map<string, NetworkProblem>(
	Object.entries({
		ENOTFOUND: beforeSending('has a host name that does not exist', 'never'),
		EAI_AGAIN: beforeSending('has a host name that cannot be looked up right now', 'always'),
		ECONNREFUSED: beforeSending('refuses connections', 'always'),
		EHOSTUNREACH: noRoute,
		ENETUNREACH: noRoute,
		ECONNRESET: connectionClosed,
		EPIPE: connectionClosed,
		ETIMEDOUT: late,
		ECONNABORTED: late,
		[timeIsOver]: late,
		ERR_CANCELED: afterSending('was not waited for, since the execution was cancelled', 'never'),
		EPROTO: {
			...beforeSending('does not speak HTTPS', 'never'),
			remedy: 'Check whether the Base URL should start with http:// or https://.',
		},
		[tooLarge]: {
			...afterSending('answered with more than 2 MB (a list: 8 MB)', 'never'),
			remedy: checkAddress,
		},
		[tooDeep]: {
			...afterSending('answered with more than 100 values in one another', 'never'),
			remedy: checkAddress,
		},
	}),
);

const badCertificate: NetworkProblem = {
	...beforeSending('has a certificate that cannot be trusted', 'never'),
	remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
};

function beforeSending(problem: string, retryable: Retryable): NetworkProblem {
	return { problem, remedy: checkBaseUrl, retryable, neverSent: true };
}

function afterSending(problem: string, retryable: Retryable): NetworkProblem {
	return { problem, remedy: 'Try again in a moment.', retryable, neverSent: false };
}

/**
 * Reads an error of n8n's HTTP helper, which rewrites the message but keeps the code.
 * @returns What it means, in words without the URL and without a header.
 */
export function readNetworkError(error: unknown): NetworkProblem {
	const errors = errorsIn(error);
	// A connection that was open can break with the code of one that could not begin.
	const wasOpen = errors.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	for (const code of errors.flatMap((fields) => [fields.code, fields.httpCode])) {
		if (typeof code !== 'string') continue;
		const known = networkProblems.get(code);
		if (known) return known === noRoute && wasOpen ? connectionClosed : known;
		// A certificate is checked before anything is sent. Other errors of TLS can come at any time.
		if (/^(?!ERR_SSL_).*(?:CERT|UNABLE_TO_VERIFY)/.test(code)) return badCertificate;
	}
	return unknownProblem;
}

/**
 * An error and those inside it, outermost first. n8n wraps the client's error, sometimes twice, and a
 * host name with several IP addresses fails with one error for each of them.
 */
export function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if ((!isObject(error) && !(error instanceof Error)) || depth > 4) return [];
	const fields = error as Record<string, unknown>;
	const inner = [fields.cause, fields.reason, fields.errors].flat();
	return [fields, ...inner.flatMap((part) => errorsIn(part, depth + 1))];
}
