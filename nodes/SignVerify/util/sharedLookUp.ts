import { settle } from './async';
import { ProcessMemory } from './processMemory';

/** The look-ups of the last ten seconds, including those that are still running. */
const lookUps = new ProcessMemory<Promise<unknown>>({
	name: 'look-ups',
	bound: 100,
	life: 10_000,
});

/**
 * Looks something up, or joins a look-up that is running or ended less than ten seconds ago. A failure is not shared,
 * because the other execution may have been cancelled.
 * @param key Identifies the value and its owner. Nothing is shared between different keys.
 * @returns A copy, because other nodes may change the data that a node outputs.
 */
export async function sharedLookUp<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
	const otherLookUp = lookUps.get(key);
	const joined = otherLookUp && (await settle(otherLookUp));
	if (joined?.ok) return structuredClone(joined.value) as Value;

	const lookUp = load();
	lookUps.set(key, lookUp, Infinity);
	const { ok } = await settle(lookUp);
	if (ok) lookUps.endIn(key, lookUp);
	else lookUps.endIn(key, lookUp, 0);
	return structuredClone(await lookUp);
}
