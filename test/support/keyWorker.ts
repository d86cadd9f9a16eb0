import type { IExecuteFunctions } from 'n8n-workflow';

import type { KeyStore } from '../../nodes/SignVerify/operations/keyStore';
import type { ProcessedStore } from './processedStore';

/** The sent keys of a node as a worker of n8n has them: workers share the store and nothing else. */
export function keysOfWorker(store: ProcessedStore): KeyStore {
	let own: typeof KeyStore | undefined;
	jest.isolateModules(() => {
		({ KeyStore: own } = jest.requireActual<{ KeyStore: typeof KeyStore }>(
			'../../nodes/SignVerify/operations/keyStore',
		));
	});
	if (!own) throw new Error('The module was not loaded.');
	const node = { id: 'node' };
	const context = {
		node,
		helpers: store.helpersFor(node),
		getWorkflow: () => ({ id: 'workflow' }),
	};
	return own.ofNode(context as unknown as IExecuteFunctions);
}
