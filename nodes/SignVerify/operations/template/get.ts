import { outputField } from '../../input/form';
import { readOutput } from '../../input/parameters';
import type { Operation } from '../types';
import { chosenTemplate, outputOfTemplate, templateLocator } from './fields';

/**
 * template / get: one template with its fields and roles. The service has no call for a single template, so
 * it is looked up in the list
 * (docs/dev/service.md#list-templates-version-1, #list-templates-version-2).
 */
export const getTemplate: Operation = {
	resource: 'template',
	value: 'get',
	name: 'Get',
	action: 'Get template',
	description: 'Get one template: its fields to fill, and its roles to sign in',
	fields: [templateLocator, outputField],

	async run(item) {
		const output = readOutput(item.parameter(outputField.name));
		const template = await chosenTemplate(item);
		return [{ json: outputOfTemplate(output, template) }];
	},
};
