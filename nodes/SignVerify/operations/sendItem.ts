import type { IDataObject } from 'n8n-workflow';

import { DescribedError, describeError, ServiceError } from '../http/errors';
import { lostCreation } from '../http/messages';
import { readIncludedInput } from '../input/form';
import { readAll } from '../input/inputError';
import type { ItemContext, ItemOutput } from '../input/item';
import { settle, valueOf } from '../util/async';
import { type KeyState, readKey, type StoredKey } from './sendOnceKey';
import { hasTestRecipient, isForTestRecipient, readCheckOnly, readTestRecipient } from './testRuns';
import type { SendingOperation } from './types';

/** An item that is checked. */
export interface CheckedItem {
	checkOnly: boolean;
	key: StoredKey | undefined;
	/** Of the key. Unless it is `new`, the item is skipped, and nothing was prepared for it. */
	state: KeyState;
	/** Who gets it instead of the people, in a test run with "Test Recipient". No key is then looked up or recorded. */
	testRecipient?: string;
	/** What its output has of its input, whatever becomes of it. */
	included: { input?: IDataObject };
	/** What the operation has prepared. */
	data?: unknown;
}

/** By the ID of a key with which this run has sent an item, or may have: the output of all others. */
export type UsedKeys = Map<string, IDataObject>;

/**
 * Checks an item, unless its "Send Once Key" was sent before: an old row must not keep a new one from being
 * sent. Nothing is sent or recorded. In a test run with "Test Recipient", the key does not count.
 * @throws InputError for a wrong value, ServiceError for a look-up.
 */
export async function checkItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<CheckedItem> {
	const checkOnly = readCheckOnly(item);
	// If nothing is sent, nobody gets it.
	const isTest = !checkOnly && isForTestRecipient(item);
	const included = readIncludedInput(item);
	const key = await readKey(item, operation.resource);
	// Another run that sends it now has not said yet how that ended.
	const state = key && !isTest ? await key.alone(async () => await key.state()) : 'new';
	const checked = { checkOnly, included, key, state };
	if (state !== 'new') return checked;
	const prepared = await settle(operation.prepare(item));
	if (!isTest) return { ...checked, data: valueOf(prepared) };
	// The people are checked as they are, so a test finds what would be wrong with them.
	const { data, testRecipient } = readAll({
		data: () => valueOf(prepared),
		testRecipient: () => readTestRecipient(item),
	});
	return { ...checked, testRecipient, data: operation.redirect(data, testRecipient) };
}

/**
 * Sends a checked item, unless it is only checked, or its "Send Once Key" was sent meanwhile.
 * @param usedKeys Those of the run. That of the item is added.
 * @returns The output of sending, or one that says why the item was not sent.
 */
export async function sendItem(
	item: ItemContext,
	operation: SendingOperation,
	checked: CheckedItem,
	usedKeys: UsedKeys,
): Promise<ItemOutput> {
	const { checkOnly, included, key, data, testRecipient } = checked;
	const sendOrPreview = async (): Promise<ItemOutput> =>
		checkOnly
			? { json: { ...operation.preview(data), warnings: [...item.warnings] } }
			: await sendPrepared(item, operation, data, testRecipient);
	const output = key
		? await key.alone(async () => await sendOnce(item, key, checked, usedKeys, sendOrPreview))
		: await sendOrPreview();
	if (!checkOnly) return { ...output, json: { ...output.json, ...included } };
	const ignored = hasTestRecipient(item) ? ', and Test Recipient had no effect' : '';
	item.hint(`Check Only is on: nothing was sent${ignored}.`);
	return { json: { ...output.json, checkOnly, ...included } };
}

/**
 * Sends what was prepared.
 * @throws InputError, or ServiceError whose `mayHaveCreated` is false, only if nothing was created. Of any
 * other error nobody knows when it happened.
 */
async function sendPrepared(
	item: ItemContext,
	operation: SendingOperation,
	data: unknown,
	testRecipient: string | undefined,
): Promise<ItemOutput> {
	const sent = await settle(operation.send(item, data, testRecipient));
	if (sent.ok && testRecipient !== undefined) {
		item.hint(
			`This was sent to the Test Recipient (${testRecipient}) instead of the people. When the workflow is published, it is sent to the people.`,
		);
		return { ...sent.value, json: { ...sent.value.json, testRecipient } };
	}
	if (sent.ok) return sent.value;
	const { error } = sent;
	if (error instanceof DescribedError) throw error;
	const noun = operation.resource === 'identity' ? 'the identity request' : 'the document';
	throw lostCreation(`The node itself failed (${describeError(error).message})`, noun);
}

/**
 * Records the key in n8n's de-duplication store before anything is sent. If sending certainly failed, the
 * key is released. After a lost answer or a crash it is kept, because a second copy is worse than an
 * error. If the item is only checked, or goes to the test recipient, nothing is recorded.
 */
async function sendOnce(
	item: ItemContext,
	key: StoredKey,
	{ checkOnly, state, testRecipient }: CheckedItem,
	usedKeys: UsedKeys,
	sendOrPreview: () => Promise<ItemOutput>,
): Promise<ItemOutput> {
	const isRecorded = !checkOnly && testRecipient === undefined;
	// An item that is only checked, or a test, keeps no other from being sent.
	const name = isRecorded ? key.id : `${checkOnly ? 'checked' : 'test'} ${key.id}`;
	const twin = usedKeys.get(key.id) ?? usedKeys.get(name);
	if (twin) {
		item.hint('An item was skipped: another item has the same Send Once Key.');
		return { json: twin, isUnsure: twin.mayHaveBeenCreated === true };
	}
	const use = (more: IDataObject = {}) => {
		const reason = `Item ${item.itemIndex + 1} has the same key`;
		usedKeys.set(name, { skipped: true, sendOnceKey: key.text, ...more, reason });
	};
	// Another run may have sent it since it was checked.
	const before = state === 'new' && isRecorded ? await key.claim() : state;
	if (before !== 'new') return skipped(item, key, before);
	const sent = await settle(sendOrPreview());
	if (sent.ok) {
		use();
		// The item was sent. If this fails, the key only says that it may have been.
		if (isRecorded) await settle(key.confirm());
		return sent.value;
	}
	const { error } = sent;
	if (!isRecorded) throw error;
	const isUnsure = error instanceof ServiceError && error.mayHaveCreated;
	const isKept = isUnsure || !(await settle(key.release())).ok;
	if (isKept) use({ mayHaveBeenCreated: true });
	if (isKept && error instanceof ServiceError) {
		throw error.withDetail(` The Send Once Key "${key.text}" is kept: a re-run skips this item.`);
	}
	throw error;
}

/** The output for a key that was sent before, or may have been. */
function skipped(item: ItemContext, key: StoredKey, state: KeyState): ItemOutput {
	const sendOnceKey = key.text;
	if (state === 'sent') {
		item.hint('An item was skipped: its Send Once Key was sent before.');
		return { json: { skipped: true, sendOnceKey, reason: 'This key was sent before' } };
	}
	item.hint(
		'An item was skipped, although it may not have been sent. See the reason in its output.',
	);
	const reason =
		'An earlier execution began to send this key, and its outcome is unknown. Look at the service. To send it again, use another key.';
	const json = { skipped: true, sendOnceKey, mayHaveBeenCreated: true, reason };
	return { json, isUnsure: true };
}
