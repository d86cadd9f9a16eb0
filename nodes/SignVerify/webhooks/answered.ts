import { maxFileSeconds } from './files';

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
export const answerTimeout = 2 * maxFileSeconds * 1000;

/** How often (ms) the response of a sender that has left is looked at. */
const lookAgainAfter = 1000;

/** Whether a written answer accepts the event. */
export function isAcceptance({ statusCode }: DeliveryResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}

/** Waits until a connection is closed: after the answer, or because the sender has left. */
export async function isClosed(response: DeliveryResponse): Promise<void> {
	if (response.closed) return;
	await new Promise<void>((resolve) => response.once('close', resolve));
}

/**
 * Waits until n8n has accepted or refused an event. If the sender leaves before the answer, n8n still
 * processes the event, and nothing but the response says how it ended. The response holds the request
 * with its body, so it is let go after {@link answerTimeout}.
 * @returns Whether n8n has accepted it; false also if it is not known.
 */
export async function isAccepted(response: DeliveryResponse): Promise<boolean> {
	const start = Date.now();
	await isClosed(response);
	while (!response.writableEnded && Date.now() - start <= answerTimeout) await pause();
	return response.writableEnded && isAcceptance(response);
}

/** The timer of a signal does not keep the process of n8n alive. */
async function pause(): Promise<void> {
	const signal = AbortSignal.timeout(lookAgainAfter);
	await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}
