import type { INodeProperties } from 'n8n-workflow';

import { readKeyToKeep } from './keyStore';
import { isInForm } from './options';
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
	const { name, displayName } = sendOnceOption;
	const value = item.parameter(`options.${name}`);
	const isEmpty = value === undefined || value === '';
	if (isEmpty && !(await isInForm(item, name))) return undefined;
	// To send it without a key would be to send it without the protection that was asked for.
	return readKeyToKeep(
		item.execute,
		value,
		displayName,
		'Let the expression give a short text, such as a contract number.',
	);
}
