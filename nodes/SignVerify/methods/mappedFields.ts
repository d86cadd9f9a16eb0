import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { findTemplate, listTemplates, slotsOf, type Template, variablesOf } from '../api/templates';
import { roleEntries, roleEntryId } from '../operations/document/roles';
import { readTemplateVersion } from '../operations/template/fields';
import { ServiceClient } from '../http/client';

/**
 * The entries of the "Fields" form: the variables of the chosen template.
 * @returns No fields, and the reason, if no template is chosen or it has none.
 * @throws ServiceError.
 */
export async function getTemplateFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return await fieldsOfTemplate(this, 'This template has no fields to fill.', (template) =>
		variablesOf(template).map(({ key, label, isRequired }) =>
			fieldOf(key, label || key, isRequired),
		),
	);
}

/**
 * The entries of the "Signatories" form: name and e-mail for each place to sign in the template. None is
 * required if the options allow another number of signatories.
 * @returns No fields, and the reason, if no template is chosen or it names no roles.
 * @throws ServiceError.
 */
export async function getSignatoryRoles(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const isRequired = this.getCurrentNodeParameter('options.allowOtherCount') !== true;
	const nothing = 'This template names no roles. Set Specify Signatories to "One by One".';
	return await fieldsOfTemplate(this, nothing, (template) =>
		slotsOf(template).flatMap(({ id, label }) =>
			roleEntries.map((entry) =>
				fieldOf(roleEntryId(id, entry.name), `${label}: ${entry.label}`, isRequired),
			),
		),
	);
}

async function fieldsOfTemplate(
	context: ILoadOptionsFunctions,
	nothing: string,
	fieldsOf: (template: Template) => ResourceMapperField[],
): Promise<ResourceMapperFields> {
	const version = readTemplateVersion(context.getCurrentNodeParameter('templateVersion'));
	const id = context.getCurrentNodeParameter('templateId', { extractValue: true });
	if (typeof id !== 'string' || !id.trim()) return none('Choose a template first.');

	const templates = await listTemplates(new ServiceClient(context), version);
	const template = findTemplate(templates, id.trim());
	if (!template) return none(`The account has no ${version} template with this ID.`);
	const fields = fieldsOf(template);
	return fields.length ? { fields } : none(nothing);
}

function fieldOf(id: string, displayName: string, required: boolean): ResourceMapperField {
	return {
		id,
		displayName,
		required,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: 'string',
	};
}

function none(emptyFieldsNotice: string): ResourceMapperFields {
	return { fields: [], emptyFieldsNotice };
}
