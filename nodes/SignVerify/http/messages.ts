import { headingOf, ServiceError } from './errors';
import { errorsIn, readNetworkError } from './network';
import type { ServiceRequest } from './request';

/* The words of all failures of calls. Those about the credential are in credential.ts, and those of a
   download in file.ts. */

/** The execution was cancelled before the call was sent. */
export function cancelled(): ServiceError {
	return new ServiceError({
		message: 'The execution was cancelled before this item was sent',
		description: 'Nothing was sent for it. Run the workflow again.',
	});
}

/**
 * The call could not have its turn in time.
 * @param isLimited Whether the service has said "too many requests"; otherwise the credential limits the calls.
 */
export function notSent(request: ServiceRequest, isLimited: boolean): ServiceError {
	if (isLimited) return refusal(429, '', request, undefined);
	return new ServiceError({
		message: 'Other calls use all Requests per Second of the credential, so this call was not sent',
		description: 'Try again in a moment, or raise "Requests per Second" in the credential.',
		docsAnchor: 'other-calls-use-all-requests-per-second',
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

/**
 * The failure of a call that got no answer, or an answer that could not be read. A creation that was sent
 * may have worked, whatever the error is.
 * @param error Thrown by n8n's HTTP helper, or our own inside its wrapping.
 */
export function unanswered(
	error: unknown,
	{ creates }: ServiceRequest,
	origin: string,
): ServiceError {
	const own: unknown = errorsIn(error).find((each) => each instanceof ServiceError);
	if (own instanceof ServiceError) return own;
	const { problem, remedy, retryable, neverSent } = readNetworkError(error);
	const message = `${origin} ${problem}`;
	if (creates && !neverSent) return lostCreation(message, creates);
	return new ServiceError({
		message,
		description: remedy,
		retryable,
		docsAnchor: headingOf(problem),
	});
}

/**
 * An answer that is no success and no refusal.
 * @param words The service's own, if it has some.
 * @param body What came, in a few words.
 */
export function notASuccess(
	httpStatus: number,
	words: string,
	body: string,
	{ creates }: ServiceRequest,
	origin: string,
): ServiceError {
	const message = words
		? `The service does not say clearly whether it worked (HTTP ${httpStatus}: ${words})`
		: `${origin} answered HTTP ${httpStatus} with ${body}, which is not an answer of the signing service`;
	if (creates) return lostCreation(message, creates, httpStatus);
	const description = words
		? 'Look at the service what it did.'
		: 'Check the Base URL in the credential, its path included.';
	const docsAnchor = words ? undefined : 'the-service-answered-but-not-like-the-signing-service';
	return new ServiceError({ message, description, httpStatus, docsAnchor });
}

/** What a refusal means by its status, without the service's own words. */
function meaningOf(status: number): string {
	if (status < 400) return 'The service redirects this call to another URL';
	if (status >= 500) return 'The service failed';
	if (status === 401 || status === 403) return 'The service does not allow this';
	if (status === 404) return 'The service did not find it';
	if (status === 429) return 'The service says that there were too many requests';
	return 'The service refused the request';
}

function remedyFor(status: number): string {
	if (status < 400) {
		return 'Open the Base URL in a browser, and enter the URL that you get to in the credential.';
	}
	if (status >= 500) return 'The fault is at the service. Try again in a moment.';
	if (status === 401 || status === 403) {
		return 'A new access token did not help. Check that the account in the credential may do this.';
	}
	if (status === 404) return 'Check the ID, and that it belongs to the account in the credential.';
	if (status === 429) return 'Wait a moment, or set "Requests per Second" in the credential.';
	return 'Correct what it names and run again.';
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
	const meaning = meaningOf(httpStatus);
	const said = words ? `: ${words}` : '';
	const message = `${meaning} (HTTP ${httpStatus}${said})`;
	if (creates && httpStatus >= 500) return lostCreation(message, creates, httpStatus);
	return new ServiceError({
		message,
		description: remedyFor(httpStatus) + (creates ? ' Nothing was created.' : ''),
		httpStatus,
		retryable: httpStatus >= 500 ? 'whenIdempotent' : httpStatus === 429 ? 'always' : 'never',
		retryAfter,
	});
}
