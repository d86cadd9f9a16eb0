import { settle, timeIsOver, withTimeout } from './async';
import { ProcessMemory } from './processMemory';
import { objectOf } from './values';

interface LookUp {
	value: Promise<unknown>;
	/** The longest time (ms) that the lookup can take; 0 once it has ended. */
	maxTimeMs: number;
}

/** The lookups from the last ten seconds, including those still running. */
const lookUps = new ProcessMemory<LookUp>({
	bound: 100,
	life: 10_000,
});

interface Options<Value, Part> {
	/**
	 * Selects the part of the value that the caller needs. Copying part of a long list is faster than copying
	 * the entire list.
	 */
	select?: (value: Value) => Part;
	/**
	 * The longest time (ms) that the lookup may take, and that the caller is willing to wait. The caller
	 * doesn't join a running lookup that may take longer, so an event never waits as long as an execution
	 * would.
	 */
	maxTimeMs?: number;
	/** How long (ms) to share the value once it has been looked up. The default is ten seconds. */
	lifeMs?: number;
	/** Whether a failure is certain to recur if the value is looked up again. */
	isCertain?: (error: unknown) => boolean;
}

/**
 * How long (ms) a failure is shared if it is certain to recur. This time is short, because people correct a
 * setting and try again. But without any sharing, hundreds of events that arrive at the same time would each
 * repeat the failing lookup, one after another.
 */
const sharedFailureMs = 1000;

/**
 * Looks up a value, or joins a lookup that is running or ended less than ten seconds ago. A failure is shared
 * only if it is certain to recur. After any other failure (the execution that started the lookup may have
 * been canceled, for instance), one of the waiting callers looks the value up again, and the others wait for
 * this new lookup until their own time runs out.
 * @param key Identifies the value and its owner. Different keys share nothing.
 * @returns A copy, because other nodes may change a node's output data.
 * @throws The lookup's error, or the previous lookup's error if the caller's time runs out during a new
 * lookup.
 */
export async function sharedLookUp<Value, Part = Value>(
	key: string,
	load: () => Promise<Value>,
	options: Options<Value, Part> = {},
): Promise<Part> {
	const { select = (value) => value as unknown as Part, maxTimeMs = Infinity, isCertain } = options;
	const endsAt = performance.now() + maxTimeMs;
	let previous: { error: unknown } | undefined;
	for (;;) {
		const other = lookUps.get(key);
		const joined = other && other.maxTimeMs <= maxTimeMs ? other.value : undefined;
		const value = joined ?? startLookUp(key, load, options);
		const result = await settle(previous ? inTime(value, endsAt) : value);
		if (result.ok) return structuredClone(select(result.value as Value));
		const { error } = result;
		// If the time ran out, only the previous error says what is wrong.
		if (previous && objectOf(error).code === timeIsOver) throw previous.error;
		if (!joined || isCertain?.(error) || performance.now() >= endsAt) throw error;
		previous = { error };
	}
}

/**
 * Starts a lookup that other callers can join. The lookup continues even when the caller that started it has
 * run out of time. Otherwise, whenever a caller with little time left started a lookup, it would fail for all
 * other callers as well.
 */
function startLookUp<Value, Part>(
	key: string,
	load: () => Promise<Value>,
	{ maxTimeMs = Infinity, lifeMs, isCertain }: Options<Value, Part>,
): Promise<unknown> {
	const value = load();
	const lookUp: LookUp = { value, maxTimeMs };
	lookUps.set(key, lookUp, Infinity);
	void settle(value).then((settled) => {
		lookUp.maxTimeMs = 0;
		const failureLifeMs = !settled.ok && isCertain?.(settled.error) ? sharedFailureMs : 0;
		lookUps.endIn(key, lookUp, settled.ok ? lifeMs : failureLifeMs);
	});
	return value;
}

/**
 * Waits for a lookup until the given time (`performance.now()`). @throws Error with the code
 * {@link timeIsOver}.
 */
async function inTime(value: Promise<unknown>, endsAt: number): Promise<unknown> {
	if (endsAt === Infinity) return await value;
	return await withTimeout(async () => await value, endsAt - performance.now());
}
