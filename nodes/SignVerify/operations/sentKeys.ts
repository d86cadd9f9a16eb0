import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../util/async';
import { KeyStore } from './keyStore';
import { idFrom, isCountOfPlaces, placesOf, placesToAsk } from './sentIds';

/** The entries of a key. */
const claimed = 'claimed';
const confirmed = 'sent';

/** The list in which the ID of what was sent for a key is kept. */
function idList(key: string): string {
	return `${key}\nid`;
}

/** The keys that a node has sent, each with the ID of what was sent. */
export class SentKeys {
	private constructor(private readonly store: KeyStore) {}

	/** The keys of the node that is running. */
	static of(execute: IExecuteFunctions): SentKeys {
		return new SentKeys(KeyStore.ofNode(execute));
	}

	/** Does something for a key while no other item of this process does anything for that key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await this.store.alone(key, work);
	}

	/**
	 * Records that a key is about to be sent.
	 * @returns `new` when nobody has recorded it; `sent` when it was sent; `unknown` when somebody
	 * recorded it and never said how it ended.
	 */
	async claim(key: string): Promise<'new' | 'sent' | 'unknown'> {
		const state = await this.stateOf(key);
		if (state !== 'new') return state;
		if (await this.store.create(key, claimed)) return 'new';
		return (await this.stateOf(key)) === 'sent' ? 'sent' : 'unknown';
	}

	/**
	 * What is recorded of a key, without recording anything.
	 * @returns As {@link claim}.
	 */
	async stateOf(key: string): Promise<'new' | 'sent' | 'unknown'> {
		const entries = await this.store.count(key);
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
		if (places.length > 0) await attempt(this.store.add(idList(key), places, places.length));
		await this.store.add(key, [confirmed]);
	}

	/**
	 * The ID of what was sent for a key. n8n records what it is asked for, so that what was kept has to
	 * be put back; where that is interrupted, the ID is lost, and the key is not.
	 * @returns undefined where none is kept.
	 */
	async idOf(key: string): Promise<string | undefined> {
		const list = idList(key);
		const count = await this.store.count(list);
		if (!isCountOfPlaces(count)) return undefined;
		const { before } = await this.store.add(list, placesToAsk(count), count);
		const id = idFrom(before);
		if (id !== undefined) await this.store.add(list, before, before.length);
		return id;
	}

	/** Forgets a key: it certainly was not sent. */
	async release(key: string): Promise<void> {
		await this.store.clear(key);
	}
}
