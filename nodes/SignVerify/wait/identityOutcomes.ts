import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { ServiceClient } from '../http/client';
import { attempt, withTimeout } from '../util/async';
import { finishedIdentity } from './identity';
import { isOpen, type WaitingItem, type WaitTarget } from './state';

type Target = Extract<WaitTarget, { kind: 'identity' }>;

/** The output if the event ends the wait; `later` if the service did not say so in time. */
type Outcome = IDataObject | false | 'later';

/** The sender of an event waits for the answer and sends it again, so each call has one try. */
const quick = { timeout: 10_000, maxRetryTime: 0 };

/** For how long (ms) the service is asked about all items of an event together. */
const longestLookUp = 10_000;

/** About how many requests the service is asked at once. */
const mostAtOnce = 10;

/**
 * Asks the service about each identity request once, for all items that wait for it. If one answer for a
 * request is missing, none of its items has one yet: the sender would not send the event again for the
 * others.
 * @param named The request that the event names.
 * @returns The outcome for an item.
 */
export async function identityOutcomes(
	context: IWebhookFunctions,
	items: WaitingItem[],
	named: string | undefined,
): Promise<(target: Target) => Outcome> {
	const targets = new Map<string, Target>();
	for (const item of items) {
		if (isOpen(item) && item.target?.kind === 'identity') {
			targets.set(keyOf(item.target), item.target);
		}
	}
	const service = new ServiceClient(context, quick);
	const known = await inTime(targets, async (each) => await finishedIdentity(service, named, each));
	const isUnsure = (id: string) =>
		[...targets].some(([key, each]) => each.validationId === id && isLate(known.get(key)));
	return (target) =>
		isUnsure(target.validationId) ? 'later' : (known.get(keyOf(target)) ?? 'later');
}

function isLate(outcome: Outcome | undefined): boolean {
	return outcome === undefined || outcome === 'later';
}

/** With personal data, the output is another one. */
function keyOf({ validationId, personal }: Target): string {
	return JSON.stringify([validationId, personal]);
}

/** @returns What is known when all have been asked about, or the time is over. */
async function inTime(
	targets: Map<string, Target>,
	ask: (target: Target) => Promise<Outcome>,
): Promise<Map<string, Outcome>> {
	const known = new Map<string, Outcome>();
	if (targets.size === 0) return known;
	const queue = [...targets];
	const work = async (signal: AbortSignal): Promise<void> => {
		for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
			const [key, target] = next;
			known.set(key, await ask(target));
		}
	};
	const all = async (signal: AbortSignal) =>
		await Promise.all(Array.from({ length: mostAtOnce }, async () => await work(signal)));
	// If the time is over, some are not known, and that is all.
	await attempt(withTimeout(all, longestLookUp));
	return new Map(known);
}
