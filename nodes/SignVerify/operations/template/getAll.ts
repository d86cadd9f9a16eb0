import type { INodeProperties } from 'n8n-workflow';

import { isActive, listAllTemplates, nameOf } from '../../api/templates';
import { readItemText } from '../../columns/itemText';
import { filtersField } from '../../form/collections';
import { fieldOf } from '../../form/field';
import { outputField, outputs } from '../../form/outputChoice';
import { resultLimitFields, readResultLimit } from '../../form/resultLimit';
import { readOptionalChoice } from '../../form/savedForm';
import { enteredIn, searchTextRules } from '../../form/texts';
import { isTool } from '../../n8nInternals';
import { templateProblems } from '../../templateForm/templateProblems';
import { entriesOfRun } from '../../templateForm/templateEntries';
import { choicePage } from '../../templateForm/webForm';
import { InputError, readAll } from '../../errors/inputError';
import { nameFilter } from '../../util/names';
import type { Operation } from '../operationTypes';
import { outputOfTemplate } from './templateOutput';

const webForm = {
	name: 'Web Form',
	value: 'webForm',
	description: 'One item with formFields, the page of a web form on which people choose a template',
} as const;

const outputOrFormField = { ...outputField(), options: [...outputs, webForm] };

const nameField: INodeProperties = {
	displayName: 'Name Contains',
	name: 'name',
	type: 'string',
	default: '',
	description: "Only templates whose name contains this text. Case and accents don't matter.",
};

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
		// A page offers all templates, because otherwise people couldn't choose those at the end of the alphabet.
		...resultLimitFields.map((field) => ({
			...field,
			displayOptions: { ...field.displayOptions, hide: { output: [webForm.value] } },
		})),
		outputOrFormField,
		filtersField([nameField]),
	],

	async run(item) {
		const { output, part } = readAll({
			output: () =>
				readOptionalChoice(item, fieldOf(outputOrFormField), [...outputs, webForm])?.value ??
				'simplified',
			part: () =>
				readItemText(item, enteredIn(item, fieldOf(nameField, 'filters')), searchTextRules),
		});
		const hasPart = nameFilter(part);
		if (output === 'webForm') {
			const entries = await entriesOfRun(item);
			const offered = entries.filter(
				({ template }) => isActive(template) && hasPart(nameOf(template)),
			);
			if (offered.length > 0) return [{ json: { formFields: choicePage(offered) } }];
			if (part === '') {
				throw new InputError(outputOrFormField.displayName, templateProblems.noneActive);
			}
			throw new InputError(nameField.displayName, templateProblems.noneActiveWithText);
		}
		const maxResults = readResultLimit(item);
		const templates = await item.remember(
			'all templates',
			async () => await listAllTemplates(item.service),
		);
		const isForModel = isTool(item.context);
		return templates
			.filter((template) => hasPart(nameOf(template)))
			.slice(0, maxResults)
			.map((template) => ({ json: outputOfTemplate(output, template, isForModel) }));
	},
};
