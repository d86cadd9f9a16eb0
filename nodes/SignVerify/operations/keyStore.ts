import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { hasNodeId, withNodeId } from '../n8nInternals';
import { settle, KeyedMutex } from '../util/async';

const scope = 'node';
/** The entries of a key, one after the other. */
const claimed = 'claimed';
const confirmed = 'sent';
/** More than the list of any key gets, because n8n drops what is above this number. */
const maxEntries = 10;
/** How often a key is claimed, because the database may refuse it if another worker also writes. */
const maxTries = 3;

/** What is known about a key. `unknown`: an execution began to send it, but not how that ended. */
type KeyState = 'new' | 'sent' | 'unknown';

/** By workflow and key. */
const mutex = new KeyedMutex();

/**
 * The keys that the nodes of a workflow have sent, in n8n's own de-duplication store, in its database. They survive a restart and
 * are the same in every worker.
 *
 * n8n keeps one list for each node, reads it whole, changes it and writes it back, without a lock. If two
 * workers do this at once, one of them loses what it wrote. So each key has its own list: the node has
 * another ID for the moment in which n8n reads it (n8nInternals.ts). The first entry of a list is an
 * insertion, and of two insertions the database refuses one. This is the lock. That ID says nothing of the
 * node, because a node that is copied or added again must find the keys.
 */
export class KeyStore {
	private constructor(private readonly execute: IExecuteFunctions) {}

	/** The keys that all nodes of the workflow share; undefined if this n8n cannot keep them. */
	static ofWorkflow(execute: IExecuteFunctions): KeyStore | undefined {
		return hasNodeId(execute) ? new KeyStore(execute) : undefined;
	}

	/** Does something while no other item of this process does anything for the same key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await mutex.run(`${this.execute.getWorkflow().id} ${key}`, work);
	}

	/**
	 * Records that a key will be sent now. If several callers do this at once, in any process, one of them
	 * gets `new`.
	 * @returns Its state before; `new` means that the caller may send it.
	 * @throws n8n's error if its database fails.
	 */
	async claim(key: string): Promise<KeyState> {
		for (let tries = 1; ; tries++) {
			const state = await this.stateOf(key);
			if (state !== 'new') return state;
			const added = await settle(this.add(key, claimed));
			if (added.ok && added.value) return 'new';
			// Another caller was first, or has released the key again, or the database failed.
			if (tries < maxTries) continue;
			if (!added.ok) throw added.error;
			return 'unknown';
		}
	}

	/** As {@link claim}, without recording anything. */
	async stateOf(key: string): Promise<KeyState> {
		const entries = await this.inListOf(
			key,
			async (store) => await store.getProcessedDataCount(scope, { mode: 'entries' }),
		);
		if (entries === 0) return 'new';
		return entries > 1 ? 'sent' : 'unknown';
	}

	/** Records that a key was sent. */
	async confirm(key: string): Promise<void> {
		await this.add(key, confirmed);
	}

	/** Forgets a key that was certainly not sent. */
	async release(key: string): Promise<void> {
		await this.inListOf(
			key,
			async (store) => await store.clearAllProcessedItems(scope, { mode: 'entries' }),
		);
	}

	/**
	 * Adds an entry to the list of a key.
	 * @returns Whether it was not there before. This is certain only if nobody else writes to the list.
	 */
	private async add(key: string, entry: string): Promise<boolean> {
		const options = { mode: 'entries', maxEntries } as const;
		const { processed } = await this.inListOf(
			key,
			async (store) => await store.checkProcessedAndRecord([entry], scope, options),
		);
		return processed.length === 0;
	}

	/** Calls n8n's store for the list of a key. */
	private async inListOf<Value>(
		key: string,
		call: (store: IExecuteFunctions['helpers']) => Promise<Value>,
	): Promise<Value> {
		const list = `signVerify:${createHash('sha256').update(key).digest('base64url')}`;
		return await withNodeId(this.execute, list, async () => await call(this.execute.helpers));
	}
}
