import type { ServiceClient } from '../transport/client';
import { ServiceError } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { attempt } from '../util/async';
import { isObject } from '../util/values';
import { type EventType, identityEvent } from './events';
import { explainWith, webhookNames } from './refusedFields';
import type { DocumentWebhookQuery, IdentityWebhookBody, WebhookRegistration } from './types';

/**
 * Lists all registrations of the account (docs/service.md#list-webhooks).
 * @throws ServiceError when there is no list in the answer.
 */
export async function listWebhooks(service: ServiceClient): Promise<WebhookRegistration[]> {
	const { responseData } = await service.call({ method: 'GET', path: '/webhooks' });
	if (!Array.isArray(responseData)) {
		throw new ServiceError({
			message: 'The service answered without a list of webhooks',
			description: 'Check the Base URL in the credential, its path included.',
		});
	}
	return responseData.filter(isObject) as unknown as WebhookRegistration[];
}

/** What to register. */
interface NewWebhook {
	type: EventType;
	/** The whole address to which the service reports. */
	url: string;
	/** What the registration of an identity event is called; a document event has no name. */
	name: string;
}

/**
 * Registers an address for one event
 * (docs/service.md#register-a-document-webhook, #register-an-identity-webhook).
 * @param options `creates` where a lost answer has to be reported as "may have been created";
 * `secrets` are values that no message may show, besides the address.
 * @returns The registration as the service gives it; empty where its answer holds none, which is a
 * success all the same.
 * @throws ServiceError when the service refuses, or cannot be reached.
 */
export async function registerWebhook(
	service: ServiceClient,
	{ type, url, name }: NewWebhook,
	options: Pick<ServiceRequest, 'creates' | 'secrets'> = {},
): Promise<Partial<WebhookRegistration>> {
	const secrets = [url, ...(options.secrets ?? [])];
	const common = { ...options, secrets, explain: explainWith(webhookNames, { name, type, url }) };
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
	return isObject(responseData) ? responseData : {};
}

/** `refused`: the service says that there is no such identity registration, which may not be so. */
type Deletion = 'deleted' | 'gone' | 'refused';

/**
 * Deletes one registration (docs/service.md#delete-a-webhook). Whether identity registrations are
 * deleted in this way, too, is not documented.
 * @param registration Its type, where it is known: that of an identity registration is asked for once
 * only, since "not found" the second time could not be understood.
 * @throws ServiceError when the service fails or cannot be reached.
 */
export async function removeWebhook(
	service: ServiceClient,
	{ webHookID, type }: Pick<WebhookRegistration, 'webHookID'> & { type?: string },
): Promise<Deletion> {
	if (!webHookID) return 'refused';
	const isIdentity = type === identityEvent;
	const answer = await attempt(
		service.call({ method: 'DELETE', path: '/webhooks', qs: { webHookID }, noRetry: isIdentity }),
	);
	if (answer.ok) return 'deleted';
	const { error } = answer;
	const status = error instanceof ServiceError ? error.answered : undefined;
	if (isIdentity && (status === 400 || status === 404)) return 'refused';
	if (status === 404) return 'gone';
	throw error;
}
