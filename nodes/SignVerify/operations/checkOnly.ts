import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../transport/errors';
import { isInForm } from './options';
import { readSwitch } from './parameters';
import type { ItemContext, ItemOutput, Prepared } from './types';

/** The option of the operations that mail people. */
export const checkOnlyOption: INodeProperties = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'boolean',
	default: false,
	description:
		"Whether to check everything and send nothing: the output says what would be sent. The expression {{ $execution.mode === 'test' }} sends in published workflows only.",
	builderHint: { propertyHint: 'Switch on to try a workflow: nobody gets an e-mail.' },
};

/**
 * Whether an item is to be checked and not sent.
 * @throws InputError where the form holds an expression that gives neither on nor off: to send then
 * would be to mail people whom nobody meant to mail.
 */
export async function isCheckOnly(item: ItemContext): Promise<boolean> {
	const { name, displayName } = checkOnlyOption;
	const value = item.parameter(`options.${name}`);
	if (value !== undefined && value !== '') return readSwitch(value, displayName);
	if (!(await isInForm(item, name))) return false;
	throw new InputError(
		displayName,
		'the expression gives nothing for this item',
		'Let the expression give true or false.',
	);
}

/** What a checked item says in place of what sending it would have given. */
export function checkedOutput(
	item: ItemContext,
	{ preview }: Pick<Prepared, 'preview'>,
): ItemOutput[] {
	item.hint('Check Only is on: nothing was sent.');
	return [{ json: { ...preview, checkOnly: true } }];
}
