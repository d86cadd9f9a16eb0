import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { events } from '../api/events';
import {
	findTemplate,
	idOf,
	listAllTemplates,
	nameOf,
	slotsOf,
	type Template,
	variablesOf,
} from '../api/templates';
import { listWebhooks } from '../api/webhooks';
import { ServiceClient } from '../http/client';
import { searchCountryNames } from '../operations/document/country';
import { roleEntryId } from '../operations/document/roles';
import { InputError } from '../operations/inputError';
import { redactWebhook } from '../operations/webhook/create';
import { textOf } from '../util/values';

type Search = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** The lists of fields. The text in the search box is a part of the names that are shown. */
export const listSearch = {
	/** Of the "Country" field; also finds a country by its code. */
	async searchCountries(filter) {
		return { results: searchCountryNames(filter) };
	},

	/**
	 * Of the "Template" field, by name and description. A template that is not active says so, and comes
	 * last. If two have the same name, the one of version 1 says so.
	 * @throws ServiceError if no list could be loaded, or InputError if there are no templates.
	 */
	async searchTemplates(filter) {
		const templates = await loadTemplates(this);
		const newer = templates.filter(({ templateVersion }) => templateVersion === 'v2');
		const newerNames = new Set(newer.map(nameOf));
		const inOrder = (left: Template, right: Template) =>
			Number(isActive(right)) - Number(isActive(left)) || nameOf(left).localeCompare(nameOf(right));
		const entries = templates.sort(inOrder).map((template) => {
			const isOlder = template.templateVersion === 'v1' && newerNames.has(nameOf(template));
			const words = [
				nameOf(template) + (isOlder ? ' (version 1)' : ''),
				template.description && `– ${template.description}`,
				!isActive(template) && '(not active)',
			];
			return { name: words.filter(Boolean).join(' '), value: idOf(template) };
		});
		return matching(entries, filter, 'Template', 'Make one at the service.');
	},

	/**
	 * Of the "Webhook" field: event and URL of each webhook, without secrets.
	 * @throws ServiceError, or InputError if there are none.
	 */
	async searchWebhooks(filter) {
		const webhooks = await listWebhooks(new ServiceClient(this));
		const entries = webhooks.map(redactWebhook).map(({ type, webHookUrl, webHookID }) => {
			const event = events.find(({ value }) => value === type)?.name ?? textOf(type);
			return { name: `${event} – ${textOf(webHookUrl)}`, value: textOf(webHookID) };
		});
		const remedy =
			'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.';
		return matching(entries.sort(byName), filter, 'Webhook', remedy);
	},
} satisfies Record<string, Search>;

/** The choices of the trigger's fields. */
export const loadOptions = {
	/**
	 * The templates to filter by: of both versions, also those that are not in use any more, because
	 * documents made from them may still be waiting for signatures.
	 * @throws ServiceError if no list could be loaded.
	 */
	async getTemplates() {
		const templates = await loadTemplates(this);
		return templates.map((each) => ({ name: nameOf(each), value: idOf(each) })).sort(byName);
	},
} satisfies Record<string, (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>>;

/** Forms that are loaded with a template. If they are empty, they say why. All throw ServiceError. */
export const resourceMapping = {
	/** The "Fields" form: the variables of the chosen template. */
	async getTemplateFields() {
		const template = await templateOf(this);
		if (!template) return none('The account has no template with this ID.');
		const fields = variablesOf(template).map(({ key, label, isRequired }) =>
			fieldOf(key, label || key, isRequired),
		);
		return fields.length ? { fields } : none('This template has no fields to fill.');
	},

	/**
	 * The "Signatories" form: name and e-mail for each place to sign in the template. None is required if
	 * the form allows another number of signatories. That the template is missing is said once, by the
	 * "Fields" form.
	 */
	async getSignatoryRoles() {
		const template = await templateOf(this);
		if (!template) return { fields: [] };
		const isRequired = this.getCurrentNodeParameter('allowOtherCount') !== true;
		const fields = slotsOf(template).flatMap(({ id, label }) => [
			fieldOf(roleEntryId(id, 'name'), `${label}: Name`, isRequired),
			fieldOf(roleEntryId(id, 'email'), `${label}: Email`, isRequired),
		]);
		return fields.length
			? { fields }
			: none('This template names no roles. Set Specify Signatories to "One by One".');
	},
} satisfies Record<string, (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>>;

/** The templates of both generations. One list that loads is enough, because the editor can show it. */
async function loadTemplates(context: ILoadOptionsFunctions): Promise<Template[]> {
	return await listAllTemplates(new ServiceClient(context), { mayFail: true });
}

function isActive(template: Template): boolean {
	return !('status' in template) || !template.status || template.status === 'ACTIVE';
}

function byName(left: { name: string }, right: { name: string }): number {
	return left.name.localeCompare(right.name);
}

/**
 * The entries with the text in the search box.
 * @throws InputError if there is nothing to choose, because n8n would only say "No results".
 */
function matching(
	entries: INodeListSearchItems[],
	filter = '',
	field: string,
	remedy: string,
): INodeListSearchResult {
	if (entries.length === 0) throw new InputError(field, 'the account has none', remedy);
	const wanted = filter.trim().toLowerCase();
	return { results: entries.filter(({ name }) => name.toLowerCase().includes(wanted)) };
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
