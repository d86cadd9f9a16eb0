import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { findTemplate, slotsOf, type Template, variablesOf } from '../api/templates';
import { roleEntries, roleEntryId } from '../operations/document/roles';
import { ServiceClient } from '../http/client';
import { textOf } from '../util/values';

/**
 * The entries of the "Fields" form: the variables of the chosen template.
 * @returns No fields, and the reason, if the account has no such template or it has none.
 * @throws ServiceError.
 */
export async function getTemplateFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const template = await templateOf(this);
	if (!template) return none('The account has no template with this ID.');
	const fields = variablesOf(template).map(({ key, label, isRequired }) =>
		fieldOf(key, label || key, isRequired),
	);
	return fields.length ? { fields } : none('This template has no fields to fill.');
}

/**
 * The entries of the "Signatories" form: name and e-mail for each place to sign in the template. None is
 * required if the form allows another number of signatories.
 * @returns No fields, and the reason, if the template names no roles. Of a missing template,
 * {@link getTemplateFields} says so.
 * @throws ServiceError.
 */
export async function getSignatoryRoles(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const template = await templateOf(this);
	if (!template) return { fields: [] };
	const isRequired = this.getCurrentNodeParameter('allowOtherCount') !== true;
	const fields = slotsOf(template).flatMap(({ id, label }) =>
		roleEntries.map((entry) =>
			fieldOf(roleEntryId(id, entry.name), `${label}: ${entry.label}`, isRequired),
		),
	);
	return fields.length
		? { fields }
		: none('This template names no roles. Set Specify Signatories to "One by One".');
}

async function templateOf(context: ILoadOptionsFunctions): Promise<Template | undefined> {
	const id = textOf(context.getCurrentNodeParameter('templateId', { extractValue: true })).trim();
	// A template without one of its two IDs must not be found by nothing.
	if (!id) return undefined;
	return await findTemplate(new ServiceClient(context), id);
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
