import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../util/async';
import { KeyStore } from './keyStore';

/** The entries of a key. */
const claimed = 'claimed';
const confirmed = 'sent';

/** The name of the list with the ID of what was sent for a key. */
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

	/** Does something while no other item of this process does anything for the same key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await this.store.alone(key, work);
	}

	/**
	 * Records that a key will be sent now.
	 * @returns `new` if it was not recorded before; `sent` if it was sent; `unknown` if it was recorded, but
	 * not how it ended.
	 */
	async claim(key: string): Promise<'new' | 'sent' | 'unknown'> {
		const state = await this.stateOf(key);
		if (state !== 'new') return state;
		if (await this.store.create(key, claimed)) return 'new';
		return (await this.stateOf(key)) === 'sent' ? 'sent' : 'unknown';
	}

	/** As {@link claim}, without recording anything. */
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
		// If this fails, a skipped item only has no ID.
		if (places.length > 0) await attempt(this.store.add(idList(key), places, places.length));
		await this.store.add(key, [confirmed]);
	}

	/**
	 * The ID of what was sent for a key. n8n records each text that it is asked for, so the ID is written
	 * again afterwards. If this is interrupted, the ID is lost, but not the key.
	 * @returns undefined if none is kept.
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

	/** Forgets a key that was certainly not sent. */
	async release(key: string): Promise<void> {
		await this.store.clear(key);
	}
}

/*
 * n8n's de-duplication store keeps a hash of each text, and only says whether it has a text. So an ID is
 * kept as its characters with their places ("0:6", "1:5", …), and read by asking for each character in
 * each place. The last characters are a checksum: an interrupted reading leaves something else behind.
 */

/** IDs that can be kept. */
const keepable = /^[\w.:~+/=-]{1,64}$/;
const alphabet = [
	...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
	...'abcdefghijklmnopqrstuvwxyz',
	...'0123456789_.:~+/=-',
];
const checkLength = 6;

function checkOf(id: string): string {
	return createHash('sha256').update(id).digest('base64url').slice(0, checkLength);
}

/** The texts to keep for an ID; none if its characters or its length cannot be kept. */
export function placesOf(id: string): string[] {
	if (!keepable.test(id)) return [];
	return [...`${id}${checkOf(id)}`].map((character, place) => `${place}:${character}`);
}

/** All texts that may be kept for an ID, ordered by place. */
export function placesToAsk(count: number): string[] {
	return Array.from({ length: count }, (_, place) =>
		alphabet.map((character) => `${place}:${character}`),
	).flat();
}

/** Whether this number of texts can be those of an ID. */
export function isCountOfPlaces(count: number): boolean {
	return count > checkLength && count <= 64 + checkLength;
}

/**
 * The ID for which texts were kept.
 * @param found In the order of {@link placesToAsk}.
 * @returns undefined if they are not those of an ID.
 */
export function idFrom(found: string[]): string | undefined {
	const text = found.map((each) => each.slice(each.indexOf(':') + 1)).join('');
	const id = text.slice(0, -checkLength);
	const isWhole = found.every((each, place) => each.startsWith(`${place}:`));
	return isWhole && id !== '' && checkOf(id) === text.slice(-checkLength) ? id : undefined;
}
