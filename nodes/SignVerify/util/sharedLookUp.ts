import { settle } from './async';
import { ProcessMemory } from './processMemory';

/** What was looked up in the last ten seconds, and what is being looked up now. */
const lookUps = new ProcessMemory<Promise<unknown>>({
	name: 'look-ups',
	bound: 100,
	life: 10_000,
});

/**
 * Looks something up, or joins a look-up that is running or was done within ten seconds. A failure is
 * not shared: it may be that of an execution which was cancelled.
 * @param key What it is, and whose: nothing is shared between two keys.
 * @returns A copy, because nodes may change what n8n gives them.
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
