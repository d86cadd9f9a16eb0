import type { DeliveryRecord } from '../state/records';
import type { Delivery } from '../types';

/** What a new delivery is made from. */
export type NewDelivery = Omit<DeliveryRecord, 'id' | 'at' | 'attempts' | 'state'>;

/** Deliveries of one lane go one after the other: those about one subject to one address. */
export function laneOf({ subjectId, url }: Pick<DeliveryRecord, 'subjectId' | 'url'>): string {
	return `${subjectId} ${url}`;
}

/** Says whether this answer means that the receiver has it. */
export function isReceived(status: number): boolean {
	return status >= 200 && status < 300;
}

/** A delivery as tools see it. The body is read from its text only when somebody looks at it. */
export function toDelivery(record: DeliveryRecord): Delivery {
	const { id, webHookID, type, url, at, attempts, state, json } = record;
	return {
		id,
		webHookID,
		type,
		url,
		at,
		get body(): unknown {
			return JSON.parse(json) as unknown;
		},
		attempts: structuredClone(attempts),
		state,
	};
}
