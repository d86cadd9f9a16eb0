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
 * An error and those inside it, outermost first. n8n wraps the client's error, sometimes twice, and a
 * host name with several IP addresses fails with one error for each of them.
 */
function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if ((!isObject(error) && !(error instanceof Error)) || depth > 4) return [];
	const fields = error as unknown as Record<string, unknown>;
	const inner = [fields.cause, fields.reason, fields.errors].flat();
	return [fields, ...inner.flatMap((each) => errorsIn(each, depth + 1))];
}

/**
 * Reads an error of n8n's HTTP helper, which rewrites the message but keeps the code.
 * @returns What it means, in words without the URL and without a header; and the code, if it is known.
 */
export function readNetworkError(error: unknown): NetworkProblem & { code?: string } {
	for (const code of errorsIn(error).flatMap((each) => [each.code, each.httpCode])) {
		if (typeof code !== 'string') continue;
		const known = networkProblems.get(code);
		if (known) return { ...known, code };
		if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return badCertificate;
	}
	return unknownProblem;
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
	const own: unknown = errorsIn(error).find((each) => each instanceof ServiceError);
	if (own instanceof ServiceError) return own;
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
