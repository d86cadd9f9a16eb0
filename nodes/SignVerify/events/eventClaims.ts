import { ProcessMemory } from '../util/processMemory';
import { dayMs } from '../util/times';
import type { EventResponse } from './eventRequest';

/**
 * The part of Node's response object needed to see how n8n responds to a delivery. A delivery is a single
 * HTTP request that reports an event.
 */
interface DeliveryResponse {
	readonly statusCode: number;
	/** True once the response has been sent or the sender has disconnected. */
	readonly closed: boolean;
	once(event: 'close', listener: () => void): unknown;
	/** n8n calls this to finish every response. */
	end(...chunks: unknown[]): unknown;
}

/** A delivery that has claimed its event. */
interface Delivery {
	/** Resolves once n8n has responded: to true if n8n accepted the event, and to false otherwise. */
	readonly acceptance: Promise<boolean>;
	/** The files that this delivery or an accepted earlier one has downloaded. */
	files: readonly string[];
}

/** The right to process an event, or the response to a repeat of it. */
export interface EventClaim {
	/** The response to a repeated event. Without one, the caller must process the event. */
	readonly repeated?: EventResponse;
	/** When the delivery arrived (`performance.now()`). It may have waited for an earlier one since. */
	readonly arrivedAt: number;
	/**
	 * The files that an accepted start of the same event had, if n8n has accepted the event before. The event is
	 * then processed again only to get the other files.
	 */
	readonly earlierFiles?: readonly string[];
	/**
	 * Records the files that the caller has downloaded for the event.
	 * @returns The response to the event if n8n has accepted it before, and none of these files is new.
	 */
	recordFiles(files: readonly string[]): EventResponse | undefined;
}

/** The deliveries that this process received, keyed by event. An entry takes about 200 bytes of memory. */
const deliveries = new ProcessMemory<Delivery>({
	bound: 10_000,
	lifeMs: dayMs,
});

/**
 * Claims an event for this delivery if the event is new to this process.
 *
 * A 2xx response from n8n means that the event was accepted, because n8n stores the execution before it
 * responds. A repeated delivery waits for the response to the first one. If we dropped the repeated delivery
 * and the first one then failed, the event would be lost. The repeated delivery stops waiting if its sender
 * disconnects, because n8n can hold events back for hours (N8N_CONCURRENCY_PRODUCTION_LIMIT).
 * @param key Identifies the event and the trigger or wait that it is for.
 * @param response The response to this delivery.
 * @param linkedFiles The files that the caller would download and to which this delivery contains a link. A
 * delivery with a link to a file that no accepted start had has to be processed, because a link can arrive later
 * than the event, and can be replaced by one that works. Never compare the links themselves: they differ in each
 * delivery.
 */
export async function claimEvent(
	key: string,
	response: DeliveryResponse,
	linkedFiles: readonly string[] = [],
): Promise<EventClaim> {
	const arrivedAt = performance.now();
	for (let first = deliveries.get(key); first; first = deliveries.get(key)) {
		const firstResult = await Promise.race([first.acceptance, senderLeaves(response)]);
		if (firstResult === 'left')
			return repeat({ status: 503, message: 'This event is being processed.' });
		const isComplete = linkedFiles.every((file) => first.files.includes(file));
		if (firstResult && isComplete) return repeat(alreadyProcessed);
		if (firstResult && deliveries.get(key) === first)
			return claimNow(key, response, arrivedAt, first);
		// The first delivery failed. If several deliveries were waiting for it, the first to wake up takes
		// its place.
	}
	return claimNow(key, response, arrivedAt);
}

/**
 * Claims an event without waiting for anything, because several deliveries that waited for the same one would otherwise
 * all claim it.
 * @param accepted An earlier delivery that n8n accepted, without all of its files.
 */
function claimNow(
	key: string,
	response: DeliveryResponse,
	arrivedAt: number,
	accepted?: Delivery,
): EventClaim {
	const acceptance = acceptanceOf(response);
	const earlierFiles = accepted?.files;
	const delivery: Delivery = { acceptance, files: earlierFiles ?? [] };
	deliveries.set(key, delivery, Infinity);
	void acceptance.then((wasAccepted) => {
		// An event redelivered more than a day later is treated as new.
		if (wasAccepted) deliveries.endIn(key, delivery);
		else if (accepted) deliveries.set(key, accepted);
		else deliveries.endIn(key, delivery, 0);
	});
	return {
		arrivedAt,
		...(earlierFiles ? { earlierFiles } : {}),
		recordFiles(files) {
			delivery.files = [...new Set([...(earlierFiles ?? []), ...files])];
			return delivery.files.length === earlierFiles?.length ? alreadyProcessed : undefined;
		},
	};
}

const alreadyProcessed: EventResponse = {
	status: 200,
	message: 'This event was already processed.',
};

function repeat(repeated: EventResponse): EventClaim {
	return { repeated, arrivedAt: performance.now(), recordFiles: () => repeated };
}

/**
 * Waits until n8n has accepted or refused an event. If the sender disconnects first, n8n still processes the
 * event, but Node's response object no longer reports when n8n responds, so this function intercepts `end`.
 * If n8n never responds, the promise never resolves, and a claim waiting for it stays in memory until newer
 * events evict it.
 * @returns Whether n8n accepted the event.
 * @n8n
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
