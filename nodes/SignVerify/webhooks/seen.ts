import { remember } from '../util/values';
import { maxFileSeconds } from './files';
import type { Answer } from './respond';

/** The part of a response that says how a delivery was answered. */
export interface DeliveryResponse {
	readonly statusCode: number;
	/** Whether the answer is written. */
	readonly writableEnded: boolean;
	/** Whether the answer was sent, or the sender has left. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/**
 * After this time (ms), an event without an answer counts as not accepted. Its files may take as long as
 * the largest "File Time Limit", and n8n then stores the execution.
 */
const answerTimeout = 2 * maxFileSeconds * 1000;

/** How often (ms) the response of a sender that has left is looked at. */
const checkInterval = 1000;

/** How many accepted events are remembered; each needs about 150 bytes of memory. */
const maxRemembered = 10_000;

/** By the name of an event: whether n8n accepts it, which is known when n8n has answered. */
const deliveries = new Map<string, Promise<boolean>>();

/**
 * Claims an event for this delivery, if it is new to this process.
 *
 * An event is accepted when n8n has answered 2xx, which it does after it has stored the execution. A
 * repeated event waits for the answer to the first one. If it were dropped at once and the first one
 * then failed, the event would be lost.
 * @param key Names the event and its registration.
 * @param response The response to this delivery.
 * @returns The answer to the sender of a repeated event; undefined to process the event.
 */
export async function claimEvent(
	key: string,
	response: DeliveryResponse,
): Promise<Answer | undefined> {
	for (let known = deliveries.get(key); known; known = deliveries.get(key)) {
		if (await known) return { status: 200, message: 'This event was already processed.' };
		// The first one failed. Of several that waited for it, the first to wake up is the next.
	}
	const accepted = isAccepted(response);
	remember(deliveries, key, accepted, maxRemembered);
	void accepted.then((isDone) => {
		if (!isDone && deliveries.get(key) === accepted) deliveries.delete(key);
	});
	return undefined;
}

/**
 * Waits until n8n has accepted or refused an event. If the sender leaves before the answer, n8n still
 * processes the event, and nothing but the response says how it ended. The response holds the request
 * with its body, so it is let go after two minutes.
 * @returns Whether n8n has accepted it; false also if it is not known.
 */
export async function isAccepted(response: DeliveryResponse): Promise<boolean> {
	const start = Date.now();
	if (!response.closed) await new Promise<void>((resolve) => response.once('close', resolve));
	while (!response.writableEnded && Date.now() - start <= answerTimeout) await pause();
	return response.writableEnded && response.statusCode >= 200 && response.statusCode < 300;
}

/** The timer of a signal does not keep the process of n8n alive. */
async function pause(): Promise<void> {
	const signal = AbortSignal.timeout(checkInterval);
	await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}
