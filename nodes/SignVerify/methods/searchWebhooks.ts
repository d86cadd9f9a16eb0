import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { events } from '../notifications/events';
import { listRegistrations } from '../notifications/registrations';
import { shownRegistration } from '../operations/webhook/registration';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';
import { textOf } from '../transport/text';

/**
 * The list of the "Webhook" field: event and address of each registration, secrets left out.
 * @param filter What the user typed into the search box; matches event and address.
 * @throws NodeApiError that the list shows in place of its entries.
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	try {
		const registrations = await listRegistrations(new ServiceClient(this));
		const wanted = (filter ?? '').trim().toLowerCase();
		const results = registrations
			.map(shownRegistration)
			.map(({ type, webHookUrl, webHookID }) => ({
				name: `${nameOf(type)} – ${textOf(webHookUrl)}`,
				value: textOf(webHookID),
			}))
			.filter(({ name }) => name.toLowerCase().includes(wanted))
			.sort((left, right) => left.name.localeCompare(right.name));
		return { results };
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

function nameOf(type: unknown): string {
	return events.find(({ value }) => value === type)?.name ?? textOf(type);
}
