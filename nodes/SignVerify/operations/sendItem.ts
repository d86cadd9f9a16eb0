import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { credentialUnread, normalizeBaseUrl } from '../http/credential';
import { describeError, ServiceError } from '../http/errors';
import { lostCreation } from '../http/messages';
import { credentialType } from '../http/request';
import { readCheckOnly } from './checkOnly';
import { InputError } from './inputError';
import { settle } from '../util/async';
import { isEmpty, textOf } from '../util/values';
import { KeyStore } from './keyStore';
import { isInForm } from './parameters';
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
	builderHint: {
		propertyHint:
			'Set it where a workflow can run twice for one person, to a value from the item that is unique for each contract. An empty value fails the item.',
	},
};

interface KeyOfItem {
	key: string;
	/** The key with what it belongs to: the account, and what is sent. */
	entry: string;
	keys: KeyStore;
}

/**
 * Sends an item, unless it is only checked, or its "Send Once Key" was sent before.
 * @returns The output of sending, or one that says why the item was not sent.
 */
export async function sendItem(
	item: ItemContext,
	operation: SendingOperation,
): Promise<ItemOutput[]> {
	const isSentBefore = operation.isSentBefore?.(item) === true;
	const checkOnly = !isSentBefore && readCheckOnly(item);
	const own = isSentBefore ? undefined : await readKey(item, operation);
	if (!own) {
		const prepared = await operation.prepare(item);
		return checkOnly ? checkedOutput(item, prepared.preview) : await send(operation, prepared);
	}
	const work = checkOnly ? checkOnce : sendOnce;
	return await own.keys.alone(own.entry, async () => await work(item, operation, own));
}

/**
 * Records the key in n8n's de-duplication store before anything is sent. If sending certainly failed, the
 * key is released. After a lost answer or a crash it is kept, because a second copy is worse than an
 * error.
 */
async function sendOnce(
	item: ItemContext,
	operation: SendingOperation,
	own: KeyOfItem,
): Promise<ItemOutput[]> {
	const { key, entry, keys } = own;
	const state = await keys.claim(entry);
	if (state !== 'new') return [{ json: skipped(item, key, state) }];
	const sent = await settle(
		operation.prepare(item).then(async (prepared) => await send(operation, prepared)),
	);
	if (sent.ok) {
		// The item was sent. If this fails, the key only says that it may have been.
		await settle(keys.confirm(entry));
		return sent.value;
	}
	const { error } = sent;
	if (error instanceof ServiceError && error.mayHaveCreated) {
		throw error.withDetail(` The Send Once Key "${key}" is kept: a re-run skips this item.`);
	}
	await keys.release(entry);
	throw error;
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
	const isKnown = error instanceof InputError || error instanceof ServiceError;
	const noun = resource === 'identity' ? 'the identity request' : 'the document';
	throw isKnown
		? error
		: lostCreation(`The node itself failed (${describeError(error).message})`, noun);
}

/** As {@link sendOnce}, but nothing is recorded. Of several items with one key, the first would be sent. */
async function checkOnce(
	item: ItemContext,
	operation: SendingOperation,
	own: KeyOfItem,
): Promise<ItemOutput[]> {
	const state = await own.keys.stateOf(own.entry);
	const first = await item.memoize(`checked ${own.entry}`, async () => item.itemIndex);
	if (state !== 'new') return checkedOutput(item, skipped(item, own.key, state));
	if (first !== item.itemIndex) {
		const reason = `Item ${first + 1} has the same key`;
		return checkedOutput(item, { skipped: true, sendOnceKey: own.key, reason });
	}
	return checkedOutput(item, (await operation.prepare(item)).preview);
}

/** The output for a key that was sent before. */
function skipped(item: ItemContext, key: string, state: 'sent' | 'unknown'): IDataObject {
	if (state === 'sent') {
		item.hint('An item was skipped: its Send Once Key was sent before.');
		return { skipped: true, sendOnceKey: key, reason: 'This key was sent before' };
	}
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

/**
 * Reads what makes an item unique.
 * @returns undefined if the form has no key.
 * @throws InputError if it has one, and the item's key is missing or cannot be kept: without a key, the
 * item would not have the protection that the user wants.
 */
async function readKey(
	item: ItemContext,
	{ resource }: SendingOperation,
): Promise<KeyOfItem | undefined> {
	const name = `options.${sendOnceOption.name}`;
	const value = item.parameter(name);
	if (isEmpty(value) && !isInForm(item, name)) return undefined;
	const wrong = (problem: string, remedy: string) =>
		new InputError(sendOnceOption.displayName, problem, remedy);
	const another = 'Let the expression give a short text, such as a contract number.';
	// Other values are the same for many items: true, and NaN for a calculation that fails.
	const canBeKey = typeof value === 'string' || Number.isFinite(value);
	const key = canBeKey ? String(value).trim() : '';
	if (!key) {
		const problem = isEmpty(value)
			? 'the expression gives nothing for this item'
			: 'it is not a text or a number';
		throw wrong(problem, another);
	}
	const keys = KeyStore.ofWorkflow(item.execute);
	if (!keys) {
		const remedy = 'Remove the key, or use another version of n8n.';
		throw wrong('this version of n8n cannot keep it', remedy);
	}
	// n8n keeps the keys with the workflow, so its database must have the workflow.
	if (!item.execute.getWorkflow().id) {
		throw wrong(
			'this workflow has not been saved',
			'Save the workflow: n8n keeps the keys with it.',
		);
	}
	const account = await item.memoize('account', async () => await readAccount(item.execute));
	const template = resource === 'document' ? item.locator('templateId') : '';
	return { key, keys, entry: JSON.stringify([account, resource, template, key]) };
}

/** @throws ServiceError if n8n cannot give the credential, or it has no Base URL. */
async function readAccount(execute: IExecuteFunctions): Promise<string[]> {
	const read = await settle(execute.getCredentials(credentialType));
	if (!read.ok) throw credentialUnread(read.error);
	const { baseUrl, userId } = read.value;
	return [normalizeBaseUrl(baseUrl), textOf(userId).trim()];
}

/** The output for an item that was only checked. */
function checkedOutput(item: ItemContext, preview: IDataObject): ItemOutput[] {
	item.hint('Check Only is on: nothing was sent.');
	return [{ json: { ...preview, checkOnly: true } }];
}
