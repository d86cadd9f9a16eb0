import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { plainText } from '../util/redact';
import { objectOf } from '../util/values';
import type { ItemContext } from './types';

/**
 * The contexts of the items of one execution. They share the client and the look-ups.
 * @returns A function that makes the context of an item.
 */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): (itemIndex: number) => ItemContext {
	const lookups = new Map<string, Promise<unknown>>();
	const hints = new Set<string>();
	let form: IDataObject | undefined;

	const memoize = async <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
		let lookup = lookups.get(key);
		if (!lookup) {
			lookup = load();
			lookups.set(key, lookup);
		}
		return (await lookup) as Value;
	};

	const hint = (text: string): void => {
		const message = plainText(text);
		if (hints.has(message)) return;
		hints.add(message);
		execute.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	};

	const rawParameter = (name: string): unknown => {
		// Once for all items, because n8n copies the whole node each time.
		form ??= execute.getNode().parameters as IDataObject;
		return name.split('.').reduce<unknown>((value, part) => objectOf(value)[part], form);
	};

	return (itemIndex) => ({
		execute,
		itemIndex,
		get input() {
			return execute.getInputData()[itemIndex] ?? { json: {} };
		},
		service,
		memoize,
		hint,
		rawParameter,
		// Without a fallback, n8n throws if the workflow does not have the parameter.
		parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
		locator: (name) => {
			const value: unknown = execute.getNodeParameter(name, itemIndex, '', { extractValue: true });
			return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		},
	});
}
