import { ProcessMemory } from '../util/processMemory';

/** How many times each event was refused to make the service resend it. */
const refusals = new ProcessMemory<number>({
	bound: 1000,
});

/**
 * The maximum number of times to refuse an event in the hope that the service resends it. Keep this low: some
 * services never resend an event, so every refusal risks losing it.
 */
const maxRefusals = 2;

/**
 * Counts a request to refuse an event.
 * @returns Whether the event may be refused again. If not, the caller must make a final decision about the
 * event, without waiting for another delivery.
 */
export function refuseAgain(key: string): boolean {
	const count = (refusals.get(key) ?? 0) + 1;
	refusals.set(key, count);
	return count <= maxRefusals;
}
