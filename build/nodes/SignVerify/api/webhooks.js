import { ServiceError } from '../http/errors';
import { attempt } from '../util/async';
import { isObject, objectOf } from '../util/values';
import { identityEvent } from './events';
import { explainWith, webhookNames } from './refusedFields';
export async function listWebhooks(service) {
    const { responseData } = await service.call({ method: 'GET', path: '/webhooks' });
    if (!Array.isArray(responseData)) {
        throw new ServiceError({
            message: 'The service answered without a list of webhooks',
            description: 'Check the Base URL in the credential, its path included.',
        });
    }
    return responseData.filter(isObject);
}
export async function registerWebhook(service, { type, url, name }, options = {}) {
    const secrets = [url, ...(options.secrets ?? [])];
    const common = { ...options, secrets, explain: explainWith(webhookNames, { name, type, url }) };
    const { responseData } = await service.call(type === identityEvent
        ? {
            ...common,
            method: 'POST',
            path: '/webhooks/verify',
            body: { name, type, url },
        }
        : {
            ...common,
            method: 'POST',
            path: '/webhooks',
            qs: { url, type },
        });
    return objectOf(responseData);
}
export async function removeWebhook(service, { webHookID, type }) {
    if (!webHookID)
        return 'refused';
    const isIdentity = type === identityEvent;
    const answer = await attempt(service.call({ method: 'DELETE', path: '/webhooks', qs: { webHookID }, noRetry: isIdentity }));
    if (answer.ok)
        return 'deleted';
    const { error } = answer;
    const status = error instanceof ServiceError ? error.answered : undefined;
    if (isIdentity && (status === 400 || status === 404))
        return 'refused';
    if (status === 404)
        return 'gone';
    throw error;
}
