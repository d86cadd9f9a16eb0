import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { idOf, listTemplates, nameOf, type Template, templateVersions } from '../api/templates';
import { listWebhooks } from '../api/webhooks';
import { events } from '../api/events';
import { searchCountryNames } from '../operations/document/country';
import { readTemplateVersion } from '../operations/template/fields';
import { redactWebhook } from '../operations/webhook/create';
import { ServiceClient } from '../http/client';
import { InputError } from '../operations/inputError';
import { textOf } from '../util/values';

function byName(left: { name: string }, right: { name: string }): number {
	return left.name.localeCompare(right.name);
}

/**
 * The list of the "Template" field: templates of the chosen version. One that is not active says so in
 * its name, and comes last.
 * @param filter The text in the search box; matches name and description.
 * @throws ServiceError, or InputError if there are none.
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const version = readTemplateVersion(this.getCurrentNodeParameter('templateVersion'));
	const templates = await listTemplates(new ServiceClient(this), version);
	const entriesThat = (wanted: boolean) =>
		templates
			.filter((each) => isActive(each) === wanted)
			.map((each) => ({ name: labelOf(each), value: idOf(each) }))
			.sort(byName);
	const entries = [...entriesThat(true), ...entriesThat(false)];
	const [number, other] = version === 'v1' ? [1, 2] : [2, 1];
	const nothing = new InputError(
		'Template',
		`the account has none of version ${number}; it may have some of version ${other}`,
		`Make one at the service, or set Template Version to "Version ${other}".`,
	);
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

function labelOf(template: Template): string {
	const { description } = template;
	const label = description ? `${nameOf(template)} – ${description}` : nameOf(template);
	return isActive(template) ? label : `${label} (not active)`;
}

function isActive(template: Template): boolean {
	return !('status' in template) || !template.status || template.status === 'ACTIVE';
}

/**
 * The templates that the trigger can filter by: of both versions, also those that are not in use any more,
 * because documents made from them may still be waiting for signatures.
 * @throws ServiceError if neither version could be loaded.
 */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const service = new ServiceClient(this);
	const lists = await Promise.allSettled(
		templateVersions.map(async (version) => await listTemplates(service, version)),
	);
	const loaded = lists.filter((each) => each.status === 'fulfilled');
	const [first] = lists;
	if (loaded.length === 0 && first?.status === 'rejected') throw first.reason;
	const templates = loaded.flatMap((each) => each.value);
	const names = new Map(templates.map((each) => [idOf(each), nameOf(each)]));
	return [...names].map(([value, name]) => ({ name, value })).sort(byName);
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
