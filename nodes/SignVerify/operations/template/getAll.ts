import { listAllTemplates } from '../../api/templates';
import { filtersField, resultLimitFields, readResultLimit } from '../../input/form';
import { readAll } from '../../input/inputError';
import { readOptionalText, readOutput } from '../../input/savedForm';
import { normalName, textOf } from '../../util/values';
import type { Operation } from '../types';
import { outputOfTemplate, templateOutputField } from './output';

/**
 * template / getAll: lists the account's templates (docs/dev/service.md#list-templates-version-1,
 * #list-templates-version-2).
 */
export const getAllTemplates: Operation = {
	resource: 'template',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many templates',
	description:
		'List the templates in your account with their fields, their roles, and the questions that signatories answer',
	fields: [
		...resultLimitFields,
		templateOutputField,
		filtersField([
			{
				displayName: 'Name Contains',
				name: 'name',
				type: 'string',
				default: '',
				description: 'Only templates whose name contains this text. Not case-sensitive.',
			},
		]),
	],

	async run(item) {
		const { limit, output, part } = readAll({
			limit: () => readResultLimit(item),
			output: () => readOutput(item),
			part: () =>
				normalName(readOptionalText(item, { name: 'filters.name', label: 'Name Contains' })),
		});
		const templates = await item.remember(
			'all templates',
			async () => await listAllTemplates(item.service),
		);
		const found = templates
			.filter(({ name }) => normalName(textOf(name)).includes(part))
			.slice(0, limit);
		return found.map((template) => ({ json: outputOfTemplate(output, template) }));
	},
};
