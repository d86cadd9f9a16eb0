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

	/** Takes a record from the data folder: nothing changed by that. */
	load(id: string, record: T): void {
		this.records.set(id, record);
	}
}
