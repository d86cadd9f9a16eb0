import { ProcessMemory } from '../util/processMemory';
import { day } from '../util/values';
import type { Answer } from './request';

/** The part of a response that says how a delivery was answered. */
export interface DeliveryResponse {
	readonly statusCode: number;
	/** Whether the answer was sent, or the sender has left. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
	/** Every answer ends with it. */
	end(...given: unknown[]): unknown;
}

/**
 * By the name of an event: whether n8n accepts it, which is known when n8n has answered. Each needs about 150 bytes of
 * memory.
 */
const deliveries = new ProcessMemory<Promise<boolean>>({
	name: 'accepted events',
	bound: 10_000,
	life: day,
});

/**
 * Claims an event for this delivery, if it is new to this process.
 *
 * An event is accepted when n8n has answered 2xx, which it does after it has stored the execution. A
 * repeated event waits for the answer to the first one, until its own sender leaves: n8n can hold events
 * back for hours (N8N_CONCURRENCY_PRODUCTION_LIMIT). If it were dropped at once and the first one then
 * failed, the event would be lost.
 * @param key Names the event and its registration.
 * @param response The response to this delivery.
 * @returns The answer to the sender of a repeated event; undefined to process the event.
 */
export async function claimEvent(
	key: string,
	response: DeliveryResponse,
): Promise<Answer | undefined> {
	for (let known = deliveries.get(key); known; known = deliveries.get(key)) {
		const isKnown = await Promise.race([known, leaves(response)]);
		if (isKnown === 'left') return { status: 503, message: 'This event is being processed.' };
		if (isKnown) return { status: 200, message: 'This event was already processed.' };
		// The first one failed. Of several that waited for it, the first to wake up is the next.
	}
	// What happens again a day later is no repeat.
	const accepted = isAccepted(response);
	deliveries.set(key, accepted, Infinity);
	void accepted.then((isDone) => {
		if (isDone) deliveries.endIn(key, accepted);
		else deliveries.endIn(key, accepted, 0);
	});
	return undefined;
}

/**
 * Waits until n8n has accepted or refused an event. If the sender leaves before the answer, n8n still
 * processes the event, and the response sends no event of its own when n8n answers. What waits here is held
 * by the response, and not the other way round: an answer that never comes costs no memory.
 */
export async function isAccepted(response: DeliveryResponse): Promise<boolean> {
	await new Promise<void>((resolve) => {
		const end = response.end.bind(response);
		response.end = (...given) => {
			resolve();
			return Reflect.apply<typeof response, unknown[], unknown>(end, response, given);
		};
	});
	return response.statusCode >= 200 && response.statusCode < 300;
}

async function leaves(response: DeliveryResponse): Promise<'left'> {
	if (!response.closed) await new Promise<void>((resolve) => response.once('close', resolve));
	return 'left';
}
