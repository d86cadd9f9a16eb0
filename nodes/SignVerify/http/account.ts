import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Slots } from '../util/async';
import { remember, textOf } from '../util/values';
import { limitsOf, normalizeBaseUrl, type Limits } from './credential';
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

type Shared = Pick<Account, 'rateLimiter' | 'slots'>;

/** Accounts whose calls are bounded together, used last. */
const maxAccounts = 200;
export const accounts = new Map<string, Shared>();

/**
 * What a call needs to know of its account. Credentials with the same base URL and user ID share it,
 * and the limits of the one that was used last hold.
 * @throws ServiceError for a Base URL or a limit that cannot be used.
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const limits = limitsOf(credential);
	// Who corrects its case, its slashes or http to https has no other account (Send Once Keys).
	const address = baseUrl
		.replace(/^https?:/, '')
		.replace(/\/+/g, '/')
		.toLowerCase();
	const id = JSON.stringify([address, textOf(credential.userId).trim()]);
	const shared = accounts.get(id) ?? { rateLimiter: new RateLimiter(), slots: new Slots() };
	remember(accounts, id, shared, maxAccounts);
	return { id, baseUrl, ...limits, ...shared };
}
