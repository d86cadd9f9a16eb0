import type { INodePropertyOptions } from 'n8n-workflow';

import { listAllTemplates, templateVersions } from '../../api/templates';
import { filtersField, limitFields, readLimit, outputField } from '../../input/form';
import { readAll } from '../../input/inputError';
import { readChoice, readOutput } from '../../input/parameters';
import { normalName, textOf } from '../../util/values';
import type { Operation } from '../types';
import { outputOfTemplate } from './fields';

const generations = [
	{ name: 'All', value: 'all' },
	{ name: 'Version 1', value: 'v1', description: 'Templates with variables only' },
	{
		name: 'Version 2',
		value: 'v2',
		description: 'Templates with places to sign and questions to the signatories',
	},
] as const satisfies INodePropertyOptions[];

/**
 * template / getAll: the templates of the account (docs/dev/service.md#list-templates-version-1,
 * #list-templates-version-2).
 */
export const getAllTemplates: Operation = {
	resource: 'template',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many templates',
	description: 'List the templates of the account with their fields and roles',
	fields: [
		...limitFields,
		outputField,
		filtersField([
			{
				displayName: 'Generation',
				name: 'generation',
				type: 'options',
				options: generations,
				default: 'all',
				description:
					'Only templates of this generation. Each item says in templateVersion which it is.',
			},
			{
				displayName: 'Name Contains',
				name: 'name',
				type: 'string',
				default: '',
				description: 'Only templates whose name contains this text, in upper or lower case',
			},
		]),
	],

	async run(item) {
		const wanted = item.parameter('filters.generation') ?? 'all';
		const { generation, limit, output } = readAll({
			generation: () => readChoice(wanted, 'Generation', generations).value,
			limit: () => readLimit(item),
			output: () => readOutput(item.parameter(outputField.name)),
		});
		const versions = generation === 'all' ? templateVersions : [generation];
		const part = normalName(textOf(item.parameter('filters.name')));
		const templates = await item.memoize(
			`all templates ${generation}`,
			async () => await listAllTemplates(item.service, versions),
		);
		const found = templates
			.filter(({ name }) => normalName(textOf(name)).includes(part))
			.slice(0, limit);
		return found.map((template) => ({ json: outputOfTemplate(output, template) }));
	},
};
