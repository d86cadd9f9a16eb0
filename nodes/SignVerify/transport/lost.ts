import { onCancel } from './cancellation';
import type { ServiceRequest } from './client';
import { mayHaveCreated, ServiceFailure } from './failure';
import { readNetworkError } from './network';
import { pause } from './pause';

/** The execution was cancelled before the call went out. */
export function cancelled(): ServiceFailure {
	return new ServiceFailure({
		message: 'The execution was cancelled before this item was sent',
		description: 'Nothing was sent for it. Run the workflow again.',
	});
}

/**
 * Turns what went wrong on the way to an answer into a failure.
 * @param error Thrown by n8n's HTTP helper, or our own inside its wrapping.
 * @param origin The service's address, as it may be shown.
 * @param hadToken Whether there was a token to send the call with; without one it cannot have gone
 * out, whatever happened.
 */
export function asFailure(
	error: unknown,
	request: ServiceRequest,
	origin: string,
	hadToken: boolean,
): ServiceFailure {
	const own = ownFailure(error);
	if (own) return own;
	const { problem, remedy, repeat, neverSent } = readNetworkError(error);
	const unsent = neverSent || !hadToken;
	if (request.creates && !unsent) return mayHaveCreated(`${origin} ${problem}`, request.creates);
	return new ServiceFailure({
		message: `${origin} ${problem}`,
		description: remedy,
		repeat: unsent && repeat === 'ifHarmless' ? 'always' : repeat,
	});
}

/** Our own failure (from the credential, from reading the answer) inside n8n's wrapping of it. */
function ownFailure(error: unknown): ServiceFailure | undefined {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if (inner instanceof ServiceFailure) return inner;
		inner = inner.cause;
	}
	return undefined;
}

/** Stands for an answer that did not come in time. */
const late = Symbol('late');

/**
 * Gives up on an answer that does not come to its end in time: the HTTP client's own time-out
 * counts silence, and a service that sends a byte now and then is never silent.
 * @param start Starts the work; its signal ends it when its time is over or the execution is
 * cancelled, so that nothing is left open and nothing goes out after it was given up.
 * @throws Error with the code of a time-out.
 */
export async function withinTime<Answer>(
	start: (signal: AbortSignal) => Promise<Answer>,
	timeout: number,
	cancel?: AbortSignal,
): Promise<Answer> {
	const clock = new AbortController();
	const giveUp = new AbortController();
	if (cancel?.aborted) giveUp.abort();
	const forget = cancel && onCancel(cancel, () => giveUp.abort());
	try {
		const work = start(giveUp.signal);
		const first = await Promise.race([work, pause(timeout, clock.signal).then(() => late)]);
		if (first !== late) return first as Answer;
		giveUp.abort();
	} finally {
		clock.abort();
		forget?.();
	}
	throw Object.assign(new Error('The answer did not come in time'), { code: 'ETIMEDOUT' });
}
