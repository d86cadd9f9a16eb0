import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, ServiceError } from '../transport/errors';
import { attempt } from '../util/async';
import { isObject, textOf } from '../util/values';
import { SentKeys } from './sentKeys';
import type { ItemContext, ItemOutput } from './types';

/** The option of the operations that mail people. */
export const sendOnceOption: INodeProperties = {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.contractNumber }}',
	description:
		'What makes this item unique, such as a contract number. An item whose key this node has sent before is skipped, also when the workflow is run again.',
};

/**
 * Sends an item unless its "Send Once Key" was sent before. The key is recorded in n8n's
 * de-duplication store before anything is sent: a certain failure frees it, an unknown fate (a lost
 * answer, a crash) keeps it, since a second copy is worse than an error.
 * @param operation Tells the keys of several operations of a node apart.
 * @param send Sends the item.
 * @returns What `send` gives; for an item that is skipped an output that says so and why.
 */
export async function sendOnce(
	item: ItemContext,
	operation: string,
	send: () => Promise<ItemOutput[]>,
): Promise<ItemOutput[]> {
	const key = await readKey(item);
	if (key === undefined) return await send();
	const keys = SentKeys.of(item.execute);
	const entry = `${operation}:${key}`;
	return await keys.alone(entry, async () => {
		const state = await keys.claim(entry);
		if (state !== 'new') return [{ json: skipped(key, state) }];
		const sent = await attempt(send());
		if (sent.ok) {
			// Where that fails, the key says from now on that it may have been sent; the item was sent.
			await attempt(keys.confirm(entry));
			return sent.value;
		}
		const { error } = sent;
		if (error instanceof ServiceError && error.mayHaveCreated) {
			throw error.withDetail(` The Send Once Key "${key}" is kept: a re-run skips this item.`);
		}
		await keys.release(entry);
		throw error;
	});
}

async function readKey(item: ItemContext): Promise<string | undefined> {
	const value = item.parameter('options.sendOnceKey');
	const isEmpty = value === undefined || value === '';
	if (isEmpty && !(await isAskedFor(item))) return undefined;
	const key = textOf(value).trim();
	const remedy = 'Let the expression give a short text, such as a contract number.';
	if (!key) {
		// To send it without a key would be to send it without the protection that was asked for.
		const problem = isEmpty
			? 'the expression gives nothing for this item'
			: 'it is not a text or a number';
		throw new InputError('Send Once Key', problem, remedy);
	}
	if (key.length > 500) {
		throw new InputError('Send Once Key', 'it is longer than 500 characters', remedy);
	}
	if (!SentKeys.areKept(item.execute)) {
		throw new InputError(
			'Send Once Key',
			'this version of n8n cannot keep it',
			'Remove the key, or use another version of n8n.',
		);
	}
	if (isStorable(item.execute)) return key;
	throw new InputError(
		'Send Once Key',
		'this workflow has not been saved',
		'Save the workflow: n8n keeps the keys with it.',
	);
}

/** Whether the form holds a key, whatever it comes to for an item. */
async function isAskedFor(item: ItemContext): Promise<boolean> {
	// Once for all items: n8n copies the whole node each time.
	return await item.shared('sendOnceKeyInForm', async () => {
		const options: unknown = item.execute.getNode().parameters.options;
		return isObject(options) && textOf(options.sendOnceKey).trim() !== '';
	});
}

/** n8n keeps the keys with the workflow, so there has to be one in its database. */
function isStorable(execute: IExecuteFunctions): boolean {
	return Boolean(execute.getWorkflow().id);
}

function skipped(key: string, state: 'sent' | 'unknown') {
	return state === 'sent'
		? { skipped: true, sendOnceKey: key, reason: 'This key was sent before' }
		: {
				skipped: true,
				sendOnceKey: key,
				mayHaveBeenCreated: true,
				reason:
					'An earlier run began to send this key and was never told how it ended. Look at the service; use another key to send it all the same.',
			};
}
