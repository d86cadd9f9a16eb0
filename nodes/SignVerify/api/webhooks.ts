import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { endpointPaths } from '../http/endpoints';
import { isRefusedWith } from '../http/serviceError';
import type { Action } from '../http/request';
import { settle } from '../util/async';
import { withoutLogins } from '../util/redact';
import { isObject, listOf, objectOf, optionalText, textOf } from '../util/values';
import type { EventRow, EventSubject } from './events';
import type { Webhook } from './types';

/**
 * Lists all webhooks in the account (docs/dev/service.md#list-webhooks). Webhooks without an ID are left out,
 * because they can't be used for anything. Every other webhook appears once, and its ID, type, URL and name
 * are strings.
 * @throws ServiceError if the response contains no list.
 */
export async function listWebhooks(service: ServiceClient): Promise<Webhook[]> {
	const { responseData } = await service.call({
		purpose: 'reading',
		path: endpointPaths.webhooks,
		findList: ({ responseData }) => responseData,
	});
	const entries = listOf(responseData);
	const webhooks = entries
		.filter(isObject)
		.map(({ name, ...entry }) => ({
			...entry,
			webHookID: textOf(entry.webHookID),
			type: textOf(entry.type),
			webHookUrl: textOf(entry.webHookUrl),
			...optionalText('name', name),
		}))
		.filter(({ webHookID }) => webHookID !== '');
	const skippedCount = entries.length - webhooks.length;
	if (skippedCount > 0) {
		service.logger.debug(`SignVerify: left out webhooks that have no ID: ${skippedCount}`);
	}
	// Some services list a webhook twice.
	return [...new Map(webhooks.map((webhook) => [webhook.webHookID, webhook])).values()];
}

/** A webhook to register. The service stores the name only for identity events. */
interface NewWebhook {
	event: Pick<EventRow, 'type' | 'about'>;
	url: string;
	name: string;
}

const registrationOf = {
	document: ({ event: { type }, url }: NewWebhook) => ({
		path: endpointPaths.webhooks,
		qs: { url, type },
	}),
	identity: ({ event: { type }, url, name }: NewWebhook) => ({
		path: endpointPaths.identityWebhooks,
		body: { name, type, url },
	}),
} satisfies Record<EventSubject, (webhook: NewWebhook) => unknown>;

/**
 * Registers a URL for a single event (docs/dev/service.md#register-a-document-webhook,
 * #register-an-identity-webhook).
 * @param action `creating` if a user asked for the webhook. In that case, if the response is lost, the error
 * states that the webhook may have been created.
 * @returns The webhook as the service returned it. Its fields are unchecked. If a successful response doesn't
 * contain a webhook, the object is empty.
 * @throws ServiceError if the service refuses the call or can't be reached.
 */
export async function registerWebhook(
	service: ServiceClient,
	webhook: NewWebhook,
	action: Action = { purpose: 'registering' },
): Promise<IDataObject> {
	const { responseData } = await service.call({
		...action,
		...registrationOf[webhook.event.about](webhook),
		secrets: [webhook.url],
	});
	return objectOf(responseData);
}

/**
 * Deletes a single webhook (docs/dev/service.md#delete-a-webhook). The service doesn't document whether this
 * works for identity webhooks.
 * @returns `missing` if the service itself reports that the webhook doesn't exist. For an identity webhook,
 * this may be wrong. `missing` is also returned if an earlier try deleted the webhook but the response
 * was lost.
 * @throws ServiceError if the service refuses the call, fails, or can't be reached.
 */
export async function unregisterWebhook(
	service: ServiceClient,
	{ webHookID, webHookUrl }: Pick<Webhook, 'webHookID'> & Partial<Webhook>,
): Promise<'deleted' | 'missing'> {
	const deletion = await settle(
		service.call({
			purpose: 'deleting',
			path: endpointPaths.webhooks,
			qs: { webHookID },
			secrets: [webHookUrl ?? ''],
		}),
	);
	if (deletion.ok) return 'deleted';
	if (isRefusedWith(deletion.error, [404, 410])) return 'missing';
	throw deletion.error;
}

/**
 * Removes the secrets from a webhook. The URLs of our own triggers contain a secret, and other URLs may
 * contain secrets anywhere. So every login and every query value is removed from every string in the webhook.
 * In a webhook's name, only URLs are redacted:
 *
 * - `https://ana:key@example.com/a?secret=abc` becomes `https://…@example.com/a?secret=…`
 * - `Checks?` as a name stays as it is
 * - `Checks at https://example.com?abc` as a name becomes `Checks at https://example.com?…`
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	const redactField = (field: string, value: unknown) =>
		typeof value === 'string' ? withoutQueryValues(withoutLogins(value), field === 'name') : value;
	return JSON.parse(JSON.stringify(webhook), redactField) as IDataObject;
}

/** In a webhook's name, a question mark is treated as the start of a query only if it is part of a URL. */
function withoutQueryValues(text: string, isName: boolean): string {
	const start = isName ? text.search(/^\/|(?::|%3a)(?:\/|%2f)/i) : 0;
	if (start < 0) return text;
	// The question mark may be encoded as %3F.
	const [query = ''] = /(?:[?#]|%3f).*/is.exec(text.slice(start)) ?? [];
	const names = query.replace(/[^?&;#]+/g, (part) => `${part.slice(0, part.indexOf('=') + 1)}…`);
	return text.slice(0, text.length - query.length) + names;
}
