import type { Operation } from '../types';
import { chosenTemplate, csvHeader, templateForTool, templateLocator } from './fields';

/**
 * template / get: one template with its fields, signature slots and questions. The service has no call
 * for a single template, so it is looked up in the list
 * (docs/dev/service.md#list-templates-version-1, #list-templates-version-2).
 */
export const getTemplate: Operation = {
	resource: 'template',
	value: 'get',
	name: 'Get',
	action: 'Get template',
	description:
		'Get one template: the fields to fill (form or inputs), the places to sign (signatories), the questions to each signatory (formSignatory), and the header of a CSV file for its fields (csvHeader)',
	toolOutput: templateForTool,
	fields: [templateLocator],

	async run(item) {
		const template = await chosenTemplate(item);
		return [{ json: { ...template, csvHeader: csvHeader(template) } }];
	},
};
