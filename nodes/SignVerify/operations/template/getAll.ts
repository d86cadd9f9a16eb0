import { isActive, listAllTemplates, nameOf } from '../../api/templates';
import { enteredIn, searchTextKind } from '../../form/texts';
import { fieldOf } from '../../form/field';
import {
	filtersField,
	outputField,
	resultLimitFields,
	readResultLimit,
} from '../../form/collections';
import { InputError, readAll } from '../../text/inputError';
import { outputs } from '../../form/values';
import { readOptionalChoice } from '../../form/savedForm';
import { readItemText } from '../../columns/itemText';
import { isTool } from '../../n8nInternals';
import { entriesOfRun } from '../../templateForm/templateEntries';
import { choicePage } from '../../templateForm/webForm';
import { nameFilter } from '../../util/values';
import type { Operation } from '../types';
import { outputOfTemplate } from './output';
import { templateProblems } from '../../columns/problems';

const webForm = {
	name: 'Web Form',
	value: 'webForm',
	description: 'One item with formFields, the page of a web form on which people choose a template',
} as const;

const outputOrFormField = { ...outputField(), options: [...outputs, webForm] };

const nameFilterLabel = 'Name Contains';

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
		filtersField([
			{
				displayName: nameFilterLabel,
				name: 'name',
				type: 'string',
				default: '',
				description: "Only templates whose name contains this text. Case and accents don't matter.",
			},
		]),
	],

	async run(item) {
		const { output, part } = readAll({
			output: () =>
				readOptionalChoice(item, fieldOf(outputOrFormField), [...outputs, webForm])?.value ??
				'simplified',
			part: () =>
				readItemText(
					item,
					enteredIn(item, { name: 'filters.name', label: nameFilterLabel }),
					searchTextKind,
				),
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
			throw new InputError(nameFilterLabel, templateProblems.noneActiveWithText);
		}
		const limit = readResultLimit(item);
		const templates = await item.remember(
			'all templates',
			async () => await listAllTemplates(item.service),
		);
		const isForModel = isTool(item.context);
		return templates
			.filter((template) => hasPart(nameOf(template)))
			.slice(0, limit)
			.map((template) => ({ json: outputOfTemplate(output, template, isForModel) }));
	},
};
