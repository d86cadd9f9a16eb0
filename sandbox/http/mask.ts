import type { Delivery, RecordedRequest } from '../types';
import { sha256 } from '../util/ids';
import { parseUrl } from '../util/url';

const secretNames =
	/^(?:api[-_]?key|token|access[-_]?token|authorization|cookie|password|secret)$/i;

/**
 * Replaces a secret with a short hash. The same secret always has the same hash, but the hash cannot be used
 * in place of the secret.
 */
function maskSecret(secret: string): string {
	return secret === '' ? '' : `…${sha256(secret).slice(0, 8)}`;
}

/**
 * Masks the values in a URL's query and removes its username and password, because a webhook's URL can
 * contain secrets there. A string that is not a URL is returned unchanged.
 */
export function maskUrl(address: string): string {
	const url = /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
	if (!url) return address;
	const query = [...url.searchParams].map(([name, value]) => `${name}=${maskSecret(value)}`);
	return `${url.protocol}//${url.host}${url.pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/**
 * Masks the secrets in a query, headers or a JSON body: the values of fields with certain names, and any
 * secrets inside URLs.
 */
function maskValues(value: unknown): unknown {
	if (typeof value === 'string') return maskUrl(value);
	if (Array.isArray(value)) return value.map(maskValues);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			name,
			secretNames.test(name) ? maskSecret(String(inner)) : maskValues(inner),
		]),
	);
}

/** Masks a recorded call for display. A body that is not JSON is masked entirely. */
export function maskRequest(request: RecordedRequest): RecordedRequest {
	return {
		...request,
		query: maskValues(request.query) as RecordedRequest['query'],
		headers: maskValues(request.headers) as RecordedRequest['headers'],
		body: typeof request.body === 'string' ? maskSecret(request.body) : maskValues(request.body),
	};
}

export function maskDelivery(delivery: Delivery): Delivery {
	return { ...delivery, url: maskUrl(delivery.url) };
}
