import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../transport/client';
import { plainText } from '../util/plainText';
import type { ItemContext } from './types';

/**
 * Makes the contexts in which an operation works on the items of one execution.
 * @returns A function that gives the context of an item; all contexts share the client and look-ups.
 */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): (itemIndex: number) => ItemContext {
	const lookups = new Map<string, Promise<unknown>>();
	const hints = new Set<string>();

	const shared = async <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
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
		// Missing in n8n versions before hints; a warning is not worth failing for.
		execute.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
	};

	return (itemIndex) => ({
		execute,
		itemIndex,
		service,
		shared,
		hint,
		// Without a fallback n8n throws for a parameter that the workflow does not hold.
		parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
		locator: (name) => {
			const value: unknown = execute.getNodeParameter(name, itemIndex, '', { extractValue: true });
			return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		},
	});
}
