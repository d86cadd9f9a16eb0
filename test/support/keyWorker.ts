import type { IExecuteFunctions } from 'n8n-workflow';

import type { SentKeys } from '../../nodes/SignVerify/operations/sentKeys';
import type { ProcessedStore } from './processedStore';

/** The sent keys of a node as a worker of n8n has them: workers share the store and nothing else. */
export function keysOfWorker(store: ProcessedStore): SentKeys {
	let own: typeof SentKeys | undefined;
	jest.isolateModules(() => {
		({ SentKeys: own } = jest.requireActual<{ SentKeys: typeof SentKeys }>(
			'../../nodes/SignVerify/operations/sentKeys',
		));
	});
	if (!own) throw new Error('The module was not loaded.');
	const node = { id: 'node' };
	const context = {
		node,
		helpers: store.helpersFor(node),
		getWorkflow: () => ({ id: 'workflow' }),
	};
	return own.of(context as unknown as IExecuteFunctions);
}
