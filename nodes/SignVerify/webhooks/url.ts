import { createHash, randomBytes, timingSafeEqual } from 'crypto';

import { parseUrl } from '../util/values';

/**
 * The query parameter with a secret. Nothing in a notification proves who sent it
 * (docs/dev/service.md#delivery), so the registered URL itself has a secret (design rule 5).
 */
export const secretParameter = 'secret';

/**
 * The query parameter with the event for which the URL was registered. The bodies of four events are
 * not documented, and may not name their event.
 */
export const eventParameter = 'event';

/** Makes a new secret of 256 bits that a URL can have. */
export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** The URL to register for an event: the node's own, with the secret and the event. */
export function urlWithSecret(webhookUrl: string, secret: string, event: string): string {
	const separator = webhookUrl.includes('?') ? '&' : '?';
	return `${webhookUrl}${separator}${secretParameter}=${secret}&${eventParameter}=${event}`;
}

/** A URL in the form in which it is compared, because a service may write it differently. */
export function normalUrl(address: string): string {
	return parseUrl(address)?.href ?? address;
}

/** Whether two URLs lead to the same node, whatever their secrets and events. */
export function isSameNode(one: string, other: string): boolean {
	const [first, second] = [one, other].map((each) => normalUrl(each).split('?')[0]);
	return first === second;
}

/** What the webhook of a workflow is called at the service. */
export function webhookName(context: { getWorkflow(): { name?: string | undefined } }): string {
	return `n8n: ${context.getWorkflow().name ?? 'workflow'}`.slice(0, 100);
}

/**
 * Compares a secret in constant time. Both are hashed first, because otherwise the length of the right
 * one could be measured.
 * @param given What came with the request, of any type.
 * @param expected The node's secret; a missing one matches nothing.
 */
export function isSecret(given: unknown, expected: unknown): boolean {
	if (typeof given !== 'string' || typeof expected !== 'string' || expected === '') return false;
	return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
