import { onCancel } from './cancellation';
import { delay } from './delay';

/** Stands for an answer that did not come in time. */
const late = Symbol('late');

/**
 * Gives up on an answer that does not come to its end in time: the HTTP client's own time-out
 * counts silence, and a service that sends a byte now and then is never silent.
 * @param start Starts the work; its signal ends it when its time is over or the execution is
 * cancelled, so that nothing is left open and nothing goes out after it was given up.
 * @throws Error with the code of a time-out.
 */
export async function withTimeout<Answer>(
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
		const first = await Promise.race([work, delay(timeout, clock.signal).then(() => late)]);
		if (first !== late) return first as Answer;
		giveUp.abort();
	} finally {
		clock.abort();
		forget?.();
	}
	throw Object.assign(new Error('The answer did not come in time'), { code: 'ETIMEDOUT' });
}
