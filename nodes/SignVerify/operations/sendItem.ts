import type { INodeProperties } from 'n8n-workflow';

import { describeError, ServiceError } from '../http/errors';
import { lostCreation } from '../http/messages';
import { hasNodeId } from '../n8nInternals';
import { settle } from '../util/async';
import { isEmpty } from '../util/values';
import { readCheckOnly } from './form';
import { InputError } from './inputError';
import { type KeyState, StoredKey } from './keyStore';
import { isInForm, trimUnseen } from './parameters';
import type { ItemContext, ItemOutput, Prepared, SendingOperation } from './types';

/** An option of the operations that mail people. */
export const sendOnceOption: INodeProperties = {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.contractNumber }}',
	description:
		'What makes this item unique, such as a contract number. An item whose key this workflow has sent before is skipped. Another template is another document.',
	builderHint: { propertyHint: 'Set it where a workflow can run twice for one contract.' },
};

type Work = () => Promise<ItemOutput[]>;

/**
 * Sends an item, unless it is only checked, or its "Send Once Key" was sent before.
 * @returns The output of sending, or one that says why the item was not sent.
 */
export async function sendItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<ItemOutput[]> {
	const checkOnly = readCheckOnly(item);
	const key = await readKey(item, operation);
	const work = async () => {
		const prepared = await operation.prepare(item);
		return checkOnly ? [{ json: prepared.preview }] : await send(operation, prepared);
	};
	const once = checkOnly ? checkOnce : sendOnce;
	const outputs = key ? await key.alone(async () => await once(item, key, work)) : await work();
	if (!checkOnly) return outputs;
	item.hint('Check Only is on: nothing was sent.');
	return outputs.map(({ json }) => ({ json: { ...json, checkOnly } }));
}

/**
 * Sends what was prepared.
 * @throws InputError, or ServiceError whose `mayHaveCreated` is false, only if nothing was created. Of any
 * other error nobody knows when it happened.
 */
async function send({ resource }: SendingOperation, prepared: Prepared): Promise<ItemOutput[]> {
	const sent = await settle(prepared.send());
	if (sent.ok) return sent.value;
	const { error } = sent;
	if (error instanceof InputError || error instanceof ServiceError) throw error;
	const noun = resource === 'identity' ? 'the identity request' : 'the document';
	throw lostCreation(`The node itself failed (${describeError(error).message})`, noun);
}

/**
 * Records the key in n8n's de-duplication store before anything is sent. If sending certainly failed, the
 * key is released. After a lost answer or a crash it is kept, because a second copy is worse than an
 * error.
 */
async function sendOnce(item: ItemContext, key: StoredKey, work: Work): Promise<ItemOutput[]> {
	const state = await key.claim();
	if (state !== 'new') return skipped(item, key, state);
	const sent = await settle(work());
	if (sent.ok) {
		// The item was sent. If this fails, the key only says that it may have been.
		await settle(key.confirm());
		return sent.value;
	}
	const { error } = sent;
	const isUnsure = error instanceof ServiceError && error.mayHaveCreated;
	const isKept = isUnsure || !(await settle(key.release())).ok;
	if (isKept && error instanceof ServiceError) {
		throw error.withDetail(` The Send Once Key "${key.text}" is kept: a re-run skips this item.`);
	}
	throw error;
}

/** As {@link sendOnce}, but nothing is recorded. Of several items with one key, the first would be sent. */
async function checkOnce(item: ItemContext, key: StoredKey, work: Work): Promise<ItemOutput[]> {
	const state = await key.state();
	if (state !== 'new') return skipped(item, key, state);
	const outputs = await work();
	const first = await item.memoize(`checked ${key.id}`, async () => item.itemIndex);
	if (first === item.itemIndex) return outputs;
	const reason = `Item ${first + 1} has the same key`;
	return [{ json: { skipped: true, sendOnceKey: key.text, reason } }];
}

/** The output for a key that was sent before, or may have been. */
function skipped(item: ItemContext, key: StoredKey, state: KeyState): ItemOutput[] {
	const sendOnceKey = key.text;
	if (state === 'sent') {
		item.hint('An item was skipped: its Send Once Key was sent before.');
		return [{ json: { skipped: true, sendOnceKey, reason: 'This key was sent before' } }];
	}
	item.hint('An item was skipped although nobody knows whether it was sent. Its reason says more.');
	const reason =
		'An earlier run began to send this key and was never told how it ended. Look at the service. To send it again, use another key.';
	return [{ json: { skipped: true, sendOnceKey, mayHaveBeenCreated: true, reason } }];
}

/**
 * Reads what makes an item unique.
 * @returns undefined if the form has no key.
 * @throws InputError if it has one, and the item's key is missing or cannot be kept: without a key, the
 * item would not have the protection that the user wants.
 */
async function readKey(
	item: ItemContext,
	{ resource }: SendingOperation,
): Promise<StoredKey | undefined> {
	const name = `options.${sendOnceOption.name}`;
	const value = item.parameter(name);
	if (isEmpty(value) && !isInForm(item, name)) return undefined;
	const wrong = (problem: string, remedy: string) =>
		new InputError(sendOnceOption.displayName, problem, remedy);
	// Other values are the same for many items: true, and NaN for a calculation that fails.
	const canBeKey = typeof value === 'string' || Number.isFinite(value);
	const text = canBeKey ? trimUnseen(value) : '';
	if (!text) {
		throw wrong(
			'the expression gives no text or number for this item',
			'Let it give a short text, such as a contract number.',
		);
	}
	if (!hasNodeId(item.execute)) {
		const remedy = 'Remove the key, or use another version of n8n.';
		throw wrong('this version of n8n cannot keep it', remedy);
	}
	// n8n keeps the keys with the workflow, so its database must have the workflow.
	if (!item.execute.getWorkflow().id) {
		const remedy = 'Save the workflow: n8n keeps the keys with it.';
		throw wrong('this workflow has not been saved', remedy);
	}
	const { id } = await item.service.account();
	const template = resource === 'document' ? item.locator('templateId') : '';
	return new StoredKey(item.execute, text, [id, resource, template]);
}
