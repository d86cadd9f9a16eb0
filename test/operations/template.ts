import { byId } from '../support/service';
import type { Entries, OperationEntry } from '.';
import { numbered, token, unknownId, type Service } from './service';

const calls: OperationEntry['calls'] = {
	token,
	list: 'GET /templates/v2',
	olderList: 'GET /templates',
};
const simplified = [
	'templateId',
	'name',
	'description',
	'status',
	'templateVersion',
	'fields',
	'roles',
	'questions',
];

/** Items for the active version 2 templates, the only templates that Get Many returns. */
async function eachTemplate({ sandbox }: Service, count: number) {
	const all = sandbox
		.templates()
		.filter(({ version, status }) => version === 'v2' && status === 'ACTIVE');
	return numbered(count, (n) => {
		const { templateID: id, name } = all[(n - 1) % all.length] ?? {};
		return { id, name, limit: 1 };
	});
}

/**
 * The form limits the output to one template, because the matrix expects one output item for each input item.
 */
const getAll: OperationEntry = {
	parameters: {
		limit: '={{ $json.limit }}',
		filters: { name: '={{ $json.name }}' },
	},
	calls,
	prepare: eachTemplate,
	malformed: { limit: 0 },
	problemOf: (_sandbox, { id }, { json }) =>
		json.templateId === id ? undefined : `template ${String(json.templateId)}, not ${String(id)}`,
	simplified,
};

const get: OperationEntry = {
	parameters: { templateId: byId('={{ $json.id }}') },
	calls,
	prepare: eachTemplate,
	malformed: { id: '' },
	absent: () => ({ id: unknownId }),
	problemOf: getAll.problemOf,
	simplified: [...simplified, 'csvHeader', 'formFields'],
};

export const template: Entries = { get, getAll };
