import { settle } from './async';
import { ProcessMemory } from './processMemory';

/** The lookups from the last ten seconds, including those still running. */
const lookUps = new ProcessMemory<Promise<unknown>>({
	bound: 100,
	life: 10_000,
});

interface Options {
	/** How long (ms) the caller may look the value up again after a lookup that it has joined has failed. */
	maxTimeMs?: number;
	/** How long (ms) to share the value once it has been looked up. The default is ten seconds. */
	lifeMs?: number;
}

/**
 * Looks up a value, or joins a lookup that is running or ended less than ten seconds ago. A failure isn't
 * shared, because the execution that started the lookup may have been canceled, for instance. One of the
 * waiting callers then looks the value up again, and the others wait for this new lookup.
 * @param key Identifies the value and its owner. Different keys share nothing.
 * @returns A copy, because other nodes may change a node's output data.
 * @throws The lookup's error.
 */
export async function sharedLookUp<Value>(
	key: string,
	load: () => Promise<Value>,
	{ maxTimeMs = Infinity, lifeMs }: Options = {},
): Promise<Value> {
	const endsAt = performance.now() + maxTimeMs;
	for (;;) {
		const joined = lookUps.get(key);
		const result = await settle(joined ?? startLookUp(key, load, lifeMs));
		if (result.ok) return structuredClone(result.value as Value);
		if (!joined || performance.now() >= endsAt) throw result.error;
	}
}

/** Starts a lookup that other callers can join. */
function startLookUp(
	key: string,
	load: () => Promise<unknown>,
	lifeMs: number | undefined,
): Promise<unknown> {
	const value = load();
	lookUps.set(key, value, Infinity);
	void settle(value).then(({ ok }) => lookUps.endIn(key, value, ok ? lifeMs : 0));
	return value;
}
