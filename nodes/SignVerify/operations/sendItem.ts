import type { IDataObject } from 'n8n-workflow';

import { inOutputOrder, type ItemFate, outcomeFields } from '../item/outcome';
import { describeError, isExpressionError } from '../errors/nodeError';
import { mayHaveCreated, ServiceError } from '../http/serviceError';
import { errorOfSending } from '../http/failures';
import { remedyAfterLoss } from '../http/callProblems';
import { type IncludedValues, readIncludedInput } from '../item/includedInput';
import type { ItemContext, ItemOutput } from '../item/item';
import { InputError, joinErrors, readAll } from '../errors/inputError';
import { settle, type Settled, settleSync, valueOf } from '../util/async';
import { listOf, objectOf } from '../util/values';
import { downloadNames } from './awaitedFiles';
import { type KeyState, readKey, type StoredKey } from './sendOnceKey';
import {
	type Addressees,
	hintOfNothingSent,
	isUnsent,
	readAddressees,
	readTestRecipient,
} from './testRuns';
import type { Prepared, SendingOperation } from './operationTypes';

/**
 * The values that every checked item has, whether it will be sent or skipped. Sending uses these values
 * instead of reading the form again, because an expression could return a different value the second time.
 */
interface Checked {
	addressees: Addressees;
	testRecipient?: string;
	/**
	 * Whether sending the item records its Send Once Key, if it has one. Nothing is recorded unless the item
	 * goes to the real people, so a later run can still send it to them.
	 */
	isRecorded: boolean;
	/** What the output includes, even for a skipped item. */
	included: IncludedValues;
}

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
	/**
	 * What is wrong with the item's people if they can't be compared with those that the key was used for: an InputError,
	 * or n8n's error about an expression.
	 */
	mistakeInPeople?: unknown;
}

export type CheckedItem = ReadyItem | SkippedItem;

/** An empty row of a list, which isn't sent. */
export interface LeftOutItem {
	state: 'leftOut';
}

/** The result of an item's check; undefined for an item that wasn't checked. */
export type Check = Settled<CheckedItem | LeftOutItem> | undefined;

/** The Send Once Keys that this run has used or may have used, and whether the node knows which of the two. */
export type UsedKeys = Map<string, { isUnsure: boolean }>;

/** An item's output without the fields about its fate, and what is known about its fate. */
interface Handled extends ItemOutput {
	fate: Pick<ItemFate, 'skipped' | 'mistake' | 'mayHaveBeenCreated' | 'testRecipient'>;
}

/**
 * Checks an item, or only its people if its Send Once Key has already been used. A list's new rows must be sent even if a
 * row that was sent earlier now contains a mistake. This function sends and records nothing. An item for the
 * test recipient ignores the key.
 * @throws InputError for a wrong value, or ServiceError if a lookup fails.
 */
export async function checkItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<CheckedItem> {
	const addressees = readAddressees(item);
	const input = readIncludedInput(item, downloadNames(item));
	const key = await readKeyOf(item, operation);
	const included = key ? { ...input, json: { sendOnceKey: key.text, ...input.json } } : input;
	const checked = { addressees, included, isRecorded: addressees === 'realPeople' };
	if (addressees === 'testRecipient') {
		return { ...checked, key, state: 'new', ...(await prepareTest(item, operation)) };
	}
	// Wait until no other run in this process is using the key, because the key's state can change until
	// then.
	const skipped = await key?.alone(async () => await skippedAtCheck(item, operation, key));
	if (skipped) return { ...checked, ...skipped };
	return { ...checked, key, state: 'new', prepared: await operation.prepare(item) };
}

/**
 * Prepares an item for the test recipient. Checks everything before throwing, so that one error lists both the item's
 * mistakes and an invalid address.
 */
async function prepareTest(
	item: ItemContext,
	operation: SendingOperation,
): Promise<Required<Pick<ReadyItem, 'prepared' | 'testRecipient'>>> {
	const email = settleSync(() => readTestRecipient(item));
	const preparation = await settle(operation.prepare(item, email.ok ? email.value : undefined));
	return readAll({
		prepared: () => valueOf(preparation),
		testRecipient: () => valueOf(email),
	});
}

/**
 * @returns undefined if the key is new.
 * @throws InputError if the key was used for other people, or ServiceError if a lookup fails.
 */
async function skippedAtCheck(
	item: ItemContext,
	operation: SendingOperation,
	key: StoredKey,
): Promise<Omit<SkippedItem, keyof Checked> | undefined> {
	const state = await key.state();
	if (state === 'new') return undefined;
	const { output: described, addresses } = await operation.describe(item);
	const skipped = { key, state, described };
	if (state === 'unknown') return skipped;
	if (addresses.ok) {
		await key.checkPeople(addresses.value, operation.about);
		return skipped;
	}
	const { error } = addresses;
	// A row that was sent may have been damaged since, and the new rows must still be sent.
	if (error instanceof InputError || isExpressionError(error)) {
		return { ...skipped, mistakeInPeople: error };
	}
	throw error;
}

/** Reads the key. If it's wrong, checks everything else as well, because its empty cell is often a field's, too. */
async function readKeyOf(item: ItemContext, operation: SendingOperation) {
	const key = await settle(readKey(item, operation));
	if (key.ok || !(key.error instanceof InputError)) return valueOf(key);
	const preparation = await settle(operation.prepare(item));
	const mistake = preparation.ok ? undefined : preparation.error;
	throw mistake instanceof InputError
		? joinErrors([...mistake.parts, ...key.error.parts])
		: key.error;
}

/**
 * Sends a checked item, unless nothing is to be sent, or the item's Send Once Key has been used since the
 * check.
 * @param usedKeys The keys that this run has used so far. This function adds the item's key.
 * @returns The output from sending the item, or an output that explains why it was not sent.
 */
export async function sendItem(
	item: ItemContext,
	operation: SendingOperation,
	checked: CheckedItem,
	usedKeys: UsedKeys,
): Promise<ItemOutput> {
	const { addressees, included, key } = checked;
	const { json: includedFields, ...files } = included;
	const { fate, ...output } = checked.key
		? await checked.key.alone(async () => await sendOnce(item, operation, checked, usedKeys))
		: await sendOrPreview(item, operation, checked);
	const nothingSent = isUnsent(addressees) ? addressees : undefined;
	if (nothingSent) item.hint(hintOfNothingSent(nothingSent, operation.words), 'info');
	const fields = outcomeFields({
		about: operation.about,
		key: key?.text,
		nothingSent,
		hasWarnings: item.warnings.length > 0,
		...fate,
	});
	return {
		...output,
		json: inOutputOrder({ ...output.json, ...fields, ...includedFields }),
		...files,
		...(fate.mayHaveBeenCreated ? { isUnsure: true } : {}),
	};
}

async function sendOrPreview(
	item: ItemContext,
	{ words }: SendingOperation,
	{ addressees, prepared, testRecipient, included }: ReadyItem,
): Promise<Handled> {
	if (isUnsent(addressees)) {
		return { json: { ...prepared.preview(), warnings: [...item.warnings] }, fate: {} };
	}
	const sent = await settle(prepared.send(included));
	if (!sent.ok) throw errorOfSending(sent.error, words.noun);
	if (testRecipient === undefined) return { ...sent.value, fate: {} };
	item.hint(`This was a test: ${words.afterTest(testRecipient)}`);
	return { ...sent.value, fate: { testRecipient } };
}

/**
 * Sends an item with a Send Once Key, unless an item of this run or of an earlier execution has used the key.
 */
async function sendOnce(
	item: ItemContext,
	operation: SendingOperation,
	checked: ItemWithKey | SkippedItem,
	usedKeys: UsedKeys,
): Promise<Handled> {
	const { addressees, key, isRecorded } = checked;
	// Items that were only checked, or sent as a test, are remembered under a separate name, because they
	// must never keep a real item with the same key from being sent. A real item is remembered under the
	// key's ID, so later checks and tests with the same key are also skipped.
	const usedName = isRecorded ? key.id : `${addressees} ${key.id}`;
	// Only items whose key was new were compared with one another, so only they can be twins.
	if (checked.state !== 'new') return skipped(item, checked, checked.state);
	const used = usedKeys.get(key.id) ?? usedKeys.get(usedName);
	if (used) return skippedTwin(item, checked, used.isUnsure);
	const skipTwins = (isUnsure = false) => {
		usedKeys.set(usedName, { isUnsure });
	};
	if (isRecorded) return await sendRecorded(item, operation, checked, skipTwins);
	const output = await sendOrPreview(item, operation, checked);
	skipTwins();
	return output;
}

/**
 * Sends an item to the real people. Before sending anything, records the key in n8n's de-duplication store. If
 * sending definitely failed, releases the key. After a lost response or a crash, the key stays recorded,
 * because sending a second copy is worse than an error.
 * @param skipTwins Makes the run skip its other items with this key.
 */
async function sendRecorded(
	item: ItemContext,
	operation: SendingOperation,
	checked: ItemWithKey,
	skipTwins: (isUnsure?: boolean) => void,
): Promise<Handled> {
	const { key, prepared } = checked;
	// Another run may have used the key since this item was checked.
	const state = await key.claim();
	if (state === 'sent') await key.checkPeople(prepared.people, operation.about);
	if (state !== 'new') return skipped(item, checked, state);
	const sent = await settle(sendOrPreview(item, operation, checked));
	if (sent.ok) {
		skipTwins();
		// If confirming fails, this run still treats the item as sent, and later runs treat it as possibly
		// sent.
		await settle(key.confirm(prepared.people));
		return sent.value;
	}
	const { error } = sent;
	const isKept = mayHaveCreated(error) || !(await settle(key.release())).ok;
	if (!isKept) throw error;
	skipTwins(true);
	throw withKeptKey(error, key, operation);
}

/** Adds to an error that the item's key stays recorded, and what to do if the item wasn't sent after all. */
function withKeptKey(error: unknown, key: StoredKey, { words }: SendingOperation): unknown {
	if (!(error instanceof ServiceError)) return error;
	const stored = ` The Send Once Key "${key.text}" is stored, so later executions skip this item.`;
	// If the error occurred after something was sent, it already tells the user not to send it again.
	if (error.failure.what === 'succeeded') return error.withDetail(stored);
	if (error.mayHaveCreated) return error.withRemedy(remedyAfterLoss(words.noun, key.text));
	return error.withDetail(`${stored} Give it a different key before you run it again.`);
}

/** Returns an item's people and its title, so that its row can be found without the key. */
export function describedIn(checked: CheckedItem): IDataObject {
	if (checked.state !== 'new') return checked.described;
	const { title, signatories, email } = checked.prepared.preview();
	const people = listOf(signatories).map(objectOf);
	return {
		...(title === undefined ? {} : { title }),
		...(people.length > 0
			? { signatories: people.map((person) => ({ email: person.email, name: person.name })) }
			: {}),
		...(email === undefined ? {} : { email }),
	};
}

/** Returns the output for an item if another item of this run has used its key. */
function skippedTwin(item: ItemContext, checked: ItemWithKey, isUnsure: boolean): Handled {
	item.hint(
		'Some items have the same Send Once Key, so the node skipped all but one item for each key.',
	);
	return { json: describedIn(checked), fate: { skipped: 'twin', mayHaveBeenCreated: isUnsure } };
}

/** Returns the output for an item whose key an earlier execution has used, or may have used. */
function skipped(
	item: ItemContext,
	checked: ItemWithKey | SkippedItem,
	state: Exclude<KeyState, 'new'>,
): Handled {
	const json = describedIn(checked);
	if (checked.state !== 'new' && checked.mistakeInPeople !== undefined) {
		const { mistakeInPeople: error } = checked;
		item.hint(
			"Some items were skipped, because their Send Once Keys have already been used, but it isn't known whether for the same people. The output shows what to correct.",
		);
		const invalidFields = error instanceof InputError ? error.fields : [];
		const { message: mistake } = describeError(error);
		return { json: { ...json, invalidFields }, fate: { skipped: 'uncompared', mistake } };
	}
	const isUnsure = state === 'unknown';
	item.hint(
		isUnsure
			? 'Some items were skipped, because an earlier execution may have used their Send Once Keys, for the same people or for others. The output shows what to do.'
			: 'Some items were skipped, because their Send Once Keys have already been used.',
	);
	return { json, fate: { skipped: 'earlier', mayHaveBeenCreated: isUnsure } };
}
