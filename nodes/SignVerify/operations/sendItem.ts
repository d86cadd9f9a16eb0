import type { IDataObject, INodeProperties, WorkflowExecuteMode } from 'n8n-workflow';

import { DescribedError, describeError, ServiceError } from '../http/errors';
import { lostCreation } from '../http/messages';
import { readIncludedInput } from '../input/form';
import { InputError } from '../input/inputError';
import type { ItemContext, ItemOutput } from '../input/item';
import { readSwitch } from '../input/savedForm';
import { rootModeOf } from '../n8nInternals';
import { settle } from '../util/async';
import { type KeyState, readKey, type StoredKey } from './sendOnceKey';
import type { SendingOperation } from './types';

/** How executions begin in which "In Test Runs" checks, and in which it sends. */
const testModes: WorkflowExecuteMode[] = ['manual', 'chat', 'evaluation'];
const liveModes: WorkflowExecuteMode[] = ['trigger', 'webhook', 'error', 'cli', 'agent'];

/** An option of the operations that send something to people. */
export const checkOnlyOption: INodeProperties = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'options',
	options: [
		{ name: 'Off', value: 'off' },
		{ name: 'On', value: 'on' },
		{ name: 'In Test Runs', value: 'inTestRuns' },
	],
	default: 'off',
	description:
		'When to check everything and send nothing. The output says what would be sent. A test run is one from the editor, a chat or an evaluation.',
};

/**
 * A line above the options, unless "Check Only" is on in a test run.
 * @param does What executing the node does, as the rest of a sentence.
 */
export function sendsNotice(does: string): INodeProperties {
	return {
		displayName: `Execute step ${does}. To check without sending, add the option Check Only.`,
		name: 'sendsNotice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { '/options.checkOnly': ['on', 'inTestRuns'] } },
	};
}

/**
 * Whether the item is only checked.
 * @throws InputError for a value that is none of the three, and if nobody knows whether it is a test run.
 */
function readCheckOnly(item: ItemContext): boolean {
	const { name, displayName } = checkOnlyOption;
	const path = `options.${name}`;
	if (item.parameter(path) !== 'inTestRuns') return readSwitch(item, path, displayName);
	const mode = rootModeOf(item.execute);
	if (testModes.includes(mode)) return true;
	if (liveModes.includes(mode)) return false;
	throw new InputError(
		displayName,
		'n8n does not say whether this is a test run',
		'It says so neither for a retried execution nor after a wait in a sub-workflow. Choose Off or On.',
		'n8n-does-not-say-whether-this-is-a-test-run',
	);
}

/** An item that is checked. */
export interface CheckedItem {
	checkOnly: boolean;
	key: StoredKey | undefined;
	/** Of the key. Unless it is `new`, the item is skipped, and nothing was prepared for it. */
	state: KeyState;
	/** What its output has of its input, whatever becomes of it. */
	included: { input?: IDataObject };
	/** What the operation has prepared. */
	data?: unknown;
}

/** By the ID of a key with which this run has sent an item, or may have: the output of all others. */
export type UsedKeys = Map<string, IDataObject>;

/**
 * Checks an item, unless its "Send Once Key" was sent before: an old row must not keep a new one from being
 * sent. Nothing is sent or recorded.
 * @throws InputError for a wrong value, ServiceError for a look-up.
 */
export async function checkItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<CheckedItem> {
	const checkOnly = readCheckOnly(item);
	const included = readIncludedInput(item);
	const key = await readKey(item, operation.resource);
	// Another run that sends it now has not said yet how that ended.
	const state = key ? await key.alone(async () => await key.state()) : 'new';
	const data = state === 'new' ? await operation.prepare(item) : undefined;
	return { checkOnly, included, key, state, data };
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
	const { checkOnly, included, key, data } = checked;
	const sendOrPreview = async (): Promise<ItemOutput> =>
		checkOnly
			? { json: { ...operation.preview(data), warnings: [...item.warnings] } }
			: await sendPrepared(item, operation, data);
	const output = key
		? await key.alone(async () => await sendOnce(item, key, checked, usedKeys, sendOrPreview))
		: await sendOrPreview();
	if (!checkOnly) return { ...output, json: { ...output.json, ...included } };
	item.hint('Check Only is on: nothing was sent.');
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
): Promise<ItemOutput> {
	const sent = await settle(operation.send(item, data));
	if (sent.ok) return sent.value;
	const { error } = sent;
	if (error instanceof DescribedError) throw error;
	const noun = operation.resource === 'identity' ? 'the identity request' : 'the document';
	throw lostCreation(`The node itself failed (${describeError(error).message})`, noun);
}

/**
 * Records the key in n8n's de-duplication store before anything is sent. If sending certainly failed, the
 * key is released. After a lost answer or a crash it is kept, because a second copy is worse than an
 * error. If the item is only checked, nothing is recorded.
 */
async function sendOnce(
	item: ItemContext,
	key: StoredKey,
	{ checkOnly, state }: CheckedItem,
	usedKeys: UsedKeys,
	sendOrPreview: () => Promise<ItemOutput>,
): Promise<ItemOutput> {
	// An item that is only checked keeps no other from being sent.
	const name = checkOnly ? `checked ${key.id}` : key.id;
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
	const before = state === 'new' && !checkOnly ? await key.claim() : state;
	if (before !== 'new') return skipped(item, key, before);
	const sent = await settle(sendOrPreview());
	if (sent.ok) {
		use();
		// The item was sent. If this fails, the key only says that it may have been.
		if (!checkOnly) await settle(key.confirm());
		return sent.value;
	}
	const { error } = sent;
	if (checkOnly) throw error;
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
	item.hint('An item was skipped although nobody knows whether it was sent. Its reason says more.');
	const reason =
		'An earlier run began to send this key and was never told how it ended. Look at the service. To send it again, use another key.';
	const json = { skipped: true, sendOnceKey, mayHaveBeenCreated: true, reason };
	return { json, isUnsure: true };
}
