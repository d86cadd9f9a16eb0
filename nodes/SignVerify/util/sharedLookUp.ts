import { settle } from './async';
import { ProcessMemory } from './processMemory';

interface LookUp {
	value: Promise<unknown>;
	/** The time (`performance.now()`) by which the lookup ends; 0 once it has ended. */
	endsAt: number;
}

/** The lookups from the last ten seconds, including those still running. */
const lookUps = new ProcessMemory<LookUp>({
	name: 'shared lookups',
	bound: 100,
	life: 10_000,
});

interface Options<Value, Part> {
	/** Selects the part of the value that the caller needs. Copying a part of a long list is faster than copying all. */
	select?: (value: Value) => Part;
	/**
	 * The longest time (ms) that the caller may wait. A running lookup that may end later is not joined, so that an event
	 * never waits as long as an execution would.
	 */
	maxTimeMs?: number;
	/** How long (ms) to share the value after it was looked up, if ten seconds are too long. */
	lifeMs?: number;
	/** Whether a failure is certain. Looking the value up again would then fail in the same way. */
	isCertain?: (error: unknown) => boolean;
}

/**
 * How long (ms) a certain failure is shared. It is short, because people correct a setting and try again. Without it,
 * hundreds of events that arrive at once would look the value up one after another.
 */
const sharedFailureMs = 1000;

/**
 * A caller with less time left (ms) doesn't look the value up again after a failure. Otherwise, hundreds of callers
 * could start lookups one after another, none of which would have enough time to succeed.
 */
const minLookUpMs = 1000;

/**
 * Looks up a value, or joins a lookup that is running or ended less than ten seconds ago. An uncertain
 * failure is not shared, because the other execution may have been canceled. Instead, one of the callers that waited
 * looks the value up again, and the others wait for it as long as their time limits allow.
 * @param key Identifies the value and its owner. Different keys share nothing.
 * @param load Looks up the value in at most the given time (ms). This is less than the caller's time limit if the caller
 * has already waited for another lookup.
 * @returns A copy, because other nodes may change a node's output data.
 */
export async function sharedLookUp<Value, Part = Value>(
	key: string,
	load: (maxTimeMs: number) => Promise<Value>,
	options: Options<Value, Part> = {},
): Promise<Part> {
	const {
		select = (value) => value as unknown as Part,
		maxTimeMs = Infinity,
		lifeMs,
		isCertain,
	} = options;
	const endsAt = performance.now() + maxTimeMs;
	let remainingMs = maxTimeMs;
	for (let other = lookUps.get(key); other; other = lookUps.get(key)) {
		if (other.endsAt > endsAt) break;
		const joined = await settle(other.value);
		if (joined.ok) return structuredClone(select(joined.value as Value));
		remainingMs = endsAt - performance.now();
		if (remainingMs < minLookUpMs || isCertain?.(joined.error)) throw joined.error;
	}
	const value = load(remainingMs);
	const lookUp: LookUp = { value, endsAt };
	lookUps.set(key, lookUp, Infinity);
	const settled = await settle(value);
	lookUp.endsAt = 0;
	const failureLifeMs = !settled.ok && isCertain?.(settled.error) ? sharedFailureMs : 0;
	lookUps.endIn(key, lookUp, settled.ok ? lifeMs : failureLifeMs);
	return structuredClone(select(await value));
}
