import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { idOf, listTemplates, type Template } from '../api/templates';
import { listWebhooks } from '../api/webhooks';
import { events } from '../api/events';
import { searchCountryNames } from '../operations/document/country';
import { readTemplateVersion } from '../operations/template/fields';
import { redactWebhook } from '../operations/webhook/fields';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { InputError } from '../operations/inputError';
import { textOf } from '../util/values';

/**
 * The list of the "Template" field: templates of the chosen version. One that is not active says so in
 * its name, and comes last.
 * @param filter The text in the search box; matches name and description.
 * @throws NodeApiError or NodeOperationError that the list shows in place of its entries.
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withNodeErrors(this, async () => {
		const version = readTemplateVersion(this.getCurrentNodeParameter('templateVersion'));
		const templates = await listTemplates(new ServiceClient(this), version);
		const entries = templates.map((each) => ({ name: labelOf(each), value: idOf(each) }));
		const inactive = new Set(templates.filter((each) => !isActive(each)).map(idOf));
		const [number, other] = version === 'v1' ? [1, 2] : [2, 1];
		const nothing = new InputError(
			'Template',
			`the account has none of version ${number}; it may have some of version ${other}`,
			`Make one at the service, or set Template Version to "Version ${other}".`,
		);
		const { results } = matching(entries, filter, nothing);
		const isLast = ({ value }: INodeListSearchItems) => Number(inactive.has(String(value)));
		return { results: results.sort((left, right) => isLast(left) - isLast(right)) };
	});
}

/**
 * The entries with the text in the search box, by name.
 * @throws InputError if there is nothing to choose, because n8n would only say "No results".
 */
function matching(
	entries: INodeListSearchItems[],
	filter: string | undefined,
	nothing: InputError,
): INodeListSearchResult {
	const wanted = (filter ?? '').trim().toLowerCase();
	const results = entries
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.sort((left, right) => left.name.localeCompare(right.name));
	if (!results.length && !wanted) throw nothing;
	return { results };
}

function labelOf(template: Template): string {
	const { name, description } = template;
	const label = description ? `${name} – ${description}` : name;
	return isActive(template) ? label : `${label} (not active)`;
}

function isActive(template: Template): boolean {
	return !('status' in template) || !template.status || template.status === 'ACTIVE';
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
 * @throws NodeApiError or NodeOperationError that the list shows in place of its entries.
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withNodeErrors(this, async () => {
		const webhooks = await listWebhooks(new ServiceClient(this));
		const entries = webhooks.map(redactWebhook).map(({ type, webHookUrl, webHookID }) => ({
			name: `${nameOf(type)} – ${textOf(webHookUrl)}`,
			value: textOf(webHookID),
		}));
		const nothing = new InputError(
			'Webhook',
			'the account has none',
			'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.',
		);
		return matching(entries, filter, nothing);
	});
}

function nameOf(type: unknown): string {
	return events.find(({ value }) => value === type)?.name ?? textOf(type);
}
