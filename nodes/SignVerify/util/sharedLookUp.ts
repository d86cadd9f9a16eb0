import { settle } from './async';
import { ProcessMemory } from './processMemory';

/** The lookups from the last ten seconds, including those still running. */
const lookUps = new ProcessMemory<Promise<unknown>>({
	name: 'shared lookups',
	bound: 100,
	life: 10_000,
});

/**
 * Looks up a value, or joins a lookup that is running or ended less than ten seconds ago. Failures are not shared,
 * because the other execution may have been canceled.
 * @param key Identifies the value and its owner. Different keys share nothing.
 * @param lifeMs How long (ms) to share the value after it was looked up, if ten seconds are too long.
 * @returns A copy, because other nodes may change a node's output data.
 */
export async function sharedLookUp<Value>(
	key: string,
	load: () => Promise<Value>,
	lifeMs?: number,
): Promise<Value> {
	const otherLookUp = lookUps.get(key);
	const joined = otherLookUp && (await settle(otherLookUp));
	if (joined?.ok) return structuredClone(joined.value) as Value;

	const lookUp = load();
	lookUps.set(key, lookUp, Infinity);
	await settle(lookUp);
	lookUps.endIn(key, lookUp, lifeMs);
	return structuredClone(await lookUp);
}
