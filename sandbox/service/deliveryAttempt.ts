import axios from 'axios';
import type { DeliveryAttempt } from '../types';
import type { Clock } from '../util/clock';

/** Milliseconds that a receiver has for its answer. */
const DELIVERY_TIMEOUT_MS = 15_000;

/**
 * Hands a notification over once: HTTP POST, JSON, no redirect followed, no proxy.
 * @param abort Ends it early, when the sandbox stops.
 * @returns The status answered, whatever it is, or what went wrong; never throws.
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
	// A time-out of our own: axios's counts silence only, and a slow drip would never end.
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		abort.abort();
	}, DELIVERY_TIMEOUT_MS);
	try {
		const { status } = await axios.post(url, json, {
			headers: { 'Content-Type': 'application/json', 'User-Agent': 'signing-service-sandbox' },
			maxRedirects: 0,
			proxy: false,
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
		const reason = late ? `no answer within ${DELIVERY_TIMEOUT_MS / 1000} s` : reasonOf(error);
		return { at, error: reason, durationMs: spent() };
	} finally {
		clearTimeout(timer);
	}
}

/** What went wrong, without the address: it may carry a secret. */
function reasonOf(error: unknown): string {
	const code = (error as { code?: unknown }).code;
	if (typeof code === 'string' && code !== 'ERR_BAD_RESPONSE') return code;
	return error instanceof Error ? error.message : String(error);
}

/**
 * Says whether an address stays on this machine. By name only: nothing is looked up, because what
 * a name leads to can change between the check and the call.
 */
export function isLoopback(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const host = new URL(address).hostname.toLowerCase().replace(/\.$/, '');
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '[::1]' ||
		/^127(?:\.\d{1,3}){3}$/.test(host)
	);
}
