interface MemoryLimits {
	/** The maximum number of entries. Each additional entry evicts the oldest one. The default is no limit. */
	readonly bound?: number;
	/**
	 * How long (ms) an entry is retained after its value was written or its work ended. The default is until
	 * newer entries evict it.
	 */
	readonly lifeMs?: number;
}

interface Entry<Value> {
	value: Value;
	/**
	 * The value of `performance.now()` at which the entry expires. The machine's clock isn't used, because it
	 * can be set back.
	 */
	expiresAt: number;
}

const memories = new Set<ProcessMemory<unknown>>();

/**
 * Data that an n8n process remembers between executions. The number of entries is limited, because a process
 * runs for months. Never store anything here that must not be lost: a restart clears the memory, and in queue
 * mode, each process has its own.
 */
export class ProcessMemory<Value> {
	private readonly entries = new Map<string, Entry<Value>>();

	private readonly bound: number;

	private readonly lifeMs: number;

	constructor({ bound = Infinity, lifeMs = Infinity }: MemoryLimits = {}) {
		this.bound = bound;
		this.lifeMs = lifeMs;
		memories.add(this);
	}

	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		return entry && entry.expiresAt > performance.now() ? entry.value : undefined;
	}

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
		this.entries.set(key, { value, expiresAt: performance.now() + lifeMs });
		const [oldestKey] = this.entries.keys();
		if (this.entries.size > this.bound && oldestKey !== undefined) {
			this.entries.delete(oldestKey);
		}
	}

	/** Sets how much longer (ms) to retain an entry. Does nothing if the entry's value has been replaced. */
	endIn(key: string, value: Value, lifeMs = this.lifeMs): void {
		const entry = this.entries.get(key);
		if (entry?.value === value) entry.expiresAt = performance.now() + lifeMs;
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}

	/**
	 * Removes expired entries, from the oldest to the first one that hasn't expired. This matters because a
	 * single entry can be an 8 MB list of templates.
	 */
	private dropOld(): void {
		for (const [key, { expiresAt }] of this.entries) {
			if (expiresAt > performance.now()) return;
			this.entries.delete(key);
		}
	}
}

/** Clears all memories, as restarting the process would. For tests. */
export function clearAll(): void {
	for (const memory of memories) memory.clear();
}
