import type { INodeListSearchItems } from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { eventRow } from '../api/events';
import { listWebhooks, redactWebhook } from '../api/webhooks';
import type { RequiredField } from '../form/field';
import { templateEntries, withDistinctNames } from '../templateForm/templateEntries';
import { searchCountryNames } from '../text/countryNames';
import { InputError } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { nameFilter } from '../util/names';
import { plainText } from '../util/redact';
import { cutText } from '../util/text';
import { readTime } from '../util/times';
import { textOf } from '../util/values';
import { forEditor } from './forEditor';

const templateList = { label: 'Template', remedy: "Create one in your provider's account." };

const webhookList = {
	label: 'Webhook',
	remedy:
		"There's nothing to delete. Webhooks for identity verifications may be missing from this list. To delete one of them, enter its ID instead.",
};

/** The maximum length of an event and its URL in the list of webhooks, because n8n saves the entry in the workflow. */
const maxShownUrl = 400;

/**
 * A search finds an entry by any part of its name.
 * @throws ServiceError if the list cannot be loaded.
 */
export const listSearch = forEditor({
	/** Also finds a country by its code. */
	async searchCountries(filter) {
		return { results: searchCountryNames(filter) };
	},

	async searchTemplates(filter) {
		const entries = await templateEntries(new ServiceClient(this));
		const results = entries.map(({ name, id }) => ({ name, value: id }));
		return { results: matching(results, filter, templateList) };
	},

	/**
	 * Shows the URLs without their secrets. URLs that differ only in what is hidden look the same, so each entry
	 * begins with the day on which the webhook was registered or, if the service doesn't return it, with the
	 * webhook's ID. n8n cuts off the end of a long entry.
	 */
	async searchWebhooks(filter) {
		const webhooks = await listWebhooks(new ServiceClient(this));
		const entries = webhooks.map(redactWebhook).map(({ type, webHookUrl, webHookID, addedOn }) => {
			const event = eventRow(type)?.name ?? textOf(type);
			const url = plainText(`${event} – ${textOf(webHookUrl)}`);
			const id = textOf(webHookID);
			const addedMs = readTime(addedOn);
			const day = addedMs && new Date(addedMs).toISOString().split('T')[0];
			return { name: `${day || plainText(id)} – ${cutText(url, maxShownUrl)}`, id };
		});
		entries.sort((left, right) => left.name.localeCompare(right.name));
		const results = withDistinctNames(entries).map(({ name, id }) => ({ name, value: id }));
		return { results: matching(results, filter, webhookList) };
	},
});

/**
 * Returns the entries whose names contain the string in the search box.
 * @throws InputError if the account has no entries, because n8n would otherwise just show "No results".
 * @n8n
 */
function matching(
	entries: INodeListSearchItems[],
	filter = '',
	{ label, remedy }: Pick<RequiredField, 'label' | 'remedy'>,
): INodeListSearchItems[] {
	if (entries.length === 0) {
		throw new InputError(label, { ...valueProblems.nothingToSelect(label), remedy });
	}
	const isFound = nameFilter(filter);
	return entries.filter(({ name }) => isFound(name));
}
