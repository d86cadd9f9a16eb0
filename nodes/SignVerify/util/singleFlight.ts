import { settle } from './async';
import { ProcessMemory } from './processMemory';

/** What {@link remember} needs of a Map, a WeakMap, or a ProcessMemory. */
interface Values<Key, Value> {
	has(key: Key): boolean;
	get(key: Key): Value | undefined;
	set(key: Key, value: Value): unknown;
}

export function remember<Key, Value>(
	values: Values<Key, Value>,
	key: Key,
	make: () => Value,
): Value {
	if (!values.has(key)) values.set(key, make());
	return values.get(key) as Value;
}

/** Work that all callers with the same key share while it runs. The first of them starts it. */
export class SingleFlight<Value> {
	private readonly flights = new ProcessMemory<Promise<Value>>();

	/** Joins the work with this key, or starts it. @throws The work's error, to each caller. */
	async run(key: string, start: () => Promise<Value>): Promise<Value> {
		const work = remember(this.flights, key, start);
		try {
			return await work;
		} finally {
			if (this.flights.get(key) === work) this.flights.delete(key);
		}
	}
}

const lookUps = new SingleFlight<unknown>();

const values = new ProcessMemory<unknown>({ bound: 100, lifeMs: 10_000 });

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
		if (values.has(key)) return structuredClone(values.get(key) as Value);
		const caller = { isFirst: false };
		const loadAndShare = async () => {
			caller.isFirst = true;
			const value = await load();
			values.set(key, value, lifeMs);
			return value;
		};
		const result = await settle(lookUps.run(key, loadAndShare));
		if (result.ok) return structuredClone(result.value as Value);
		if (caller.isFirst || performance.now() >= endsAt) throw result.error;
	}
}
