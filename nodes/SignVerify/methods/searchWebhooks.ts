import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { events } from '../notifications/events';
import { listRegistrations } from '../notifications/registrations';
import { redactRegistration } from '../operations/webhook/registration';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/nodeError';
import { InputError } from '../transport/errors';
import { textOf } from '../transport/text';

/**
 * The list of the "Webhook" field: event and address of each registration, secrets left out.
 * @param filter What the user typed into the search box; matches event and address.
 * @throws NodeApiError or NodeOperationError that the list shows in place of its entries, also where
 * there are none: n8n itself says no more than "No results".
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	try {
		const registrations = await listRegistrations(new ServiceClient(this));
		const wanted = (filter ?? '').trim().toLowerCase();
		const results = registrations
			.map(redactRegistration)
			.map(({ type, webHookUrl, webHookID }) => ({
				name: `${nameOf(type)} – ${textOf(webHookUrl)}`,
				value: textOf(webHookID),
			}))
			.filter(({ name }) => name.toLowerCase().includes(wanted))
			.sort((left, right) => left.name.localeCompare(right.name));
		if (!results.length && !wanted) {
			throw new InputError(
				'Webhook',
				'the account has none',
				'There is nothing to delete. A webhook for identity verifications may be missing here: choose it by its ID.',
			);
		}
		return { results };
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

function nameOf(type: unknown): string {
	return events.find(({ value }) => value === type)?.name ?? textOf(type);
}
