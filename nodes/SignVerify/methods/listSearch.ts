import { type INodeListSearchItems } from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { eventRow } from '../api/events';
import { listWebhooks, redactWebhook } from '../api/webhooks';
import { searchCountryNames } from '../input/countryNames';
import { InputError } from '../input/inputError';
import { plainText } from '../util/redact';
import { searchName, textOf } from '../util/values';
import { forEditor } from './forEditor';
import { templateEntries } from './templateEntries';

/**
 * Loads the lists for the searchable fields. A search finds an entry by any part of its name.
 * @throws ServiceError if the list cannot be loaded.
 */
export const listSearch = forEditor({
	/** Fills the "Country" field's list. The search also finds a country by its code. */
	async searchCountries(filter) {
		return { results: searchCountryNames(filter) };
	},

	/** Fills the "Template" field's list. */
	async searchTemplates(filter) {
		const entries = await templateEntries(this);
		return matching(
			entries.map(({ name, id }) => ({ name, value: id })),
			filter,
			'Template',
			"Create one in your provider's account.",
		);
	},

	/**
	 * Fills the "Webhook" field's list with the event and URL of each webhook, without the secrets in the
	 * URLs.
	 */
	async searchWebhooks(filter) {
		const webhooks = await listWebhooks(new ServiceClient(this));
		const entries = webhooks.map(redactWebhook).map(({ type, webHookUrl, webHookID }) => {
			const event = eventRow(type)?.name ?? textOf(type);
			return { name: plainText(`${event} – ${textOf(webHookUrl)}`), value: textOf(webHookID) };
		});
		const remedy =
			"There's nothing to delete. Webhooks for identity verifications may be missing from this list. To delete one of them, enter its ID instead.";
		entries.sort((left, right) => left.name.localeCompare(right.name));
		return matching(entries, filter, 'Webhook', remedy);
	},
});

/**
 * Returns the entries whose names contain the string in the search box.
 * @throws InputError if the account has no entries, because n8n would otherwise just show "No results".
 */
function matching(entries: INodeListSearchItems[], filter = '', field: string, remedy: string) {
	if (entries.length === 0)
		throw new InputError(
			field,
			`your account has no ${field.toLowerCase()}s`,
			remedy,
			'no-templates',
		);
	const searchedName = searchName(filter);
	return { results: entries.filter(({ name }) => searchName(name).includes(searchedName)) };
}
