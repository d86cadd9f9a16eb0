import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/**
 * Nothing in a notification proves who sent it (docs/service.md#delivery), so the registered
 * address itself carries a secret (design rule 5). This is the name of the query parameter that
 * holds it.
 */
export const secretParameter = 'secret';

/**
 * The query parameter that says which event the address was registered for: the bodies of four
 * events are not documented, and need not say so themselves.
 */
export const eventParameter = 'event';

/** Makes a new secret of 256 bits, fit for an address. */
export function makeSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** The address to register for an event: the node's own, with the secret and the event. */
export function addressWithSecret(webhookUrl: string, secret: string, event: string): string {
	const separator = webhookUrl.includes('?') ? '&' : '?';
	return `${webhookUrl}${separator}${secretParameter}=${secret}&${eventParameter}=${event}`;
}

/** An address in the one form that others are compared with: a service may write it differently. */
export function normalAddress(address: string): string {
	try {
		return new URL(address).href;
	} catch {
		return address;
	}
}

/** The address without what follows its path, to recognise registrations of the same node. */
function addressWithoutSecret(address: string): string {
	return address.split('?')[0] ?? '';
}

/** Whether two addresses lead to the same node, whatever secret and event they carry. */
export function isSameNode(one: string, other: string): boolean {
	return addressWithoutSecret(normalAddress(one)) === addressWithoutSecret(normalAddress(other));
}

/**
 * Compares a secret in constant time. Both sides are hashed first, so that not even the length of
 * the right one can be measured.
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
