import { type INodeListSearchItems } from 'n8n-workflow';

import { eventRow } from '../api/events';
import { listWebhooks } from '../api/webhooks';
import { ServiceClient } from '../http/client';
import { InputError } from '../input/inputError';
import { searchCountryNames } from '../operations/document/country';
import { redactWebhook } from '../operations/webhook/output';
import { searchName, textOf } from '../util/values';
import { forEditor, templateEntries } from './loadOptions';

/**
 * Of fields with a list. The text in the search box is a part of the names that are shown.
 * All throw ServiceError if no list could be loaded.
 */
export const listSearch = forEditor({
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
			const event = eventRow(type)?.name ?? textOf(type);
			return { name: `${event} – ${textOf(webHookUrl)}`, value: textOf(webHookID) };
		});
		const remedy =
			'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.';
		entries.sort((left, right) => left.name.localeCompare(right.name));
		return matching(entries, filter, 'Webhook', remedy);
	},
});

/**
 * The entries with the text in the search box.
 * @throws InputError if there is nothing to choose, because n8n would only say "No results".
 */
function matching(entries: INodeListSearchItems[], filter = '', field: string, remedy: string) {
	if (entries.length === 0)
		throw new InputError(field, 'the account has none', remedy, 'the-account-has-none');
	const wanted = searchName(filter);
	return { results: entries.filter(({ name }) => searchName(name).includes(wanted)) };
}
