import { createHash, randomBytes, timingSafeEqual } from 'crypto';

import type { ServiceClient } from '../account/client';
import { isTriggerTest } from '../n8nInternals';
import { parseUrl } from '../util/urls';
import { type NodeContext, placeOfNode } from './ownWebhooks';

/**
 * The query parameter that contains a secret. Nothing in a notification proves who sent it
 * (docs/dev/service.md#delivery). So the registered URL itself contains a secret, and requests without it are
 * refused (the guarantee "Events are authenticated" in docs/dev/behavior.md).
 */
export const secretParameter = 'secret';

export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/**
 * Derives the secrets in a node's webhook URLs, one for each event, from the API key. A node with the same
 * credential derives the same secrets, so nothing has to be stored. A test run uses different secrets.
 * @throws ServiceError if the credential is invalid or n8n can't read it.
 */
export async function readSecrets(
	context: NodeContext,
	service: ServiceClient,
): Promise<(event: string) => string> {
	const secretOf = await service.secretMaker();
	const mode = isTriggerTest(context) ? 'test' : 'production';
	const parts = ['SignVerify Trigger', ...placeOfNode(context), mode];
	return (event) => secretOf([...parts, event]);
}

export function urlWithSecret(webhookUrl: string, secret: string): string {
	const separator = webhookUrl.includes('?') ? '&' : '?';
	return `${webhookUrl}${separator}${secretParameter}=${secret}`;
}

/**
 * Returns the SHA-256 hash of a secret. n8n stores only this hash, because not everyone who can read n8n's
 * data should know the secret.
 */
export function hashOfSecret(secret: string): string {
	return createHash('sha256').update(secret).digest('base64url');
}

/** Returns the secret in a URL, wherever it is among the parameters, or '' if there is none. */
export function secretIn(address: string): string {
	return parseUrl(address)?.searchParams.get(secretParameter) ?? '';
}

/** Whether a value has the format of our secrets. Check this before comparing the value with a hash. */
export function canBeSecret(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{43}$/.test(value);
}

/**
 * Compares a secret with a stored hash in constant time.
 * @param hash The stored hash; '' matches nothing.
 */
export function isSecret(secret: string, hash: string): boolean {
	const receivedHash = Buffer.from(hashOfSecret(secret));
	const storedHash = Buffer.from(hash);
	return receivedHash.length === storedHash.length && timingSafeEqual(receivedHash, storedHash);
}
