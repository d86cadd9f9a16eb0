/** The facts about a memory. They limit it, and fill the table "What a process remembers" in docs/dev/architecture.md. */
export interface MemoryFacts {
	/** What is remembered, as the table names it. */
	readonly name: string;
	/** The maximum number of entries. A further entry pushes out the entry that was written first. */
	readonly bound: number;
	/** How long an entry is kept: milliseconds, or until its work has ended, or until it is deleted or pushed out. */
	readonly life: number | 'while it runs' | 'until pushed out';
}

interface Entry<Value> {
	value: Value;
	/** A moment of `performance.now()`, because the clock of a machine can be set back. */
	until: number;
}

/** All memories of this process, by their names. */
const memories = new Map<string, ProcessMemory<unknown>>();

/**
 * Something that a process of n8n remembers between executions. Each memory has a bound, because a process runs for
 * months. Never keep anything here that must not be lost: a restart clears the memory, and in queue mode, each process
 * has its own.
 */
export class ProcessMemory<Value> {
	private readonly entries = new Map<string, Entry<Value>>();

	constructor(readonly facts: MemoryFacts) {
		memories.set(facts.name, this);
	}

	/** The value of a key; undefined if there is none, or its life is over. */
	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		return entry && entry.until > performance.now() ? entry.value : undefined;
	}

	/** Whether there is an entry for a key whose life is not over. */
	has(key: string): boolean {
		return this.get(key) !== undefined;
	}

	/**
	 * Writes an entry as the newest one.
	 * @param lifeMs How long it is kept. The life of work that still runs is Infinity, until {@link endIn}.
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

	/** Sets how long (ms) an entry is still kept, unless another value has taken its place. */
	endIn(key: string, value: Value, lifeMs = this.lifeMs): void {
		const entry = this.entries.get(key);
		if (entry?.value === value) entry.until = performance.now() + lifeMs;
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}

	private get lifeMs(): number {
		const { life } = this.facts;
		return typeof life === 'number' ? life : Infinity;
	}

	/** Removes the entries whose life is over, the oldest first, because a single entry can be a list of templates of 8 MB. */
	private dropOld(): void {
		for (const [key, { until }] of this.entries) {
			if (until > performance.now()) return;
			this.entries.delete(key);
		}
	}
}

/** The facts of all memories whose files were loaded. */
export function memoryFacts(): MemoryFacts[] {
	return [...memories.values()].map(({ facts }) => facts);
}

/**
 * Forgets everything, as a restart of the process does. It is for tests.
 * @param name Forgets only this memory, as if the life of its entries were over.
 */
export function clearAll(name?: string): void {
	for (const memory of memories.values()) {
		if (name === undefined || memory.facts.name === name) memory.clear();
	}
}
