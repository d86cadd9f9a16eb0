import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Slots } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { textOf } from '../util/values';
import { type Limits, limitsOf, normalizeBaseUrl } from './credential';
import { RateLimiter } from './rateLimit';

/** The limits for calls to one account, and the state that all executions in this process share. */
export interface Account extends Limits {
	/** Identifies the account by Base URL and user ID. Differences in the URL's case, slashes or scheme are ignored. */
	id: string;
	baseUrl: string;
	rateLimiter: RateLimiter;
	/** Limits how many items make calls to the account at the same time. */
	slots: Slots;
}

/**
 * The state shared by all calls to an account. When this memory is full, the least recently used account is
 * evicted. The next call to that account then gets a new rate limiter and new slots, which don't take into
 * account an ongoing pause or the items that other executions are processing.
 */
const sharedByAccount = new ProcessMemory<Pick<Account, 'rateLimiter' | 'slots'>>({
	name: 'accounts',
	bound: 200,
	life: 'until pushed out',
});

/**
 * Returns the account data that a call needs. Credentials with the same Base URL and user ID share the rate limiter and
 * the slots. The limits of the most recently used credential apply.
 * @throws ServiceError for an invalid Base URL or limit.
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const limits = limitsOf(credential);
	// Correcting the Base URL's case, slashes or scheme must not be treated as switching accounts, because Send
	// Once Keys depend on the account's ID.
	const address = baseUrl
		.replace(/^https?:/, '')
		.replace(/\/+/g, '/')
		.toLowerCase();
	const id = JSON.stringify([address, textOf(credential.userId).trim()]);
	const shared = sharedByAccount.get(id) ?? { rateLimiter: new RateLimiter(), slots: new Slots() };
	sharedByAccount.set(id, shared);
	return { id, baseUrl, ...limits, ...shared };
}
