import { createHash, randomBytes, timingSafeEqual } from 'crypto';

import { isPrivateUrl, originOf, parseUrl } from '../util/values';

/**
 * The query parameter with a secret. Nothing in a notification proves who sent it
 * (docs/dev/service.md#delivery), so the registered URL itself has a secret (design rule 5).
 */
export const secretParameter = 'secret';

/** Makes a new secret of 256 bits that a URL can have. */
export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** The URL to register: the node's own, with a new secret. */
export function urlWithSecret(webhookUrl: string): string {
	const separator = webhookUrl.includes('?') ? '&' : '?';
	return `${webhookUrl}${separator}${secretParameter}=${newSecret()}`;
}

/**
 * What to say if a service on the internet has to call a URL of n8n that only its own network can reach.
 * @returns undefined if nothing speaks against it.
 */
export function unreachable(baseUrl: string, webhookUrl: string): string | undefined {
	if (isPrivateUrl(baseUrl) || !isPrivateUrl(webhookUrl)) return undefined;
	return `The service at ${originOf(baseUrl)} cannot reach this n8n at ${originOf(webhookUrl)}, so no event will arrive. Set WEBHOOK_URL to the public URL of n8n, and restart n8n.`;
}

/** Makes a test whether a URL leads to a node, whatever its secret. */
export function leadsTo(own: string): (address: string) => boolean {
	// A service may write a URL differently.
	const nodeOf = (address: string) => (parseUrl(address)?.href ?? address).split('?')[0];
	const node = nodeOf(own);
	return (address) => nodeOf(address) === node;
}

/** What the webhook of a workflow is called at the service. */
export function webhookName(context: { getWorkflow(): { name?: string | undefined } }): string {
	return `n8n: ${context.getWorkflow().name ?? 'workflow'}`.slice(0, 100);
}

/** What is kept of a secret: its SHA-256, because others may read where n8n keeps it. */
export function hashOf(secret: string): string {
	return createHash('sha256').update(secret).digest('base64url');
}

/** The hash of the secret in a URL; undefined if there is none. */
export function hashIn(address: string): string | undefined {
	const secret = parseUrl(address)?.searchParams.get(secretParameter);
	return secret ? hashOf(secret) : undefined;
}

/**
 * Compares a secret in constant time.
 * @param given What came with the request, of any type.
 * @param hash What was kept; '' matches nothing.
 */
export function isSecret(given: unknown, hash: string): boolean {
	if (typeof given !== 'string') return false;
	const [one, other] = [Buffer.from(hashOf(given)), Buffer.from(hash)];
	return one.length === other.length && timingSafeEqual(one, other);
}
