import {
	idOf,
	slotsOf,
	type Template,
	type TemplateVersion,
	templateVersions,
	variablesOf,
} from '../../api/templates';
import { canBeKey, objectOf, textOf } from '../../util/values';
import { filtersField, limitFields, readLimit } from '../form';
import { roleEntryId } from '../document/roles';
import type { ItemContext, Operation } from '../types';
import { readTemplateVersion, templateOutput, templatesOf, templateVersionField } from './fields';

/**
 * template / getAll: the templates of the account (docs/dev/service.md#list-templates-version-1,
 * #list-templates-version-2).
 */
export const getAllTemplates: Operation = {
	resource: 'template',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many templates',
	description: 'List the templates of the account with their fields',
	toolOutput: templateOutput,
	fields: [
		{
			...templateVersionField,
			options: [
				{ name: 'Version 2', value: 'v2' },
				{ name: 'Version 1', value: 'v1' },
				{
					name: 'Both',
					value: 'all',
					description: 'Each item says in templateVersion which it is',
				},
			],
			description: 'Which generation of templates to list',
		},
		...limitFields,
		filtersField([
			{
				displayName: 'Name Contains',
				name: 'name',
				type: 'string',
				default: '',
				description: 'Only templates whose name contains this text, in upper or lower case',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'string',
				default: 'ACTIVE',
				description:
					'Only templates with this status. Version 1 templates have no status and are always listed.',
			},
		]),
	],

	async run(item) {
		const chosen = item.parameter('templateVersion');
		const limit = readLimit(item);
		const versions = chosen === 'all' ? templateVersions : [readTemplateVersion(chosen)];
		const lists = await Promise.all(versions.map(async (version) => await listOf(item, version)));
		const found = lists
			.flat()
			.filter(filterOf(item.parameter('filters')))
			.slice(0, limit);
		if (!found.every(fitsForms)) {
			item.hint(
				'The lists of the form leave out some of these templates, or some of their fields and roles.',
			);
		}
		return found.map((json) => ({ json: { ...json } }));
	},
};

type ListedTemplate = Template & { templateVersion: TemplateVersion };

async function listOf(item: ItemContext, version: TemplateVersion): Promise<ListedTemplate[]> {
	const templates = await templatesOf(item, version);
	return templates.map((template) => ({ ...template, templateVersion: version }));
}

function filterOf(filters: unknown): (template: Template) => boolean {
	const { name, status } = objectOf(filters);
	const part = textOf(name).trim().toLowerCase();
	const wanted = textOf(status).trim();
	return (template) =>
		(!part || textOf(template.name).toLowerCase().includes(part)) &&
		(!wanted || !('status' in template) || template.status === wanted);
}

/** Whether all of a template can be chosen and filled in. */
function fitsForms(template: Template): boolean {
	const keys = variablesOf(template).map(({ key }) => key);
	const roles = slotsOf(template).map(({ id }) => roleEntryId(id, 'name'));
	return [idOf(template), ...keys, ...roles].every(canBeKey);
}
