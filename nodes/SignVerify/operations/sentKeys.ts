import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt, KeyedMutex } from '../util/async';
import { idFrom, isCountOfPlaces, placesOf, placesToAsk } from './sentIds';

/** How n8n keeps what belongs to a key: a list. It gets two entries at most, and so never drops one. */
const options = { mode: 'entries', maxEntries: 10 } as const;
const scope = 'node';

/** The entries of a key. */
const claimed = 'claimed';
const confirmed = 'sent';

/** The list in which the ID of what was sent for a key is kept. */
function idList(key: string): string {
	return `${key}\nid`;
}

/** Every context of n8n holds the node that it is for, by whose id n8n's store finds its list. */
interface HoldsNode {
	node?: { id: string };
}

/** Turns of items with the same key, by workflow, node and key. */
const mutex = new KeyedMutex();

/**
 * The keys that a node has sent, in n8n's own de-duplication store (its database), so that they
 * outlast the execution, a restart, and hold in every worker.
 *
 * n8n keeps one list for each node, reads it whole, changes it and writes it back, without a lock:
 * two workers that do so at once lose what one of them wrote. So each key gets a list of its own, by
 * lending the node another id for the moment in which n8n reads it. The first entry of a list is an
 * insertion, and of two insertions the database refuses one: that is the lock.
 *
 * The node in the context is not in n8n's published interface; see {@link SentKeys.areKept}.
 */
export class SentKeys {
	private constructor(
		private readonly execute: IExecuteFunctions,
		private readonly node: { id: string },
	) {}

	/** Whether this n8n can keep keys for the node that is running. */
	static areKept(execute: IExecuteFunctions): boolean {
		return typeof (execute as HoldsNode).node?.id === 'string';
	}

	/** The keys of the node that is running; only where {@link areKept}. */
	static of(execute: IExecuteFunctions): SentKeys {
		return new SentKeys(execute, (execute as HoldsNode).node ?? { id: '' });
	}

	/** Does something for a key while no other item of this process does anything for that key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await mutex.run(`${this.execute.getWorkflow().id} ${this.node.id} ${key}`, work);
	}

	/**
	 * Records that a key is about to be sent.
	 * @returns `new` when nobody has recorded it; `sent` when it was sent; `unknown` when somebody
	 * recorded it and never said how it ended.
	 */
	async claim(key: string): Promise<'new' | 'sent' | 'unknown'> {
		let state = await this.stateOf(key);
		if (state === 'new') {
			const recorded = await attempt(this.record(key, claimed));
			if (recorded.ok && recorded.value) return 'new';
			state = await this.stateOf(key);
			// Not refused because another worker was first: the database failed.
			if (!recorded.ok && state === 'new') throw recorded.error;
			if (state === 'new') return 'unknown';
		}
		return state;
	}

	/**
	 * What is recorded of a key, without recording anything.
	 * @returns As {@link claim}.
	 */
	async stateOf(key: string): Promise<'new' | 'sent' | 'unknown'> {
		const entries = await this.count(key);
		if (entries === 0) return 'new';
		return entries > 1 ? 'sent' : 'unknown';
	}

	/**
	 * Records that a key was sent.
	 * @param id What the service called it, for {@link idOf}.
	 */
	async confirm(key: string, id = ''): Promise<void> {
		const places = placesOf(id);
		// Not worth failing for: without it a skipped item has no ID.
		if (places.length > 0) await attempt(this.keepPlaces(key, places));
		await this.record(key, confirmed);
	}

	/**
	 * The ID of what was sent for a key. n8n records what it is asked for, so that what was kept has to
	 * be put back; where that is interrupted, the ID is lost, and the key is not.
	 * @returns undefined where none is kept.
	 */
	async idOf(key: string): Promise<string | undefined> {
		const count = await this.count(idList(key));
		if (!isCountOfPlaces(count)) return undefined;
		const { processed } = await this.keepPlaces(key, placesToAsk(count), count);
		const found = processed.map(String);
		const id = idFrom(found);
		if (id !== undefined) await this.keepPlaces(key, found);
		return id;
	}

	/** Forgets a key: it certainly was not sent. */
	async release(key: string): Promise<void> {
		const { helpers } = this.execute;
		await this.inListOf(key, async () => await helpers.clearAllProcessedItems(scope, options));
	}

	private async count(key: string): Promise<number> {
		const { helpers } = this.execute;
		return await this.inListOf(
			key,
			async () => await helpers.getProcessedDataCount(scope, options),
		);
	}

	/** @returns Whether the entry was not there before. */
	private async record(key: string, entry: string): Promise<boolean> {
		const { helpers } = this.execute;
		const result = await this.inListOf(
			key,
			async () => await helpers.checkProcessedAndRecord([entry], scope, options),
		);
		return result.new.length > 0;
	}

	/** @param most How many texts the list is to keep, the newest ones. */
	private async keepPlaces(key: string, places: string[], most = places.length) {
		const { helpers } = this.execute;
		return await this.inListOf(
			idList(key),
			async () =>
				await helpers.checkProcessedAndRecord(places, scope, { mode: 'entries', maxEntries: most }),
		);
	}

	/** Calls n8n's store for the list of a key. n8n reads the node's id before it first waits. */
	private async inListOf<Value>(key: string, call: () => Promise<Value>): Promise<Value> {
		const { id } = this.node;
		this.node.id = `${id}:${createHash('sha256').update(key).digest('base64url')}`;
		let answer: Promise<Value>;
		try {
			answer = call();
		} finally {
			this.node.id = id;
		}
		return await answer;
	}
}
