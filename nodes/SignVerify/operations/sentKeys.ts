import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyStore } from './keyStore';

/** The entries of a key. */
const claimed = 'claimed';
const confirmed = 'sent';

/** What is known about a key. `unknown`: an execution began to send it, but not how that ended. */
type KeyState = 'new' | 'sent' | 'unknown';

/** The keys that a node has sent. */
export class SentKeys {
	private constructor(private readonly store: KeyStore) {}

	/** The keys of the node that is running. */
	static of(execute: IExecuteFunctions): SentKeys {
		return new SentKeys(KeyStore.ofNode(execute));
	}

	/** Does something while no other item of this process does anything for the same key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await this.store.alone(key, work);
	}

	/**
	 * Records that a key will be sent now.
	 * @returns Its state before; `new` means that the caller may send it.
	 */
	async claim(key: string): Promise<KeyState> {
		const state = await this.stateOf(key);
		if (state !== 'new') return state;
		if (await this.store.create(key, claimed)) return 'new';
		return (await this.stateOf(key)) === 'sent' ? 'sent' : 'unknown';
	}

	/** As {@link claim}, without recording anything. */
	async stateOf(key: string): Promise<KeyState> {
		const entries = await this.store.count(key);
		if (entries === 0) return 'new';
		return entries > 1 ? 'sent' : 'unknown';
	}

	/** Records that a key was sent. */
	async confirm(key: string): Promise<void> {
		await this.store.add(key, confirmed);
	}

	/** Forgets a key that was certainly not sent. */
	async release(key: string): Promise<void> {
		await this.store.clear(key);
	}
}
