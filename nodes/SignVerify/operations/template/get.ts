import { readOutput } from '../../input/savedForm';
import { chosenTemplate, templateLocator } from '../../templateForm/fields';
import { csvHeader } from '../../templateForm/roles';
import type { Operation } from '../types';
import { outputOfTemplate, templateOutputField } from './output';

/**
 * template / get: returns one template with its fields and roles. The service has no endpoint for a single
 * template, so the node finds the template in the list (docs/dev/service.md#list-templates-version-1,
 * #list-templates-version-2).
 */
export const getTemplate: Operation = {
	resource: 'template',
	value: 'get',
	name: 'Get',
	action: 'Get template',
	description:
		"Get a template's fields, roles, and questions, and the header row for a CSV file with its data",
	fields: [templateLocator, templateOutputField],

	async run(item) {
		const output = readOutput(item);
		const template = await chosenTemplate(item);
		const json = outputOfTemplate(output, template);
		return [{ json: output === 'raw' ? json : { ...json, csvHeader: csvHeader(template) } }];
	},
};
