/** Records by id, in the order of their creation, that tell when one of them changed. */
export class Collection<T> {
	private readonly records = new Map<string, T>();

	/** @param changed Told the id of each record that was put, changed or removed. */
	constructor(private readonly changed: (id: string) => void) {}

	get(id: string): T | undefined {
		return this.records.get(id);
	}

	/** All records, oldest first. */
	all(): T[] {
		return [...this.records.values()];
	}

	/** All ids, oldest first. */
	ids(): string[] {
		return [...this.records.keys()];
	}

	get size(): number {
		return this.records.size;
	}

	/** Adds or replaces a record; also to be called after changing one in place. */
	put(id: string, record: T): void {
		this.records.set(id, record);
		this.changed(id);
	}

	/** Says whether there was such a record. */
	remove(id: string): boolean {
		const existed = this.records.delete(id);
		if (existed) this.changed(id);
		return existed;
	}

	/** Puts other records, oldest first, in the place of all there are. */
	replace(records: Record<string, T>): void {
		for (const id of this.ids()) this.remove(id);
		for (const [id, record] of Object.entries(records)) this.put(id, record);
	}

	/** All records by id, oldest first; copies. */
	snapshot(): Record<string, T> {
		return structuredClone(Object.fromEntries(this.records));
	}

	/** Takes a record from the data folder: nothing changed by that. */
	load(id: string, record: T): void {
		this.records.set(id, record);
	}
}
