import { remember } from '../util/values';
import type { Answer } from './request';

/** The part of a response that says how a delivery was answered. */
export interface DeliveryResponse {
	readonly statusCode: number;
	/** Every answer ends with it. */
	end(...given: unknown[]): unknown;
}

/** How many accepted events are remembered; each needs about 150 bytes of memory. */
const maxRemembered = 10_000;

/** For how long (ms): something that happens again later is no repeat. */
const day = 86_400_000;

/**
 * By the name of an event: until when (ms of `performance.now()`) an accepted one is remembered; Infinity while
 * n8n has not answered.
 */
const deliveries = new Map<string, number>();

/**
 * Claims an event for this delivery, if it is new to this process.
 *
 * An event is accepted when n8n has answered 2xx, which it does after it has stored the execution. Until then,
 * a repeated event is refused, to be sent again: if it were dropped and the first one then failed, the event
 * would be lost. n8n can hold events back for hours (N8N_CONCURRENCY_PRODUCTION_LIMIT).
 * @param key Names the event and its registration.
 * @param response The response to this delivery.
 * @returns The answer to the sender of a repeated event; undefined to process the event.
 */
export function claimEvent(key: string, response: DeliveryResponse): Answer | undefined {
	const until = deliveries.get(key) ?? 0;
	if (until === Infinity) return { status: 503, message: 'This event is being processed.' };
	if (until > performance.now()) {
		return { status: 200, message: 'This event was already processed.' };
	}
	remember(deliveries, key, Infinity, maxRemembered);
	void isAccepted(response).then((isDone) => {
		remember(deliveries, key, isDone ? performance.now() + day : 0, maxRemembered);
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
