import { isObject } from '../util/values';
import { ServiceError } from './errors';
import {
	badCertificate,
	lostCreation,
	type NetworkProblem,
	networkProblems,
	unknownProblem,
} from './messages';
import type { ServiceRequest } from './request';

/**
 * Reads an error of n8n's HTTP helper. n8n wraps the client's error, sometimes twice, and rewrites its
 * message. The code stays in one of a few places.
 * @returns What it means, in words without the URL and without a header.
 */
export function readNetworkError(error: unknown): NetworkProblem {
	for (const code of codesOf(error, 0)) {
		const known = networkProblems.get(code);
		if (known) return known;
		if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return badCertificate;
	}
	return unknownProblem;
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

/**
 * The failure of a call that got no answer.
 * @param error Thrown by n8n's HTTP helper, or our own inside its wrapping.
 * @param hadToken Without a token, the call cannot have been sent.
 */
export function unanswered(
	error: unknown,
	request: ServiceRequest,
	origin: string,
	hadToken: boolean,
): ServiceError {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if (inner instanceof ServiceError) return inner;
		inner = inner.cause;
	}
	const { problem, remedy, retryable, neverSent } = readNetworkError(error);
	const isUnsent = neverSent || !hadToken;
	const message = `${origin} ${problem}`;
	if (request.creates && !isUnsent) return lostCreation(message, request.creates);
	return new ServiceError({
		message,
		description: remedy,
		retryable: isUnsent && retryable === 'whenIdempotent' ? 'always' : retryable,
		docsAnchor: 'the-service-cannot-be-reached',
	});
}
