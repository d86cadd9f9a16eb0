import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../util/async';
import { KeyStore } from './keyStore';

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

/**
 * n8n's de-duplication store keeps a hash of each text that it is given, and tells no more of a text
 * than whether it has it. So an ID is kept as its characters with their places ("0:6", "1:5", …), and
 * read by asking for each character in each place. Characters at the end are made from the ID itself:
 * they tell an ID from what an interrupted reading leaves behind.
 */

/** IDs that can be kept: of letters, digits and the like, as services give them. */
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

/**
 * The texts to keep for an ID.
 * @returns None where the ID has characters, or a length, that cannot be kept.
 */
export function placesOf(id: string): string[] {
	if (!keepable.test(id)) return [];
	return [...`${id}${checkOf(id)}`].map((character, place) => `${place}:${character}`);
}

/**
 * All texts that may be kept for an ID, ordered by place.
 * @param count How many texts are kept.
 */
export function placesToAsk(count: number): string[] {
	return Array.from({ length: count }, (_, place) =>
		alphabet.map((character) => `${place}:${character}`),
	).flat();
}

/** How many texts can be kept for an ID. */
export function isCountOfPlaces(count: number): boolean {
	return count > checkLength && count <= 64 + checkLength;
}

/**
 * The ID that texts were kept for.
 * @param found In the order in which {@link placesToAsk} gives them.
 * @returns undefined when they are not those of an ID.
 */
export function idFrom(found: string[]): string | undefined {
	const text = found.map((each) => each.slice(each.indexOf(':') + 1)).join('');
	const id = text.slice(0, -checkLength);
	const isWhole = found.every((each, place) => each.startsWith(`${place}:`));
	return isWhole && id !== '' && checkOf(id) === text.slice(-checkLength) ? id : undefined;
}
