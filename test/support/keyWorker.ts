import type { IExecuteFunctions } from 'n8n-workflow';

import type { ProcessedStore } from './processedStore';

/** A class of keys in n8n's store. */
interface Keys<Instance> {
	of(execute: IExecuteFunctions): Instance;
}

/**
 * Loads a class of keys as a worker of n8n has it: workers share the store and nothing else.
 * @param load Loads its module, with `jest.requireActual`.
 */
export function loadApart<Instance>(load: () => Keys<Instance>): Keys<Instance> {
	let keys: Keys<Instance> | undefined;
	jest.isolateModules(() => (keys = load()));
	if (!keys) throw new Error('The module was not loaded.');
	return keys;
}

/**
 * The keys of a node of a workflow.
 * @param pause What takes this worker time; as long as the store's unless it is given.
 */
export function keysIn<Instance>(
	keys: Keys<Instance>,
	store: ProcessedStore,
	{ workflow = 'workflow', pause }: { workflow?: string; pause?: () => Promise<void> } = {},
): Instance {
	const node = { id: 'node' };
	const context = {
		node,
		helpers: store.helpersFor(node, pause),
		getWorkflow: () => ({ id: workflow }),
	};
	return keys.of(context as unknown as IExecuteFunctions);
}
