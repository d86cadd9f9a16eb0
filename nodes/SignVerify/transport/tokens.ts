import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';

import { normalizeBaseUrl, originOf } from './address';
import { describeBody, isObject, messageOf, parseJson, readEnvelope } from './envelope';
import { ServiceFailure } from './failure';
import { readNetworkError } from './network';
import { redact } from './redact';
import { textOf } from './text';

/** How long (ms) the token endpoint may take. */
const tokenTimeout = 30_000;

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
 * @throws ServiceFailure in words of its own for: a wrong base URL, a refused key, an address that
 * answers something else, an address that answers nothing (interface: Token).
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

async function exchangeToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const userId = headerValue('User ID', credential.userId);
	const apiKey = headerValue('API Key', credential.apiKey);

	let answer: { statusCode: number; body: unknown };
	try {
		answer = (await helpers.httpRequest({
			method: 'POST',
			url: `${baseUrl}/access/token`,
			headers: { 'user-id': userId, 'api-key': apiKey, accept: 'application/json' },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: tokenTimeout,
		})) as { statusCode: number; body: unknown };
	} catch (error) {
		throw unreachable(baseUrl, error);
	}

	const token = answer.statusCode < 300 ? findToken(answer.body) : undefined;
	if (token) return token;
	throw refusal(baseUrl, answer.statusCode, answer.body, (text) => redact(text, [apiKey]));
}

/** Where a token has been seen in an answer; the interface does not show the body. */
function findToken(body: unknown): string | undefined {
	const value = typeof body === 'string' ? parseJson(body) : body;
	if (!isObject(value) || value.success === false) return undefined;
	const data = isObject(value.responseData) ? value.responseData : undefined;
	const candidates = [
		data?.accessToken,
		data?.token,
		value.responseData,
		value.accessToken,
		value.token,
	];
	return candidates.find((text): text is string => typeof text === 'string' && text !== '');
}

function refusal(
	baseUrl: string,
	status: number,
	body: unknown,
	clean: (text: string) => string,
): ServiceFailure {
	const words = clean(messageOf(body) ?? '');
	const said = words ? `: ${words}` : '';
	if (status === 429 || status >= 500) {
		return new ServiceFailure({
			message: `The service gives no access token at the moment (HTTP ${status}${said})`,
			description: 'The credential may be right. Try again in a moment.',
			httpStatus: status,
		});
	}
	const envelope = readEnvelope(body);
	if ((envelope && envelope.success !== true) || status === 401 || status === 403) {
		return new ServiceFailure({
			message: `The service refused the User ID or the API Key (HTTP ${status}${said})`,
			description: 'Check both in the credential. Copy the API Key again if in doubt.',
			httpStatus: status,
		});
	}
	return new ServiceFailure({
		message: `${originOf(baseUrl)} answers, but not like the signing service (HTTP ${status} with ${clean(describeBody(body))} where an access token was expected)`,
		description: 'Check the Base URL in the credential, its path included.',
		httpStatus: status,
	});
}

function unreachable(baseUrl: string, error: unknown): ServiceFailure {
	const trouble = readNetworkError(error);
	return new ServiceFailure({
		message: `Base URL: ${originOf(baseUrl)} ${trouble.problem}`,
		description: trouble.remedy,
	});
}

/** A header can carry neither line breaks nor characters beyond Latin-1; a pasted key may. */
function headerValue(field: string, value: unknown): string {
	const text = textOf(value).trim();
	if (text && /^[\x20-\x7e\xa0-\xff]+$/.test(text)) return text;
	throw new ServiceFailure({
		message: text ? `${field}: it has characters that a key cannot have` : `${field}: it is empty`,
		description: `Copy the ${field} again and paste it into the credential.`,
	});
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
