import { attempt } from '../transport/attempt';
import type { ServiceClient } from '../transport/client';
import { pause } from '../transport/pause';
import { removeWait } from './registration';
import type { WaitRegistration } from './state';

/** The longest time that a timer can be set to (ms), some 24 days. */
const longestTimer = 2 ** 31 - 1;

/** Ends the timer of a wait's registrations, by their address. */
const timers = new Map<string, AbortController>();

/**
 * Removes the registrations when the time limit of their wait is over. When n8n ends a wait by itself
 * it asks the node nothing, so this is a timer of the process; should the process end before, or the
 * limit be longer than a timer can be, the next run of a waiting node removes what is left.
 */
export function removeWhenOver(
	service: ServiceClient,
	registration: WaitRegistration,
	time: number,
): void {
	cancelRemoval(registration);
	if (time > longestTimer) return;
	const { address } = registration;
	const timer = new AbortController();
	timers.set(address, timer);
	void pause(time, timer.signal).then(async (over) => {
		if (!over) return;
		timers.delete(address);
		await attempt(removeWait(service, registration));
	});
}

/** The wait is over before its time. */
export function cancelRemoval({ address }: WaitRegistration): void {
	timers.get(address)?.abort();
	timers.delete(address);
}
