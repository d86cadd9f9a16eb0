import type { IDataObject } from 'n8n-workflow';

import { nounOf } from '../api/events';
import { mayHaveCreated, ServiceError } from '../http/errors';
import { failureOfSending } from '../http/failures';
import { type IncludedInput, readIncludedInput } from '../input/form';
import { readAll } from '../input/inputError';
import type { ItemContext, ItemOutput } from '../input/item';
import { attempt, settle, valueOf } from '../util/async';
import { listOf, objectOf } from '../util/values';
import { downloadNames } from './downloads';
import { type KeyState, readKey, type StoredKey } from './sendOnceKey';
import {
	type CheckOnlyReason,
	hasTestRecipient,
	isForTestRecipient,
	readCheckOnly,
	readTestRecipient,
} from './testRuns';
import type { Prepared, ResourceName, SendingOperation } from './types';

/**
 * The values that every checked item has, whether it will be sent or skipped. Sending uses these values
 * instead of reading the form again, because an expression could return a different value the second time.
 */
interface Checked {
	/** Why the item is only checked; undefined if it will be sent. */
	checkOnly: CheckOnlyReason | undefined;
	/** In a test run with "Test Recipient", the address to which everything is sent. */
	testRecipient?: string;
	/**
	 * Whether sending the item records its Send Once Key, if it has one. Nothing is recorded with Check Only
	 * or in a test run with "Test Recipient", so a later run can still send the item.
	 */
	isRecorded: boolean;
	/** The input's fields and files that the output includes, even for a skipped item. */
	included: IncludedInput;
}

/** A valid item without a Send Once Key. */
interface ItemWithoutKey extends Checked {
	state: 'new';
	key: undefined;
	prepared: Prepared;
}

/** A valid item whose Send Once Key was new when the item was checked. */
interface ItemWithKey extends Checked {
	state: 'new';
	key: StoredKey;
	prepared: Prepared;
}

type ReadyItem = ItemWithoutKey | ItemWithKey;

/**
 * An item that is skipped, because its Send Once Key has already been used or may have been. The item's other
 * fields were not checked.
 */
interface SkippedItem extends Checked {
	state: Exclude<KeyState, 'new'>;
	key: StoredKey;
	/** The item's people and its title, as far as they can be read. */
	described: IDataObject;
}

export type CheckedItem = ReadyItem | SkippedItem;

/**
 * The Send Once Keys that this run has used or may have used. For each key, the map contains the reason for
 * skipping any other items with the same key.
 */
export type UsedKeys = Map<string, IDataObject>;

/**
 * Checks an item, unless its Send Once Key has already been used. A list's new rows must be sent even if a
 * row that was sent earlier now contains a mistake. This function sends and records nothing. A test run with
 * "Test Recipient" ignores the key.
 * @throws InputError for a wrong value, or ServiceError if a lookup fails.
 */
export async function checkItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<CheckedItem> {
	const checkOnly = readCheckOnly(item);
	// Check Only sends nothing, so the test recipient has no effect.
	const isForTester = !checkOnly && isForTestRecipient(item);
	const isRecorded = !checkOnly && !isForTester;
	const included = readIncludedInput(item, downloadNames(item));
	const key = await readKey(item, operation.resource);
	// Wait until no other run in this process is using the key, because the key's state can change until
	// then.
	const state = key && !isForTester ? await key.alone(async () => await key.state()) : 'new';
	const checked = { checkOnly, included, isRecorded };
	if (key && state !== 'new') {
		return { ...checked, key, state, described: await operation.describe(item) };
	}
	const ready = { ...checked, key, state: 'new' } as const;
	if (!isForTester) return { ...ready, prepared: await operation.prepare(item) };
	const recipient = attempt(() => readTestRecipient(item));
	const preparation = await settle(
		operation.prepare(item, recipient.ok ? recipient.value : undefined),
	);
	// Check everything before throwing so that one error lists both the item's mistakes and an invalid test
	// recipient.
	const { prepared, testRecipient } = readAll({
		prepared: () => valueOf(preparation),
		testRecipient: () => valueOf(recipient),
	});
	return { ...ready, testRecipient, prepared };
}

/**
 * Sends a checked item, unless Check Only is on or the item's Send Once Key has been used since the check.
 * @param usedKeys The keys that this run has used so far. This function adds the item's key.
 * @returns The output from sending the item, or an output that explains why it was not sent.
 */
export async function sendItem(
	item: ItemContext,
	resource: ResourceName,
	checked: CheckedItem,
	usedKeys: UsedKeys,
): Promise<ItemOutput> {
	const { checkOnly, included } = checked;
	const { json: inputFields, ...inputFiles } = included;
	const output = checked.key
		? await checked.key.alone(async () => await sendOnce(item, resource, checked, usedKeys))
		: await sendOrPreview(item, resource, checked);
	if (!checkOnly) return { ...output, json: { ...output.json, ...inputFields }, ...inputFiles };
	const whenPublished =
		resource === 'identity'
			? 'requests a verification for the real person'
			: 'sends to the real people';
	const reason =
		checkOnly === 'testRun'
			? `this was a test run, and Check Only is set to In Test Runs. When the published workflow runs, the node ${whenPublished}.`
			: "Check Only is set to On. With this setting, the node won't send anything, even if the workflow is published.";
	const ignored = hasTestRecipient(item) ? ' Test Recipient had no effect.' : '';
	item.hint(`Everything was checked, but nothing was sent, because ${reason}${ignored}`, 'info');
	return { json: { ...output.json, checkOnly: true, ...inputFields }, ...inputFiles };
}

/** Sends an item, or returns its preview if Check Only is on. */
async function sendOrPreview(
	item: ItemContext,
	resource: ResourceName,
	{ checkOnly, prepared, testRecipient, included }: ReadyItem,
): Promise<ItemOutput> {
	if (checkOnly) return { json: { ...prepared.preview(), warnings: [...item.warnings] } };
	const output = await sendPrepared(resource, prepared, included);
	if (testRecipient === undefined) return output;
	item.hint(
		resource === 'identity'
			? `This was a test: the verification is for ${testRecipient} instead of the real person. Once you publish the workflow, the real person is verified.`
			: `This was a test: everything went to ${testRecipient} instead of the real people. Once you publish the workflow, everything goes to them.`,
	);
	return { ...output, json: { ...output.json, testRecipient } };
}

/**
 * Sends a prepared item.
 * @throws ServiceError, whose `mayHaveCreated` is true if something may have been created.
 */
async function sendPrepared(
	resource: ResourceName,
	prepared: Prepared,
	included: IncludedInput,
): Promise<ItemOutput> {
	const sent = await settle(prepared.send(included));
	if (sent.ok) return sent.value;
	throw failureOfSending(sent.error, nounFor(resource));
}

/** How messages refer to the object that a resource's operations create. */
function nounFor(resource: ResourceName): string {
	return nounOf[resource === 'identity' ? 'identity' : 'document'];
}

/**
 * Sends an item with a Send Once Key. Before sending anything, records the key in n8n's de-duplication store.
 * If sending definitely failed, releases the key. After a lost response or a crash, the key stays recorded,
 * because sending a second copy is worse than an error.
 */
async function sendOnce(
	item: ItemContext,
	resource: ResourceName,
	checked: ItemWithKey | SkippedItem,
	usedKeys: UsedKeys,
): Promise<ItemOutput> {
	const { checkOnly, key, isRecorded } = checked;
	// Items that were only checked, or sent as a test, are remembered under a separate name, because they
	// must never keep a real item with the same key from being sent. A real item is remembered under the
	// key's ID, so later checks and tests with the same key are also skipped.
	const usedName = isRecorded ? key.id : `${checkOnly ? 'checked' : 'test'} ${key.id}`;
	const reasonForTwins = usedKeys.get(key.id) ?? usedKeys.get(usedName);
	if (reasonForTwins) {
		item.hint(
			'Some items have the same Send Once Key, so the node skipped all but one item for each key.',
		);
		const json = {
			skipped: true,
			sendOnceKey: key.text,
			...describedIn(checked),
			...reasonForTwins,
		};
		return { json, isUnsure: reasonForTwins.mayHaveBeenCreated === true };
	}
	const skipTwins = (details: IDataObject = {}) => {
		const reason = `Item ${item.itemIndex + 1} has the same key`;
		usedKeys.set(usedName, { ...details, reason });
	};
	if (checked.state !== 'new') return skipped(item, resource, checked, checked.state);
	// Another run may have used the key since this item was checked.
	const stateNow = isRecorded ? await key.claim() : 'new';
	if (stateNow !== 'new') return skipped(item, resource, checked, stateNow);
	const sent = await settle(sendOrPreview(item, resource, checked));
	if (sent.ok) {
		skipTwins();
		// If confirming fails, this run still treats the item as sent, and later runs treat it as possibly
		// sent.
		if (isRecorded) await settle(key.confirm());
		return sent.value;
	}
	const { error } = sent;
	if (!isRecorded) throw error;
	const isKept = mayHaveCreated(error) || !(await settle(key.release())).ok;
	if (isKept) skipTwins({ mayHaveBeenCreated: true });
	if (isKept && error instanceof ServiceError) {
		const stored = ` The Send Once Key "${key.text}" is stored, so later executions skip this item.`;
		const remedy = ` If your provider's account doesn't contain ${nounFor(resource)}, give the item a different key, and run it again.`;
		// If the error occurred after something was sent, it already tells the user not to send it again.
		const isSent = error.failure.what === 'succeeded';
		throw error.withDetail(isSent ? stored : stored + remedy);
	}
	throw error;
}

/** Returns a skipped item's people and its title, so that its row can be found without the key. */
function describedIn(checked: ItemWithKey | SkippedItem): IDataObject {
	if (checked.state !== 'new') return checked.described;
	const { title, signatories, email } = checked.prepared.preview();
	const people = listOf(signatories).map(objectOf);
	return {
		...(title === undefined ? {} : { title }),
		...(people.length > 0
			? { signatories: people.map((person) => ({ name: person.name, email: person.email })) }
			: {}),
		...(email === undefined ? {} : { email }),
	};
}

/** Returns the output for an item whose key has already been used, or may have been. */
function skipped(
	item: ItemContext,
	resource: ResourceName,
	checked: ItemWithKey | SkippedItem,
	state: KeyState,
): ItemOutput {
	const fields = { skipped: true, sendOnceKey: checked.key.text, ...describedIn(checked) };
	if (state === 'sent') {
		item.hint('Skipped every item whose Send Once Key has already been used.');
		return {
			json: { ...fields, reason: 'An item with this key has already been sent' },
		};
	}
	item.hint(
		'Skipped every item that an earlier execution may have sent. See the reasons in the output.',
	);
	const reason = `An earlier execution started sending the item with this key, but the outcome is unknown. Look for ${nounFor(resource)} in your provider's account. If you don't find it, run the item again with a different key.`;
	const json = { ...fields, mayHaveBeenCreated: true, reason };
	return { json, isUnsure: true };
}
