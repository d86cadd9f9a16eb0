import axios from 'axios';
import type { DeliveryAttempt } from '../types';
import type { Clock } from '../util/clock';
import { newConnections } from '../util/connections';
import { parseUrl } from '../util/url';

/** The maximum time to wait for a receiver's response. */
const deliveryTimeoutMs = 15_000;

/**
 * Makes one attempt to deliver a notification, using an HTTP POST with JSON. Does not follow redirects or use
 * a proxy.
 * @param abort Ends the attempt early when the sandbox stops.
 * @returns The attempt, with the HTTP status of the response or the reason for the failure. Never throws.
 */
export async function attemptDelivery(
	url: string,
	json: string,
	abort: AbortController,
	clock: Clock,
): Promise<DeliveryAttempt> {
	const at = clock.now();
	const began = performance.now();
	const spent = () => Math.round(performance.now() - began);
	// The timeout option in axios limits only how long the connection can be idle. Without this timer, a
	// receiver that sends a single byte every few seconds would never time out.
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		abort.abort();
	}, deliveryTimeoutMs);
	try {
		const { status } = await axios.post(url, json, {
			headers: { 'Content-Type': 'application/json', 'User-Agent': 'signing-service-sandbox' },
			maxRedirects: 0,
			proxy: false,
			httpAgent: newConnections,
			signal: abort.signal,
			transformRequest: [(data: unknown) => data],
			transformResponse: [],
			responseType: 'text',
			maxContentLength: 10_000_000,
			maxBodyLength: Infinity,
			validateStatus: () => true,
		});
		return { at, status, durationMs: spent() };
	} catch (error) {
		const reason = late ? `no response within ${deliveryTimeoutMs / 1000} s` : reasonOf(error);
		return { at, error: reason, durationMs: spent() };
	} finally {
		clearTimeout(timer);
	}
}

/** Describes the failure without the URL, which may contain a secret. */
function reasonOf(error: unknown): string {
	const code = (error as { code?: unknown }).code;
	if (typeof code === 'string' && code !== 'ERR_BAD_RESPONSE') return code;
	return error instanceof Error ? error.message : String(error);
}

/**
 * Whether a URL points to this machine. Only the host name is checked. It is not resolved, because it could
 * resolve to a different IP address by the time of the call.
 */
export function isLoopback(address: string): boolean {
	const host = parseUrl(address)?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '[::1]' ||
		/^127(?:\.\d{1,3}){3}$/.test(host)
	);
}
