/** Where a {@link SingleFlight} finds its work: a Map, a WeakMap, or a ProcessMemory. */
interface Flights<Key, Value> {
	get(key: Key): Promise<Value> | undefined;
	set(key: Key, work: Promise<Value>): unknown;
	delete(key: Key): unknown;
}

/** Work that all callers with the same key share. The first of them starts it. */
export class SingleFlight<Key, Value> {
	/**
	 * @param flights The work, by key.
	 * @param isKept Whether callers also share the work after it has ended. Otherwise, the next caller starts
	 * it again.
	 */
	constructor(
		private readonly flights: Flights<Key, Value>,
		private readonly isKept = false,
	) {}

	/** Joins the work with this key, or starts it. @throws The work's error, to each caller. */
	async run(key: Key, start: () => Promise<Value>): Promise<Value> {
		const joined = this.flights.get(key);
		if (joined) return await joined;
		const work = start();
		this.flights.set(key, work);
		try {
			return await work;
		} finally {
			if (!this.isKept && this.flights.get(key) === work) this.flights.delete(key);
		}
	}
}
