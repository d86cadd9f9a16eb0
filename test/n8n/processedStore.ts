import { setImmediate } from 'node:timers/promises';

/** The options that n8n's helpers accept for a list. */
interface ListOptions {
	maxEntries?: number;
}

/**
 * n8n's deduplication store, which keeps one list for each node ID. As in n8n, there is a pause between
 * reading a list and writing it back. If two callers change a list at the same time, one of the changes is
 * therefore lost. If both create the list, one of them fails.
 */
export class ProcessedStore {
	private readonly lists = new Map<string, string[]>();

	/** Every change so far: a list's new entries, or undefined if it was deleted. */
	private readonly changes: Array<[id: string, entries: string[] | undefined]> = [];

	/** The number of times that any list was written. */
	writes = 0;

	/** @param pause Waits as long as a database call takes. */
	constructor(private readonly pause: () => Promise<void> = async () => await setImmediate()) {}

	/**
	 * n8n's helpers for a node. As in n8n, they read the node's ID before their first pause.
	 * @param pause Replaces the store's pause, because each process has its own.
	 */
	helpersFor(node: { id: string }, pause = this.pause) {
		return {
			checkProcessedAndRecord: async (
				entries: string[],
				_scope: string,
				{ maxEntries = Infinity }: ListOptions,
			) => {
				const { id } = node;
				const list = await this.read(id, pause);
				const processed = entries.filter((entry) => list?.includes(String(entry)));
				const fresh = entries.map(String).filter((entry) => !list?.includes(entry));
				await pause();
				if (!list && this.lists.has(id)) throw new Error('duplicate key value');
				// n8n updates a row only if it's still there.
				if (!list || this.lists.has(id))
					this.write(id, [...(list ?? []), ...fresh].slice(-maxEntries));
				return { new: fresh, processed };
			},
			getProcessedDataCount: async () => (await this.read(node.id, pause))?.length ?? 0,
			clearAllProcessedItems: async () => {
				const { id } = node;
				await pause();
				this.set(id, undefined);
			},
		};
	}

	/** The number of stored lists. A confirmed key has two. */
	get size(): number {
		return this.lists.size;
	}

	/** Makes each key look as if its execution had died before it confirmed the key. */
	forgetAnswers(): void {
		for (const list of this.lists.values()) list.splice(1);
	}

	private async read(id: string, pause: () => Promise<void>): Promise<string[] | undefined> {
		const list = this.lists.get(id);
		await pause();
		return list && [...list];
	}

	private write(id: string, list: string[]): void {
		this.set(id, list);
		this.writes++;
	}

	private set(id: string, entries: string[] | undefined): void {
		this.changes.push([id, entries]);
		if (entries) this.lists.set(id, [...entries]);
		else this.lists.delete(id);
	}

	/** Returns the store that is left if every process is killed after this many changes. */
	after(changes: number): ProcessedStore {
		const store = new ProcessedStore(this.pause);
		for (const [id, entries] of this.changes.slice(0, changes)) store.set(id, entries);
		return store;
	}
}
