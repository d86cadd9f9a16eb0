import { setImmediate } from 'node:timers/promises';

/**
 * n8n's de-duplication store as it is: it reads a node's whole list, changes it and writes it back
 * with time between, so that two changes at once lose one of them.
 */
export class ProcessedStore {
	private list: string[] = [];

	/** How often the list was written. */
	writes = 0;

	readonly helpers = {
		checkProcessedAndRecord: async (keys: string[]) => {
			const list = await this.read();
			const processed = keys.filter((key) => list.includes(key));
			const fresh = keys.filter((key) => !list.includes(key));
			await this.write([...list, ...fresh]);
			return { new: fresh, processed };
		},
		removeProcessed: async (keys: string[]) => {
			const list = await this.read();
			await this.write(list.filter((key) => !keys.includes(key)));
		},
	};

	/** The keys as they are stored now. */
	keys(): string[] {
		return [...this.list];
	}

	private async read(): Promise<string[]> {
		const list = [...this.list];
		await setImmediate();
		return list;
	}

	private async write(list: string[]): Promise<void> {
		await setImmediate();
		this.list = list;
		this.writes++;
	}
}
