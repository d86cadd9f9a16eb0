import {
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	isExpression,
	type ResourceMapperField,
} from 'n8n-workflow';

import { events } from '../api/events';
import {
	findTemplate,
	idOf,
	listAllTemplates,
	nameOf,
	onePerId,
	type Template,
	variablesOf,
} from '../api/templates';
import { listWebhooks } from '../api/webhooks';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { InputError } from '../input/inputError';
import { searchCountryNames } from '../operations/document/country';
import { roleEntryId, rolesOf } from '../operations/document/roles';
import { redactWebhook } from '../operations/webhook/create';
import { canBeKey, normalName, objectOf, textOf } from '../util/values';

/**
 * Of fields with a list. The text in the search box is a part of the names that are shown.
 * All throw ServiceError if no list could be loaded.
 */
const listSearch = forEditor({
	/** Of the "Country" field; also finds a country by its code. */
	async searchCountries(filter) {
		return { results: searchCountryNames(filter) };
	},

	/** Of the "Template" field. */
	async searchTemplates(filter) {
		return matching(await templateEntries(this), filter, 'Template', 'Make one at the service.');
	},

	/** Of the "Webhook" field: event and URL of each webhook, without secrets. */
	async searchWebhooks(filter) {
		const webhooks = await listWebhooks(new ServiceClient(this));
		const entries = webhooks.map(redactWebhook).map(({ type, webHookUrl, webHookID }) => {
			const event = events.find(({ value }) => value === type)?.name ?? textOf(type);
			return { name: `${event} – ${textOf(webHookUrl)}`, value: textOf(webHookID) };
		});
		const remedy =
			'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.';
		entries.sort((left, right) => left.name.localeCompare(right.name));
		return matching(entries, filter, 'Webhook', remedy);
	},
});

/** Of the trigger's fields. */
const loadOptions = forEditor({
	/**
	 * The templates to filter by, also those that are not active any more, because documents made from them
	 * may still be waiting for signatures.
	 */
	async getTemplates() {
		return await templateEntries(this);
	},
});

/** Forms that are loaded with a template. If they are empty, they say why. All throw ServiceError. */
const resourceMapping = forEditor({
	/** The "Fields" form: the variables of the chosen template. */
	async getTemplateFields() {
		const template = await templateOf(this);
		if (!template) return formOf([], 'The account has no template with this ID.');
		const fields = variablesOf(template).map(({ key, label, isRequired }) =>
			fieldOf(key, label || key, isRequired),
		);
		return formOf(fields, 'This template has no fields to fill.');
	},

	/**
	 * The "Signatories" form: name and e-mail for each role of the template. Only the first role is required:
	 * n8n does not load the form again when "Leave Last Roles Empty" is switched, and would refuse to run.
	 * That the template is missing is said once, by the "Fields" form.
	 */
	async getSignatoryRoles() {
		const template = await templateOf(this);
		if (!template) return { fields: [] };
		const fields = rolesOf(template).flatMap(({ id, label }, index) => [
			fieldOf(roleEntryId(id, 'name'), `${label}: Name`, index === 0),
			fieldOf(roleEntryId(id, 'email'), `${label}: Email`, index === 0),
		]);
		return { fields };
	},
});

/** What the action node's form loads. */
export const actionMethods = { listSearch, resourceMapping };

/** What the trigger's form loads. */
export const triggerMethods = { loadOptions };

/**
 * The templates of both generations. A template that is not active says so, and comes last. Of two with the
 * same name, that of version 1 does.
 * @throws ServiceError if one of the lists failed, because the other one would look like all templates.
 */
async function templateEntries(context: ILoadOptionsFunctions) {
	const templates = onePerId(await listAllTemplates(new ServiceClient(context)));
	const isNewer = ({ templateVersion }: Template) => templateVersion === 'v2';
	const isActive = ({ status }: Template) => !status || status === 'ACTIVE';
	const newerNames = new Set(templates.filter(isNewer).map(nameOf));
	const inOrder = (left: Template, right: Template) =>
		Number(isActive(right)) - Number(isActive(left)) || nameOf(left).localeCompare(nameOf(right));
	return templates.sort(inOrder).map((template) => {
		const words = [
			nameOf(template),
			!isNewer(template) && newerNames.has(nameOf(template)) && '(version 1)',
			!isActive(template) && '(not active)',
			template.description && `– ${template.description}`,
		];
		return { name: words.filter(Boolean).join(' '), value: idOf(template) };
	});
}

/**
 * The entries with the text in the search box.
 * @throws InputError if there is nothing to choose, because n8n would only say "No results".
 */
function matching(entries: INodeListSearchItems[], filter = '', field: string, remedy: string) {
	if (entries.length === 0) throw new InputError(field, 'the account has none', remedy);
	const wanted = normalName(filter);
	return { results: entries.filter(({ name }) => normalName(name).includes(wanted)) };
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

function formOf(fields: ResourceMapperField[], emptyFieldsNotice: string) {
	return fields.length ? { fields } : { fields, emptyFieldsNotice };
}

type Method = (this: ILoadOptionsFunctions, filter?: string) => Promise<unknown>;

/**
 * Makes methods fit for the editor. The editor saves words of what they give in the workflow, and n8n runs
 * each text there that begins with "=" as an expression. So no method gives such a text. Its failure is
 * an error that the editor shows.
 */
function forEditor<Methods extends Record<string, Method>>(methods: Methods): Methods {
	const wrapped = Object.entries(methods).map(([name, method]): [string, Method] => [
		name,
		async function (filter) {
			const warn = (count: number) =>
				this.logger.warn(
					`SignVerify: ${count} entries of ${name} were left out, because n8n cannot keep their IDs`,
				);
			return await withNodeErrors(this, async () =>
				withoutExpressions(await method.call(this, filter), warn),
			);
		},
	]);
	return Object.fromEntries(wrapped) as Methods;
}

/**
 * What a method gives, without texts that begin with "=". A name gets a visible character before it. An
 * entry whose ID (`value`, or `id` of a mapped field) n8n cannot keep is left out, because a changed ID
 * would be another one.
 */
function withoutExpressions(value: unknown, onLeftOut: (count: number) => void): unknown {
	if (typeof value === 'string') return isExpression(value) ? `'${value}` : value;
	if (Array.isArray(value)) {
		const kept = value.filter((entry) =>
			[objectOf(entry).value, objectOf(entry).id].every((id) => canBeKey(textOf(id))),
		);
		if (kept.length < value.length) onLeftOut(value.length - kept.length);
		return kept.map((each: unknown) => withoutExpressions(each, onLeftOut));
	}
	// Changed in place, because a copy of 80,000 entries takes a fifth of a second.
	for (const [name, each] of Object.entries(objectOf(value))) {
		(value as Record<string, unknown>)[name] = withoutExpressions(each, onLeftOut);
	}
	return value;
}
