import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import { settle } from '../util/async';
import { isObject, objectOf } from '../util/values';
import { type EventType, identityEvent } from './events';
import { labelFor } from './labels';
import type { DocumentWebhookQuery, IdentityWebhookBody, Webhook } from './types';

/**
 * Lists all webhooks of the account (docs/dev/service.md#list-webhooks).
 * @throws ServiceError if there is no list in the answer.
 */
export async function listWebhooks(service: ServiceClient): Promise<Webhook[]> {
	const { responseData } = await service.call({
		method: 'GET',
		path: '/webhooks',
		isList: true,
	});
	if (!Array.isArray(responseData)) {
		throw new ServiceError({
			message: 'The service answered without a list of webhooks',
			description: 'Check the Base URL in the credential, its path included.',
		});
	}
	return responseData.filter(isObject) as unknown as Webhook[];
}

/** What to register. */
interface NewWebhook {
	type: EventType;
	/** The whole URL that the service calls. */
	url: string;
	/** Only the webhook of an identity event has a name. */
	name: string;
}

/**
 * Registers a URL for one event
 * (docs/dev/service.md#register-a-document-webhook, #register-an-identity-webhook).
 * @param options `creates` if a lost answer must be reported as "may have been created"; `secrets` are
 * values besides the URL that no message may show.
 * @returns The webhook as the service gives it; empty if the answer of a success has none.
 * @throws ServiceError if the service refuses, or cannot be reached.
 */
export async function registerWebhook(
	service: ServiceClient,
	{ type, url, name }: NewWebhook,
	options: Pick<ServiceRequest, 'creates' | 'secrets'> = {},
): Promise<Partial<Webhook>> {
	const secrets = [url, ...(options.secrets ?? [])];
	const common = { ...options, secrets, labelFor: (path: string) => labelFor('webhook', path) };
	const { responseData } = await service.call(
		type === identityEvent
			? {
					...common,
					method: 'POST',
					path: '/webhooks/verify',
					body: { name, type, url } satisfies IdentityWebhookBody,
				}
			: {
					...common,
					method: 'POST',
					path: '/webhooks',
					qs: { url, type } satisfies DocumentWebhookQuery,
				},
	);
	return objectOf(responseData);
}

/** `refused`: the service says that there is no such identity webhook, which may be wrong. */
type Deletion = 'deleted' | 'gone' | 'refused';

/**
 * Deletes one webhook (docs/dev/service.md#delete-a-webhook). Whether this also deletes identity webhooks is
 * not documented. The call for one is made only once, because a second answer "not found" could mean
 * two things.
 * @throws ServiceError if the service fails or cannot be reached.
 */
export async function removeWebhook(
	service: ServiceClient,
	{ webHookID, type }: Pick<Webhook, 'webHookID'> & { type?: string },
): Promise<Deletion> {
	if (!webHookID) return 'refused';
	const isIdentity = type === identityEvent;
	const answer = await settle(
		service.call({
			method: 'DELETE',
			path: '/webhooks',
			qs: { webHookID },
			noRetry: isIdentity,
			finalStatuses: isIdentity ? [400, 404] : [404],
		}),
	);
	if (answer.ok) return 'deleted';
	const { error } = answer;
	const status = error instanceof ServiceError ? error.answered : undefined;
	if (isIdentity && (status === 400 || status === 404)) return 'refused';
	if (status === 404) return 'gone';
	throw error;
}
