import { setImmediate } from 'node:timers/promises';

/**
 * n8n's de-duplication store as it is: a list for each node id. It reads a list, changes it and
 * writes it back with time between, so that two changes at once lose one of them; only of two that
 * make a list, one fails.
 */
export class ProcessedStore {
	private readonly lists = new Map<string, string[]>();

	/** How often a list was written. */
	writes = 0;

	/** n8n's helpers for a node. As n8n's, they read its id before they first wait. */
	helpersFor(node: { id: string }) {
		return {
			checkProcessedAndRecord: async (
				entries: string[],
				_scope: string,
				{ maxEntries = Infinity }: { maxEntries?: number },
			) => {
				const { id } = node;
				const list = await this.read(id);
				const processed = entries.filter((entry) => list?.includes(entry));
				const fresh = entries.filter((entry) => !list?.includes(entry));
				await setImmediate();
				if (!list && this.lists.has(id)) throw new Error('duplicate key value');
				this.write(id, [...(list ?? []), ...fresh].slice(-maxEntries));
				return { new: fresh, processed };
			},
			getProcessedDataCount: async () => (await this.read(node.id))?.length ?? 0,
			clearAllProcessedItems: async () => {
				const { id } = node;
				await setImmediate();
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

	private async read(id: string): Promise<string[] | undefined> {
		const list = this.lists.get(id);
		await setImmediate();
		return list && [...list];
	}

	private write(id: string, list: string[]): void {
		this.lists.set(id, list);
		this.writes++;
	}
}
