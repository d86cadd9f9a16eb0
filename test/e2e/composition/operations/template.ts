import { templateId } from '../service';
import { byId, numbered } from './values';
import type { OperationUnderTest } from './types';

const calls = { token: 'POST /access/token', list: 'GET /templates/v2' };

/** template / getAll: one template for each item, so that there is one item out for each in. */
export const getAll: OperationUnderTest = {
	words: 'Template: Get Many',
	parameters: {
		resource: 'template',
		operation: 'getAll',
		templateVersion: 'v2',
		limit: '={{ $json.limit }}',
		filters: { status: 'ACTIVE' },
	},
	calls,
	prepare: async (_service, count) => numbered(count, () => ({ limit: 1 })),
	malformed: { limit: 0 },
	problemOf: (sandbox, _item, { json }) =>
		sandbox.templates().some(({ templateID }) => templateID === json.templateID)
			? undefined
			: `there is no template ${String(json.templateID)}`,
};

/** template / get */
export const get: OperationUnderTest = {
	words: 'Template: Get',
	parameters: {
		resource: 'template',
		operation: 'get',
		templateVersion: 'v2',
		templateId: byId('={{ $json.id }}'),
	},
	calls,
	prepare: async (_service, count) => numbered(count, () => ({ id: templateId })),
	malformed: { id: '' },
	absent: () => ({ id: '65f1c0de00000000000000ff' }),
	problemOf: (_sandbox, { id }, { json }) =>
		json.templateID === id ? undefined : `template ${String(json.templateID)}, not ${String(id)}`,
};
