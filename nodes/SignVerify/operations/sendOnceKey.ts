import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../transport/errors';
import { textOf } from '../util/values';
import { isInForm } from './options';
import { SentKeys } from './sentKeys';
import type { ItemContext } from './types';

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
 * Reads what makes an item unique.
 * @returns undefined where the form asks for no key.
 * @throws InputError where it asks for one, and the item has none that can be kept.
 */
export async function readKey(item: ItemContext): Promise<string | undefined> {
	const value = item.parameter('options.sendOnceKey');
	const isEmpty = value === undefined || value === '';
	if (isEmpty && !(await isInForm(item, sendOnceOption.name))) return undefined;
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

/** n8n keeps the keys with the workflow, so there has to be one in its database. */
function isStorable(execute: IExecuteFunctions): boolean {
	return Boolean(execute.getWorkflow().id);
}
