import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import type { Action } from '../http/request';
import { settle } from '../util/async';
import { isObject, listOf, objectOf, optionalText, textOf } from '../util/values';
import { type EventType, identityEvent } from './events';
import type { Webhook } from './types';

/**
 * Lists all webhooks of the account (docs/dev/service.md#list-webhooks). Those without an ID are left out,
 * because nothing can be done with them. The others are there once, and their ID, type, URL and name are texts.
 * @throws ServiceError if there is no list in the answer.
 */
export async function listWebhooks(service: ServiceClient): Promise<Webhook[]> {
	const { responseData } = await service.call({
		kind: 'reading',
		path: '/webhooks',
		findList: ({ responseData }) => responseData,
	});
	const entries = listOf(responseData);
	const all = entries
		.filter(isObject)
		.map(({ name, ...entry }) => ({
			...entry,
			webHookID: textOf(entry.webHookID),
			type: textOf(entry.type),
			webHookUrl: textOf(entry.webHookUrl),
			...optionalText('name', name),
		}))
		.filter(({ webHookID }) => webHookID !== '');
	const odd = entries.length - all.length;
	if (odd > 0) {
		service.logger.warn(
			`SignVerify: ${odd} entries in the service's list of webhooks were left out, because they have no ID.`,
		);
	}
	// Some services list a webhook twice.
	return [...new Map(all.map((webhook) => [webhook.webHookID, webhook])).values()];
}

/**
 * Registers a URL for one event
 * (docs/dev/service.md#register-a-document-webhook, #register-an-identity-webhook).
 * @param webhook The whole URL that the service calls, and a name, which only an identity event's has.
 * @param action `creating` if a person has asked for it, because a lost response must then be reported to them.
 * @returns The webhook as the service gives it; empty if the answer of a success has none.
 * @throws ServiceError if the service refuses, or cannot be reached.
 */
export async function registerWebhook(
	service: ServiceClient,
	{ type, url, name }: { type: EventType; url: string; name: string },
	action: Action = { kind: 'registering' },
): Promise<Partial<Webhook>> {
	const isIdentity = type === identityEvent;
	const { responseData } = await service.call({
		...action,
		path: isIdentity ? '/webhooks/verify' : '/webhooks',
		...(isIdentity ? { body: { name, type, url } } : { qs: { url, type } }),
		secrets: [url],
	});
	return objectOf(responseData);
}

/**
 * Deletes one webhook (docs/dev/service.md#delete-a-webhook). Whether this also deletes identity webhooks is
 * not documented.
 * @returns `missing`: the service itself says that there is none, which may be wrong for one of identities.
 * It also says so if the answer to an earlier try was lost, which may have deleted it.
 * @throws ServiceError if the service refuses, fails or cannot be reached.
 */
export async function removeWebhook(
	service: ServiceClient,
	{ webHookID, webHookUrl }: Pick<Webhook, 'webHookID'> & Partial<Webhook>,
): Promise<'deleted' | 'missing'> {
	const answer = await settle(
		service.call({
			kind: 'deleting',
			path: '/webhooks',
			qs: { webHookID },
			secrets: [webHookUrl ?? ''],
		}),
	);
	if (answer.ok) return 'deleted';
	const status = answer.error instanceof ServiceError ? answer.error.serviceStatus : undefined;
	if (status === 404 || status === 410) return 'missing';
	throw answer.error;
}
