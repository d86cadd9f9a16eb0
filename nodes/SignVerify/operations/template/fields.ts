import type { IDataObject, INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';

import {
	findTemplate,
	listTemplates,
	nameOf,
	type Template,
	type TemplateVersion,
} from '../../api/templates';
import { isEmpty } from '../../util/values';
import { InputError } from '../inputError';
import { locatorField } from '../form';
import { pick, pickEach } from '../toolOutput';
import type { ItemContext, ToolOutput } from '../types';

/** Which generation of templates an operation works with. */
export const templateVersionField: INodeProperties = {
	displayName: 'Template Version',
	name: 'templateVersion',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Version 2',
			value: 'v2',
			description: 'Templates with signature slots and questions to the signatories',
		},
		{ name: 'Version 1', value: 'v1', description: 'Templates with variables only' },
	],
	default: 'v2',
	description: 'Which of the two generations of templates to use',
};

export const templateLocator = locatorField(
	{
		displayName: 'Template',
		name: 'templateId',
		description: 'The template to use',
		builderHint: { propertyHint: 'Choose one from the list of the account. Never make up an ID.' },
	},
	'Choose a template…',
	'searchTemplates',
);

/**
 * The settings of a form that is loaded when a template is chosen.
 * @param mapper The method that loads it, its heading, and whether the item's properties can be used by
 * their names.
 */
export function loadedWithTemplate(mapper: {
	resourceMapperMethod: string;
	valuesLabel: string;
	supportAutoMap: boolean;
}): INodePropertyTypeOptions {
	return {
		loadOptionsDependsOn: ['templateVersion', 'templateId.value'],
		resourceMapper: {
			mode: 'add',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: true,
			...mapper,
		},
	};
}

/** @throws InputError if there is no such version. */
export function readTemplateVersion(value: unknown): TemplateVersion {
	if (value === 'v1' || value === 'v2') return value;
	throw new InputError(
		'Template Version',
		'there is no such version',
		'Choose "Version 2" or "Version 1".',
	);
}

/** The templates of a version, loaded once for all items. */
export async function templatesOf(
	item: ItemContext,
	version: TemplateVersion,
): Promise<Template[]> {
	return await item.memoize(
		`templates ${version}`,
		async () => await listTemplates(item.service, version),
	);
}

/**
 * The template that is chosen for the item.
 * @throws InputError if none is chosen, or the account has none with that ID.
 */
export async function chosenTemplate(
	item: ItemContext,
	version: TemplateVersion,
): Promise<Template> {
	const id = item.locator('templateId');
	if (!id) {
		throw new InputError('Template', 'none is chosen', 'Choose one from the list or enter its ID.');
	}
	const template = findTemplate(await templatesOf(item, version), id);
	if (template) return template;
	const other = version === 'v2' ? '"Version 1"' : '"Version 2"';
	throw new InputError(
		'Template',
		`the account has no ${version} template with the ID "${id}"`,
		`Choose one from the list, or set Template Version to ${other} if it is one of those.`,
	);
}

/**
 * Checks the names in a form that was loaded with a template.
 * @param field What the form calls itself.
 * @throws InputError for a value under a name that the template does not have.
 */
export function checkNames(
	field: string,
	given: Map<string, unknown>,
	known: string[],
	template: Template,
): void {
	const names = new Set(known);
	const unknown = [...given.keys()].filter((key) => !names.has(key) && !isEmpty(given.get(key)));
	if (unknown.length === 0) return;
	throw new InputError(
		field,
		`the template "${nameOf(template)}" has no ${unknown.map((key) => `"${key}"`).join(', ')}`,
		`It has ${known.length ? known.join(', ') : 'none'}. Refresh the list if the template was changed.`,
	);
}

/** What an AI agent gets of a template: what it needs to choose one and to fill it in. */
export const templateOutput: ToolOutput = {
	id: 'templateID',
	fields: [
		'_id',
		'templateID',
		'userID',
		'name',
		'description',
		'key',
		'status',
		'signatories',
		'form',
		'formSignatory',
		'inputs',
		'templateVersion',
	],
	simplify(json) {
		const shown = pick(json, ['templateID', 'name', 'description', 'status', 'templateVersion']);
		const lists = {
			signatories: pickEach(json.signatories, ['key']),
			form: pickEach(json.form, variable),
			formSignatory: pickEach(json.formSignatory, variable),
			inputs: pickEach(json.inputs, variable),
		};
		const present = Object.entries(lists).filter(([, list]) => list !== undefined);
		return { ...shown, ...(Object.fromEntries(present) as IDataObject) };
	},
};

const variable = ['key', 'label', 'isRequired'];
