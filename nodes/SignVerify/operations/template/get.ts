import type { INodeProperties } from 'n8n-workflow';

import { nameOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { outputField } from '../../input/form';
import { InputError } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { readOutput } from '../../input/savedForm';
import { chosenTemplate, readTemplateChoice, templateLocator } from '../../templateForm/fields';
import { csvHeader } from '../../templateForm/roles';
import { entriesNamed, entriesOfRun } from '../../templateForm/templateEntries';
import { detailsPage, valuesForPage } from '../../templateForm/webForm';
import { quoted } from '../../util/redact';
import type { Operation } from '../types';
import { outputOfTemplate } from './output';

const byName = 'name';

/** The template locator, with a mode for the name that a web form returns. */
const templateField: INodeProperties = {
	...templateLocator,
	modes: [
		...(templateLocator.modes ?? []),
		{
			displayName: 'By Name',
			name: byName,
			type: 'string',
			placeholder: 'e.g. Employment contract',
		},
	],
};

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
	fields: [templateField, outputField()],

	async run(item) {
		const output = readOutput(item);
		const isByName = item.rawParameter(`${templateField.name}.mode`) === byName;
		const template = isByName ? await templateNamed(item) : await templateWithId(item);
		const json = outputOfTemplate(output, template);
		if (output === 'raw') return [{ json }];
		const formFields = detailsPage(template, valuesForPage(item, template));
		return [{ json: { ...json, csvHeader: csvHeader(template), formFields } }];
	},
};

async function templateWithId(item: ItemContext): Promise<Template> {
	readTemplateChoice(item);
	return await chosenTemplate(item);
}

/**
 * Finds the template with the entered name: the name in the node's own list and in a web form, or else the
 * template's own name.
 * @throws InputError unless exactly one template has the name, or ServiceError if a list of templates could
 * not be loaded.
 */
async function templateNamed(item: ItemContext): Promise<Template> {
	const { displayName } = templateField;
	const remedy = "Enter the template's name, or select the template from the list.";
	const name = readTemplateChoice(item, remedy);
	const entries = await entriesOfRun(item);
	const [found, other] = entriesNamed(entries, name);
	if (found && !other) return found.template;
	if (!found) {
		throw new InputError(
			displayName,
			`your account has no template with the name ${quoted(name)}`,
			'Select one from the list, or check the name.',
		);
	}
	throw new InputError(
		displayName,
		`several templates have the name ${quoted(nameOf(found.template))}`,
		'Enter the name as it is in the list, or select the template from the list.',
	);
}
