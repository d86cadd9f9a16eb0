import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Slots } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { textOf } from '../util/values';
import { type Limits, limitsOf, normalizeBaseUrl } from './credential';
import { RateLimiter } from './rateLimit';

/** How an account is called, by all executions of this process together. */
export interface Account extends Limits {
	/** Base URL and user ID. It is the same however the Base URL is written. */
	id: string;
	baseUrl: string;
	rateLimiter: RateLimiter;
	/** For the calls of items: so many run at once. */
	slots: Slots;
}

/** What all calls of an account share. One that is pushed out begins without a pause and without the others' items. */
const sharedByAccount = new ProcessMemory<Pick<Account, 'rateLimiter' | 'slots'>>({
	name: 'accounts',
	bound: 200,
	life: 'until pushed out',
});

/**
 * What a call needs to know of its account. Credentials with the same base URL and user ID share it,
 * and the limits of the one that was used last hold.
 * @throws ServiceError for a Base URL or a limit that cannot be used.
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const limits = limitsOf(credential);
	// Changing the case, the slashes or http to https in the Base URL must not change the account's ID: Send Once Keys
	// depend on it.
	const address = baseUrl
		.replace(/^https?:/, '')
		.replace(/\/+/g, '/')
		.toLowerCase();
	const id = JSON.stringify([address, textOf(credential.userId).trim()]);
	const shared = sharedByAccount.get(id) ?? { rateLimiter: new RateLimiter(), slots: new Slots() };
	sharedByAccount.set(id, shared);
	return { id, baseUrl, ...limits, ...shared };
}
