import type { ILoadOptionsFunctions, ResourceMapperField } from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { variablesOf } from '../api/templates';
import type { Template } from '../api/types';
import { columnNames, shownNames, type Wanted } from '../columns/columnNames';
import { columnsOfPeople, formRolesOf, lastRolesField } from '../templateForm/roles';
import { templateOfForm } from '../templateForm/templateChoice';
import { InputError } from '../errors/inputError';
import { settle } from '../util/async';
import { isEmpty, textOf } from '../util/values';
import { forEditor } from './forEditor';

/** @throws ServiceError if the template cannot be loaded. */
export const resourceMapping = forEditor({
	/** If there are no fields, the form says why. */
	async getTemplateFields() {
		return fieldsFormOf(await templateOfEditor(this));
	},

	/**
	 * Loads the "Signatories" form, with a name and an email for each role of the template. Usually, all of
	 * them are required. Only the first role is required if "Leave Last Roles Empty" is on or set by an
	 * expression, or if the template has no roles. If the template can't be found, the form is empty and
	 * doesn't explain why, because the "Fields" form already does.
	 */
	async getSignatoryRoles() {
		return peopleFormOf(this, await templateOfEditor(this));
	},
});

export function fieldsFormOf({ template, error }: FoundTemplate) {
	if (!template) {
		const problem = error?.message ?? 'Your account has no template with this ID or name.';
		return mapperOf([], asHtml(problem));
	}
	const variables = variablesOf(template);
	const names = shownNames(variables);
	const fields = variables.map(({ key, isRequired }) =>
		mapperFieldOf(key, names.get(key) ?? key, isRequired),
	);
	return mapperOf(
		fields,
		fields.length > 0
			? columnsNotice('fields', variables)
			: 'This template has no fields to fill in.',
	);
}

export function peopleFormOf(context: ILoadOptionsFunctions, { template }: FoundTemplate) {
	if (!template) return { fields: [] };
	const saved: unknown = context.getCurrentNodeParameter(lastRolesField.name);
	const mayBeFewer = !isEmpty(saved) && saved !== false;
	const fields = formRolesOf(template).flatMap((role, index) => {
		const required = index === 0 || (role.isNeeded && !mayBeFewer);
		return [
			mapperFieldOf(role.nameId, role.nameLabel, required),
			mapperFieldOf(role.emailId, role.emailLabel, required),
		];
	});
	return mapperOf(fields, columnsNotice('signatories', columnsOfPeople(template)));
}

interface FoundTemplate {
	/** Undefined if the account doesn't have the chosen template, or if several templates have its ID or name. */
	template?: Template | undefined;
	error?: InputError;
}

/**
 * @returns The error instead of the template if several templates have its ID or name. After a thrown error, the
 * editor shows no reason, and keeps the notice about the former template.
 * @throws ServiceError if the templates cannot be loaded.
 * @n8n
 */
export async function templateOfEditor(context: ILoadOptionsFunctions): Promise<FoundTemplate> {
	const choice = textOf(
		context.getCurrentNodeParameter('templateId', { extractValue: true }),
	).trim();
	// An empty ID would match a template that lacks one of its two IDs.
	if (!choice) return {};
	const mode = context.getCurrentNodeParameter('templateId.mode');
	const found = await settle(templateOfForm(new ServiceClient(context), { mode, choice }));
	if (found.ok) return { template: found.value };
	if (found.error instanceof InputError) return { error: found.error };
	throw found.error;
}

function mapperFieldOf(id: string, displayName: string, required: boolean): ResourceMapperField {
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

/**
 * @param notice The message that n8n shows if the form has no fields, or if they are mapped automatically.
 */
function mapperOf(fields: ResourceMapperField[], notice: string) {
	return { fields, emptyFieldsNotice: notice };
}

/**
 * The names are escaped, because n8n renders the notice as HTML.
 * @n8n
 */
function columnsNotice(what: string, wanted: Wanted[]): string {
	return asHtml(`Columns for the ${what}: ${columnNames(wanted).join(', ')}`);
}

function asHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
