import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../transport/errors';
import { attempt } from '../util/async';
import { checkedOutput, isCheckOnly } from './checkOnly';
import { hasTodaysForm } from './formVersions';
import { readKey } from './sendOnceKey';
import { SentKeys } from './sentKeys';
import type { ItemContext, ItemOutput, SendingOperation } from './types';

/** What a key stands for while an item is worked on. */
interface KeyOfItem {
	key: string;
	/** Tells the keys of several operations of a node apart. */
	entry: string;
	keys: SentKeys;
}

/**
 * Sends an item, unless it is only to be checked, or its "Send Once Key" was sent before.
 * @returns What sending gives; for an item that is not sent an output that says so and why.
 */
export async function sendItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<ItemOutput[]> {
	const checkOnly = await isCheckOnly(item);
	const key = await readKey(item);
	if (key === undefined) {
		const prepared = await operation.prepare(item);
		return checkOnly ? checkedOutput(item, prepared) : await prepared.send();
	}
	const keys = SentKeys.of(item.execute);
	const entry = `${operation.resource}/${operation.value}:${key}`;
	const own = { key, entry, keys };
	const work = checkOnly ? checkOnce : sendOnce;
	return await keys.alone(entry, async () => await work(item, operation, own));
}

/**
 * Records the key in n8n's de-duplication store before anything is sent: a certain failure frees it, an
 * unknown fate (a lost answer, a crash) keeps it, since a second copy is worse than an error.
 */
async function sendOnce(
	item: ItemContext,
	operation: SendingOperation,
	own: KeyOfItem,
): Promise<ItemOutput[]> {
	const { key, entry, keys } = own;
	const state = await keys.claim(entry);
	if (state !== 'new') return [{ json: await skipped(item, operation, own, state) }];
	const sent = await attempt(operation.prepare(item).then(async (ready) => await ready.send()));
	if (sent.ok) {
		// Where that fails, the key says from now on that it may have been sent; the item was sent.
		const id = hasTodaysForm(item) ? sent.value[0]?.sentId : undefined;
		await attempt(keys.confirm(entry, id));
		return sent.value;
	}
	const { error } = sent;
	if (error instanceof ServiceError && error.mayHaveCreated) {
		throw error.withDetail(` The Send Once Key "${key}" is kept: a re-run skips this item.`);
	}
	await keys.release(entry);
	throw error;
}

/** As {@link sendOnce}, without a trace: of several items with one key the first would be sent. */
async function checkOnce(
	item: ItemContext,
	operation: SendingOperation,
	own: KeyOfItem,
): Promise<ItemOutput[]> {
	const state = await own.keys.stateOf(own.entry);
	const first = await item.shared(`checked ${own.entry}`, async () => item.itemIndex);
	if (state !== 'new') {
		const json = await skipped(item, operation, own, state);
		return checkedOutput(item, { preview: json });
	}
	if (first !== item.itemIndex) {
		const reason = `Item ${first + 1} has the same key`;
		return checkedOutput(item, { preview: { skipped: true, sendOnceKey: own.key, reason } });
	}
	return checkedOutput(item, await operation.prepare(item));
}

/** What an item says whose key was sent before; with the ID of what was sent, for the next node. */
async function skipped(
	item: ItemContext,
	{ idField }: SendingOperation,
	{ key, entry, keys }: KeyOfItem,
	state: 'sent' | 'unknown',
): Promise<IDataObject> {
	if (state === 'unknown') {
		item.hint(
			'An item was skipped although nobody knows whether it was sent: an earlier run began to send it and was never told how it ended. The item says "mayHaveBeenCreated".',
		);
		return {
			skipped: true,
			sendOnceKey: key,
			mayHaveBeenCreated: true,
			reason:
				'An earlier run began to send this key and was never told how it ended. Look at the service. To send it again, use another key.',
		};
	}
	const id = await attempt(hasTodaysForm(item) ? keys.idOf(entry) : Promise.resolve(undefined));
	return {
		skipped: true,
		sendOnceKey: key,
		...(id.ok && id.value ? { [idField]: id.value } : {}),
		reason: 'This key was sent before',
	};
}
