import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { idOf, listTemplates, variablesOf } from '../api/templates';
import { readTemplateVersion } from '../operations/template/fields';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';

/**
 * The entries of the "Fields" form: the variables of the chosen template, labels shown, keys sent.
 * @returns No fields, and the reason, where no template is chosen or it has none.
 * @throws NodeApiError that the form shows in place of the fields.
 */
export async function getTemplateFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	try {
		const version = readTemplateVersion(this.getCurrentNodeParameter('templateVersion'));
		const id = this.getCurrentNodeParameter('templateId', { extractValue: true });
		if (typeof id !== 'string' || !id.trim()) return none('Choose a template to see its fields.');

		const templates = await listTemplates(new ServiceClient(this), version);
		const template = templates.find((each) => idOf(each) === id.trim() || each._id === id.trim());
		if (!template) return none(`The account has no ${version} template with this ID.`);

		const fields = variablesOf(template).map(({ key, label, isRequired }) => ({
			id: key,
			displayName: label || key,
			required: isRequired,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			type: 'string' as const,
		}));
		return fields.length ? { fields } : none('This template has no fields to fill.');
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

function none(emptyFieldsNotice: string): ResourceMapperFields {
	return { fields: [], emptyFieldsNotice };
}
