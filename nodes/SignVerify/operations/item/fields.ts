import { readKeyToKeep } from '../keyStore';
import type { ItemContext } from '../types';

/** How a workflow's keys are told from those that its nodes keep for other purposes. */
const prefix = 'item/';

/** Reads the key of an item, as it is kept. */
export function readItemKey(item: ItemContext): { key: string; entry: string } {
	const key = readKeyToKeep(
		item.execute,
		item.parameter('key'),
		'Key',
		"Let the expression give a short text, such as the event's eventId.",
	);
	return { key, entry: `${prefix}${key}` };
}

/** The item itself, as it came in. */
export function unchanged({ execute, itemIndex }: ItemContext) {
	const { json, binary } = execute.getInputData()[itemIndex] ?? { json: {} };
	return binary ? { json, binary } : { json };
}
