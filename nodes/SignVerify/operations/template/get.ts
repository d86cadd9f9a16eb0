import { outputField, readOutput } from '../../form/outputChoice';
import { isTool } from '../../n8nInternals';
import { csvHeader } from '../../templateForm/roles';
import {
	chosenTemplate,
	readTemplateChoice,
	templateLocator,
} from '../../templateForm/templateChoice';
import { detailsPage, valuesForPage } from '../../templateForm/webForm';
import type { Operation } from '../operationTypes';
import { outputOfTemplate } from './templateOutput';

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
		'Get a template with its fields and roles, a header row for a CSV file, and a page for a web form',
	fields: [templateLocator, outputField()],

	async run(item) {
		const output = readOutput(item);
		readTemplateChoice(item);
		const template = await chosenTemplate(item);
		const isForModel = isTool(item.context);
		const json = outputOfTemplate(output, template, isForModel);
		// A model has no use for the rest, and pays for each character of it.
		if (output === 'raw' || isForModel) return [{ json }];
		const formFields = detailsPage(template, valuesForPage(item, template));
		return [{ json: { ...json, csvHeader: csvHeader(template), formFields } }];
	},
};
