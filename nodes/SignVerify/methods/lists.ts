import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { idOf, listAllTemplates, nameOf, type Template } from '../api/templates';
import { listWebhooks } from '../api/webhooks';
import { events } from '../api/events';
import { searchCountryNames } from '../operations/document/country';
import { redactWebhook } from '../operations/webhook/create';
import { ServiceClient } from '../http/client';
import { InputError } from '../operations/inputError';
import { textOf } from '../util/values';

function byName(left: { name: string }, right: { name: string }): number {
	return left.name.localeCompare(right.name);
}

/** The templates of both generations. One that loads is enough, because the editor can show it. */
async function loadTemplates(context: ILoadOptionsFunctions): Promise<Template[]> {
	return await listAllTemplates(new ServiceClient(context), { mayFail: true });
}

/**
 * The list of the "Template" field. A template that is not active says so in its name, and comes last. If
 * two have the same name, the one of version 1 says so.
 * @param filter The text in the search box; matches name and description.
 * @throws ServiceError if no list could be loaded, or InputError if there are no templates.
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const templates = await loadTemplates(this);
	const newer = templates.filter(({ templateVersion }) => templateVersion === 'v2');
	const newerNames = new Set(newer.map(nameOf));
	const labelOf = (template: Template): string => {
		const isOlder = template.templateVersion === 'v1' && newerNames.has(nameOf(template));
		return [
			nameOf(template) + (isOlder ? ' (version 1)' : ''),
			...(template.description ? [`– ${template.description}`] : []),
			...(isActive(template) ? [] : ['(not active)']),
		].join(' ');
	};
	const entriesThat = (wanted: boolean) =>
		templates
			.filter((each) => isActive(each) === wanted)
			.map((each) => ({ name: labelOf(each), value: idOf(each) }))
			.sort(byName);
	const entries = [...entriesThat(true), ...entriesThat(false)];
	const nothing = new InputError('Template', 'the account has none', 'Make one at the service.');
	return matching(entries, filter, nothing);
}

/**
 * The entries with the text in the search box.
 * @throws InputError if there is nothing to choose, because n8n would only say "No results".
 */
function matching(
	entries: INodeListSearchItems[],
	filter: string | undefined,
	nothing: InputError,
): INodeListSearchResult {
	const wanted = (filter ?? '').trim().toLowerCase();
	const results = entries.filter(({ name }) => name.toLowerCase().includes(wanted));
	if (!results.length && !wanted) throw nothing;
	return { results };
}

function isActive(template: Template): boolean {
	return !('status' in template) || !template.status || template.status === 'ACTIVE';
}

/**
 * The templates that the trigger can filter by: of both versions, also those that are not in use any more,
 * because documents made from them may still be waiting for signatures.
 * @throws ServiceError if no list could be loaded.
 */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const templates = await loadTemplates(this);
	return templates.map((each) => ({ name: nameOf(each), value: idOf(each) })).sort(byName);
}

/**
 * The list of the "Country" field.
 * @param filter The text in the search box.
 */
export async function searchCountries(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return { results: searchCountryNames(filter) };
}

/**
 * The list of the "Webhook" field: event and URL of each webhook, without secrets.
 * @param filter The text in the search box; matches event and URL.
 * @throws ServiceError, or InputError if there are none.
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const webhooks = await listWebhooks(new ServiceClient(this));
	const entries = webhooks.map(redactWebhook).map(({ type, webHookUrl, webHookID }) => ({
		name: `${nameOfEvent(type)} – ${textOf(webHookUrl)}`,
		value: textOf(webHookID),
	}));
	const nothing = new InputError(
		'Webhook',
		'the account has none',
		'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.',
	);
	return matching(entries.sort(byName), filter, nothing);
}

function nameOfEvent(type: unknown): string {
	return events.find(({ value }) => value === type)?.name ?? textOf(type);
}
