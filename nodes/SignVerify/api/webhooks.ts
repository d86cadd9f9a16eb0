import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { isObject, listOf, objectOf, textOf } from '../util/values';
import { type EventType, identityEvent } from './events';
import { labelFor } from './labels';
import type { Webhook } from './types';

/**
 * Lists all webhooks of the account (docs/dev/service.md#list-webhooks). Those without an ID are left out,
 * because nothing can be done with them; of the others, ID, type, URL and name are texts.
 * @throws ServiceError if there is no list in the answer.
 */
export async function listWebhooks(service: ServiceClient): Promise<Webhook[]> {
	const { responseData } = await service.call({
		method: 'GET',
		path: '/webhooks',
		listOf: ({ responseData }) => responseData,
	});
	const entries = listOf(responseData);
	const usable = entries
		.filter(isObject)
		.map(({ name, ...each }) => ({
			...each,
			webHookID: textOf(each.webHookID),
			type: textOf(each.type),
			webHookUrl: textOf(each.webHookUrl),
			...(name === undefined ? {} : { name: textOf(name) }),
		}))
		.filter(({ webHookID }) => webHookID !== '');
	const odd = entries.length - usable.length;
	if (odd > 0) {
		service.logger.warn(
			`SignVerify: ${odd} entries in the service's list of webhooks were left out, because they have no ID.`,
		);
	}
	return usable;
}

/**
 * Registers a URL for one event
 * (docs/dev/service.md#register-a-document-webhook, #register-an-identity-webhook).
 * @param webhook The whole URL that the service calls, and a name, which only an identity event's has.
 * @param creates What a lost answer must be reported of as "may have been created".
 * @returns The webhook as the service gives it; empty if the answer of a success has none.
 * @throws ServiceError if the service refuses, or cannot be reached.
 */
export async function registerWebhook(
	service: ServiceClient,
	{ type, url, name }: { type: EventType; url: string; name: string },
	creates?: string,
): Promise<Partial<Webhook>> {
	const isIdentity = type === identityEvent;
	const { responseData } = await service.call({
		method: 'POST',
		path: isIdentity ? '/webhooks/verify' : '/webhooks',
		...(isIdentity ? { body: { name, type, url } } : { qs: { url, type } }),
		...(creates === undefined ? {} : { creates }),
		secrets: [url],
		labelFor: (path) => labelFor('webhook', path),
	});
	return objectOf(responseData);
}

/**
 * Deletes one webhook (docs/dev/service.md#delete-a-webhook). Whether this also deletes identity webhooks is
 * not documented. The call for one is made only once, because a second answer "not found" could mean
 * two things.
 * @returns `refused`: the service says that there is no such identity webhook, which may be wrong.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function removeWebhook(
	service: ServiceClient,
	{ webHookID, type, webHookUrl }: Pick<Webhook, 'webHookID'> & Partial<Webhook>,
): Promise<'deleted' | 'gone' | 'refused'> {
	if (!webHookID) return 'refused';
	const isIdentity = type === identityEvent;
	const answer = await settle(
		service.call({
			method: 'DELETE',
			path: '/webhooks',
			qs: { webHookID },
			secrets: [webHookUrl ?? ''],
			noRetry: isIdentity,
		}),
	);
	if (answer.ok) return 'deleted';
	const { error } = answer;
	const status = error instanceof ServiceError ? error.answered : undefined;
	if (isIdentity && (status === 400 || status === 404)) return 'refused';
	if (status === 404) return 'gone';
	throw error;
}
