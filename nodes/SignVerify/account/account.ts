import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { RateLimiter } from '../http/rateLimit';
import { Slots } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { textOf } from '../util/values';
import { baseUrlOf, type CallLimits, callLimitsOf } from './credential';

/** An account's call limits, and the account state that all executions in this process share. */
export interface Account extends CallLimits {
	/**
	 * Identifies the account by Base URL and user ID. Differences in the URL's case, slashes or scheme are
	 * ignored.
	 */
	id: string;
	baseUrl: string;
	/** The part of the Base URL that errors may show. */
	origin: string;
	rateLimiter: RateLimiter;
	/** Limits how many items can make calls to the account at the same time. */
	slots: Slots;
}

/**
 * When an account is evicted, its next call gets a new rate limiter and new slots, which know nothing about an
 * ongoing pause or about the items that other executions are processing.
 */
const sharedByAccount = new ProcessMemory<Pick<Account, 'rateLimiter' | 'slots'>>({
	bound: 200,
});

/**
 * Returns the account that a credential is for. Credentials with the same Base URL and user ID share a rate
 * limiter and slots. If their limits differ, those of the most recently used credential apply.
 * @throws ServiceError for an invalid Base URL or limit.
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const { baseUrl, origin } = baseUrlOf(credential);
	const callLimits = callLimitsOf(credential);
	// Correcting the case, slashes or scheme of the Base URL must not change the account's ID, because Send
	// Once Keys depend on it.
	const address = baseUrl
		.replace(/^https?:/, '')
		.replace(/\/+/g, '/')
		.toLowerCase();
	const id = JSON.stringify([address, textOf(credential.userId).trim()]);
	const shared = sharedByAccount.get(id) ?? { rateLimiter: new RateLimiter(), slots: new Slots() };
	sharedByAccount.set(id, shared);
	return { id, baseUrl, origin, ...callLimits, ...shared };
}
