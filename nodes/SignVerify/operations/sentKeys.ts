import type { IExecuteFunctions } from 'n8n-workflow';

import { Turns } from '../transport/turns';

/** How many entries n8n keeps for a node; the oldest are forgotten. Each key takes two. */
const options = { mode: 'entries', maxEntries: 100_000 } as const;
const scope = 'node';

/** What waits to be written, and who waits for it. */
interface Batch {
	keys: string[];
	done: Promise<Set<string>>;
}

/** Turns at the store, by workflow and node; and turns of items with the same key. */
const turns = new Turns();

/** Keys collected for the next turn, by workflow and node. */
const collecting = new Map<string, Batch>();

/**
 * The keys that a node has sent, in n8n's own de-duplication store (its database), so that they
 * outlast the execution, a restart, and hold in every worker.
 *
 * n8n reads a node's whole list, changes it and writes it back, without a lock: two changes at once
 * lose one of them. So within a process changes take turns, and all keys that wait for a turn are
 * written in one go; and a recorded key is looked up once more, since another worker may have
 * overwritten it.
 */
export class SentKeys {
	private constructor(
		private readonly execute: IExecuteFunctions,
		private readonly place: string,
	) {}

	/** The keys of the node that is running. */
	static of(execute: IExecuteFunctions): SentKeys {
		return new SentKeys(execute, `${execute.getWorkflow().id} ${execute.getNode().id}`);
	}

	/** Does something for a key while no other item of this process does anything for that key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await turns.take(`${this.place} ${key}`, work);
	}

	/**
	 * Records that a key is about to be sent.
	 * @returns `new` when nobody has recorded it; `sent` when it was sent; `unknown` when somebody
	 * recorded it and never said how it ended.
	 */
	async claim(key: string): Promise<'new' | 'sent' | 'unknown'> {
		const fresh = await this.record(key);
		if (fresh.has(key)) {
			await this.record(key);
			return 'new';
		}
		const marker = sentMarker(key);
		if (!(await this.record(marker)).has(marker)) return 'sent';
		await this.release(marker);
		return 'unknown';
	}

	/** Records that a key was sent. */
	async confirm(key: string): Promise<void> {
		await this.record(sentMarker(key));
	}

	/** Forgets a key: it certainly was not sent. */
	async release(key: string): Promise<void> {
		await turns.take(
			this.place,
			async () => await this.execute.helpers.removeProcessed([key], scope, options),
		);
	}

	/** @returns Which keys of the batch were not there before. */
	private async record(key: string): Promise<Set<string>> {
		const waiting = collecting.get(this.place);
		if (waiting && !waiting.keys.includes(key)) {
			waiting.keys.push(key);
			return await waiting.done;
		}
		const batch: Batch = { keys: [key], done: Promise.resolve(new Set()) };
		// The same key twice in one batch would count as new for both; the second takes the next turn.
		if (!waiting) collecting.set(this.place, batch);
		batch.done = turns.take(this.place, async () => {
			if (collecting.get(this.place) === batch) collecting.delete(this.place);
			const { helpers } = this.execute;
			const result = await helpers.checkProcessedAndRecord(batch.keys, scope, options);
			return new Set(result.new.map(String));
		});
		return await batch.done;
	}
}

function sentMarker(key: string): string {
	return `sent ${key}`;
}
