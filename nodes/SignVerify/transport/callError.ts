import { lostCreation, ServiceError } from './errors';
import { readNetworkError } from './network';
import type { ServiceRequest } from './request';

/** The execution was cancelled before the call went out. */
export function cancelled(): ServiceError {
	return new ServiceError({
		message: 'The execution was cancelled before this item was sent',
		description: 'Nothing was sent for it. Run the workflow again.',
		topic: 'other-messages',
	});
}

/**
 * Turns what went wrong on the way to an answer into a failure.
 * @param error Thrown by n8n's HTTP helper, or our own inside its wrapping.
 * @param origin The service's address, as it may be shown.
 * @param hadToken Whether there was a token to send the call with; without one it cannot have gone
 * out, whatever happened.
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

/** Our own failure (from the credential, from reading the answer) inside n8n's wrapping of it. */
function ownError(error: unknown): ServiceError | undefined {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if (inner instanceof ServiceError) return inner;
		inner = inner.cause;
	}
	return undefined;
}
