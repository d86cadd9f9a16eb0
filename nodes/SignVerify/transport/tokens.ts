import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';

import { textOf } from './text';
import { exchangeToken } from './tokenExchange';

/** Accounts whose last token is remembered; more than that only costs an exchange. */
const rememberedAccounts = 200;

interface TokenRecord {
	/** The last token obtained. */
	token?: string;
	/**
	 * Tokens known to be older than `token`, newest last. A call that failed with one of them takes
	 * `token`; a call that failed with any other may hold a newer one, from another process.
	 */
	older: string[];
	/** The exchange under way. */
	pending?: Promise<string>;
}

/** A call cannot outlive more renewals than this. */
const rememberedTokens = 5;

/**
 * n8n calls `preAuthentication` once for each request that finds the token missing or expired,
 * without looking whether another call is already at it. This record, kept for each account in
 * this process, makes one exchange of them (design rule 3).
 */
const records = new Map<string, TokenRecord>();

/**
 * Gives a token that is newer than the one the credential holds, with one exchange at a time for
 * each account.
 * @param helpers n8n's HTTP helper, without authentication.
 * @param credential `baseUrl`, `userId`, `apiKey`, and the token that expired in `accessToken` or
 * (where n8n wants that field empty to ask for a new one) in `expiredToken`.
 * @returns The token.
 * @throws ServiceError in words of its own for: a wrong base URL, a refused key, an address that
 * answers something else, an address that answers nothing (docs/service.md#token).
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const key = accountKey(credential);
	const record = records.get(key) ?? { older: [] };
	if (record.pending) return await record.pending;

	const expired = textOf(credential.expiredToken) || textOf(credential.accessToken);
	if (record.token && record.older.includes(expired)) return record.token;

	const pending = exchangeToken(helpers, credential);
	record.pending = pending;
	remember(key, record);
	try {
		const token = await pending;
		const replaced = [record.token, expired].filter((text): text is string => !!text);
		record.older = [...record.older, ...replaced].filter((text) => text !== token);
		record.older = record.older.slice(-rememberedTokens);
		record.token = token;
		return token;
	} finally {
		record.pending = undefined;
	}
}

function accountKey(credential: ICredentialDataDecryptedObject): string {
	const parts = [credential.baseUrl, credential.userId, credential.apiKey].map(textOf);
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function remember(key: string, record: TokenRecord): void {
	records.delete(key);
	records.set(key, record);
	const oldest = records.keys().next();
	if (records.size > rememberedAccounts && !oldest.done) records.delete(oldest.value);
}
