import type { INodeExecutionData } from 'n8n-workflow';

import type { Item, OperationUnderTest } from './types';
import { numbered } from './values';

/** The item comes out as it came in. */
const problemOf = (_sandbox: unknown, item: Item, { json }: INodeExecutionData) =>
	json.key === item.key ? undefined : `the item ${String(json.key)}, not ${String(item.key)}`;

const shared = {
	calls: {},
	prepare: async (_service: unknown, count: number) =>
		numbered(count, (n) => ({ key: `event-${n}` })),
	malformed: { key: '' },
	problemOf,
};

/** item / processOnce */
export const processOnce: OperationUnderTest = {
	...shared,
	words: 'Item: Process Once',
	parameters: { resource: 'item', operation: 'processOnce', key: '={{ $json.key }}' },
};

/** item / markProcessed, of keys that were never begun: in a test execution they pass. */
export const markProcessed: OperationUnderTest = {
	...shared,
	words: 'Item: Mark as Processed',
	parameters: { resource: 'item', operation: 'markProcessed', key: '={{ $json.key }}' },
};
