import { ProcessMemory } from '../util/processMemory';
import { dayMs } from '../util/values';
import type { EventResponse } from './request';

/**
 * The part of Node's response object that shows how n8n responds to a delivery, that is, to a single HTTP request that
 * reports an event.
 */
interface DeliveryResponse {
	readonly statusCode: number;
	/** Whether the response was sent, or the sender has disconnected. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
	/** n8n calls this at the end of every response. */
	end(...chunks: unknown[]): unknown;
}

/**
 * The deliveries to this process, by event key. Each promise resolves when n8n has responded: to true if n8n accepted
 * the event, otherwise to false. An entry takes about 150 bytes of memory.
 */
const deliveries = new ProcessMemory<Promise<boolean>>({
	name: 'accepted events',
	bound: 10_000,
	life: dayMs,
});

/**
 * Claims an event for this delivery if the event is new to this process.
 *
 * n8n has accepted an event once it has responded with 2xx, which happens after it has stored the execution. A repeated
 * delivery waits for the response to the first one. If we dropped the repeated delivery and the first one then failed,
 * the event would be lost. The repeated delivery stops waiting when its own sender disconnects, because n8n can hold
 * events back for hours (N8N_CONCURRENCY_PRODUCTION_LIMIT).
 * @param key Identifies the event, and the trigger or wait it is for.
 * @param response The response to this delivery.
 * @returns The response to the sender of a repeated event; undefined if the caller must process the event.
 */
export async function claimEvent(
	key: string,
	response: DeliveryResponse,
): Promise<EventResponse | undefined> {
	for (let first = deliveries.get(key); first; first = deliveries.get(key)) {
		const outcome = await Promise.race([first, senderLeaves(response)]);
		if (outcome === 'left') return { status: 503, message: 'This event is being processed.' };
		if (outcome) return { status: 200, message: 'This event was already processed.' };
		// The first delivery failed. If several deliveries were waiting for it, the first to wake up takes its place.
	}
	const acceptance = acceptanceOf(response);
	deliveries.set(key, acceptance, Infinity);
	void acceptance.then((wasAccepted) => {
		// An event redelivered more than a day later is treated as new.
		if (wasAccepted) deliveries.endIn(key, acceptance);
		else deliveries.endIn(key, acceptance, 0);
	});
	return undefined;
}

/**
 * Waits until n8n has accepted or rejected an event. If the sender disconnects first, n8n still processes the
 * event, but Node's response object then doesn't report when n8n responds. So this function intercepts `end`.
 * If n8n never responds, the promise never resolves. A claim that waits for the promise stays in memory until
 * newer events evict it.
 * @returns Whether n8n accepted the event.
 */
export async function acceptanceOf(response: DeliveryResponse): Promise<boolean> {
	await new Promise<void>((resolve) => {
		const end = response.end.bind(response);
		response.end = (...chunks) => {
			resolve();
			return Reflect.apply<typeof response, unknown[], unknown>(end, response, chunks);
		};
	});
	return response.statusCode >= 200 && response.statusCode < 300;
}

async function senderLeaves(response: DeliveryResponse): Promise<'left'> {
	if (!response.closed) await new Promise<void>((resolve) => response.once('close', resolve));
	return 'left';
}
