import type { DeliverySettings, RetrySchedule } from '../types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before the 2nd, 3rd… attempt of a delivery; one attempt more than there are delays. */
export const RETRY_SCHEDULES: Record<RetrySchedule, number[]> = {
	none: [],
	default: [0.5 * SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE],
	hours: [MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
};

/** The delays that the settings ask for. */
export function delaysOf({ retries }: DeliverySettings): number[] {
	return Array.isArray(retries) ? retries : RETRY_SCHEDULES[retries];
}

/** How long after an event the last attempt comes, if nobody answers: milliseconds. */
export function lastAttemptAfter(delays: number[]): number {
	return delays.reduce((sum, delay) => sum + delay, 0);
}
