import { setImmediate } from 'node:timers/promises';

/** What a helper of n8n is told of a list. */
interface ListOptions {
	maxEntries?: number;
}

/**
 * n8n's de-duplication store as it is: a list for each node id. It reads what it has,
 * changes it and writes it back with time between, so that two changes at once lose one of them; only
 * of two that make a list, one fails.
 */
export class ProcessedStore {
	private readonly lists = new Map<string, string[]>();

	/** How often a list was written. */
	writes = 0;

	/** @param pause What takes time: each way to the database and back. */
	constructor(private readonly pause: () => Promise<void> = async () => await setImmediate()) {}

	/**
	 * n8n's helpers for a node. As n8n's, they read its id before they first wait.
	 * @param pause As that of the store, for one process alone.
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
				this.write(id, [...(list ?? []), ...fresh].slice(-maxEntries));
				return { new: fresh, processed };
			},
			getProcessedDataCount: async () => (await this.read(node.id, pause))?.length ?? 0,
			clearAllProcessedItems: async () => {
				const { id } = node;
				await pause();
				this.lists.delete(id);
			},
		};
	}

	/** How many keys are kept. */
	get size(): number {
		return this.lists.size;
	}

	/** Leaves each key as a run leaves it that died before it noted the service's answer. */
	forgetAnswers(): void {
		for (const list of this.lists.values()) list.splice(1);
	}

	private async read(id: string, pause: () => Promise<void>): Promise<string[] | undefined> {
		const list = this.lists.get(id);
		await pause();
		return list && [...list];
	}

	private write(id: string, list: string[]): void {
		this.lists.set(id, list);
		this.writes++;
	}
}
