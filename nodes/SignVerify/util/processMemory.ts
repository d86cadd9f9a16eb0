/**
 * The name and the limits of a "memory": data that a process retains between executions. The table "What a
 * process remembers" in docs/dev/architecture.md contains the same facts.
 */
export interface MemoryFacts {
	/** The name of the remembered data, for the table. */
	readonly name: string;
	/** The maximum number of entries. Each additional entry evicts the oldest one. */
	readonly bound: number;
	/**
	 * How long an entry is retained: either a number of milliseconds since its value was written or its work
	 * ended, or while its work runs, or until newer entries evict it.
	 */
	readonly life: number | 'while it runs' | 'until pushed out';
}

interface Entry<Value> {
	value: Value;
	/**
	 * The value of `performance.now()` at which the entry expires. The machine's clock isn't used, because it
	 * can be set back.
	 */
	until: number;
}

/** All memories of this process, by name. */
const memories = new Map<string, ProcessMemory<unknown>>();

/**
 * Data that an n8n process remembers between executions. The number of entries is limited, because a process
 * runs for months. Never store anything here that must not be lost: a restart clears the memory, and in queue
 * mode, each process has its own.
 */
export class ProcessMemory<Value> {
	private readonly entries = new Map<string, Entry<Value>>();

	constructor(readonly facts: MemoryFacts) {
		memories.set(facts.name, this);
	}

	/** Returns the value for a key; undefined if there is none or if it has expired. */
	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		return entry && entry.until > performance.now() ? entry.value : undefined;
	}

	/** Whether there is an unexpired entry for a key. */
	has(key: string): boolean {
		return this.get(key) !== undefined;
	}

	/**
	 * Writes an entry, and makes it the newest one.
	 * @param lifeMs How long (ms) to retain the entry. Use Infinity while the entry's work is still running,
	 * and call {@link endIn} when the work ends.
	 */
	set(key: string, value: Value, lifeMs = this.lifeMs): void {
		this.entries.delete(key);
		this.dropOld();
		this.entries.set(key, { value, until: performance.now() + lifeMs });
		const [oldestKey] = this.entries.keys();
		if (this.entries.size > this.facts.bound && oldestKey !== undefined) {
			this.entries.delete(oldestKey);
		}
	}

	/** Sets how much longer (ms) to retain an entry. Does nothing if the entry's value has been replaced. */
	endIn(key: string, value: Value, lifeMs = this.lifeMs): void {
		const entry = this.entries.get(key);
		if (entry?.value === value) entry.until = performance.now() + lifeMs;
	}

	/** Removes an entry, if there is one. */
	delete(key: string): void {
		this.entries.delete(key);
	}

	/** Removes all entries. */
	clear(): void {
		this.entries.clear();
	}

	private get lifeMs(): number {
		const { life } = this.facts;
		return typeof life === 'number' ? life : Infinity;
	}

	/**
	 * Removes expired entries, from the oldest to the first one that hasn't expired. This matters because a
	 * single entry can be an 8 MB list of templates.
	 */
	private dropOld(): void {
		for (const [key, { until }] of this.entries) {
			if (until > performance.now()) return;
			this.entries.delete(key);
		}
	}
}

/** Returns the facts about every memory in the files that are loaded. */
export function memoryFacts(): MemoryFacts[] {
	return [...memories.values()].map(({ facts }) => facts);
}

/**
 * Clears all memories, as restarting the process would. For tests.
 * @param name If given, clears only the memory with this name, as if all its entries had expired.
 */
export function clearAll(name?: string): void {
	for (const memory of memories.values()) {
		if (name === undefined || memory.facts.name === name) memory.clear();
	}
}
