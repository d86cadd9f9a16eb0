import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { normalizeBaseUrl, originOf } from '../transport/baseUrl';
import { readBody } from '../transport/body';
import { describeBody, messageOf, readEnvelope } from '../transport/envelope';
import { ServiceError } from '../transport/errors';
import { readNetworkError } from '../transport/network';
import { readRetryAfter } from '../transport/rateLimiter';
import { effectiveStatus } from '../transport/response';
import { withTimeout } from '../util/async';
import type { Hide } from '../util/plainText';
import { redact } from '../util/redact';
import { isObject, textOf } from '../util/values';

/** How long (ms) the token endpoint may take where the caller does not say. */
const defaultTimeout = 30_000;

/**
 * Exchanges user ID and key for an access token (docs/service.md#token).
 * @param credential `baseUrl`, `userId`, `apiKey`, and the caller's `timeout` (ms) if it has one.
 * @returns The token.
 * @throws ServiceError in words of its own for: a wrong base URL, a refused key, an address that
 * answers something else, an address that answers nothing, a service that is out of order.
 */
export async function exchangeToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const userId = headerValue('User ID', credential.userId);
	const apiKey = headerValue('API Key', credential.apiKey);

	const timeout = Number(credential.timeout) || defaultTimeout;
	const start = async (abortSignal: AbortSignal): Promise<IN8nHttpFullResponse> => {
		const answer = (await helpers.httpRequest({
			method: 'POST',
			url: `${baseUrl}/access/token`,
			headers: { 'user-id': userId, 'api-key': apiKey, accept: 'application/json' },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			encoding: 'stream',
			timeout,
			abortSignal,
		})) as IN8nHttpFullResponse;
		return await readBody(answer, abortSignal);
	};

	let answer: IN8nHttpFullResponse;
	try {
		// All calls of the account wait for this one: it has to end.
		answer = await withTimeout(start, timeout);
	} catch (error) {
		throw unreachable(baseUrl, error);
	}

	const token = answer.statusCode < 300 ? findToken(answer.body) : undefined;
	if (token) return token;
	const secrets = [apiKey, credential.accessToken, credential.expiredToken];
	throw refusal(baseUrl, answer, (text) => redact(text, secrets));
}

/** Where a token has been seen in an answer (docs/service.md#seen-token). */
function findToken(value: unknown): string | undefined {
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

/**
 * n8n's test of a credential shows the message alone, so each message below says what to do, too.
 */
function refusal(baseUrl: string, answer: IN8nHttpFullResponse, hide: Hide): ServiceError {
	const { statusCode: status, body, headers } = answer;
	const words = messageOf(body, hide) ?? '';
	const said = words ? `: ${words}` : '';
	const inner = effectiveStatus(answer);
	if (inner === 429 || inner >= 500) {
		return new ServiceError({
			message: `The service gives no access token at the moment (HTTP ${inner}${said}). Try again in a moment`,
			description: 'The fault is at the service. The credential may be right.',
			topic: 'the-credential',
			httpStatus: inner,
			repeat: 'always',
			retryAfter: readRetryAfter(headers?.['retry-after']),
		});
	}
	const envelope = readEnvelope(body);
	const isRefused = (envelope && envelope.success !== true) || status === 401 || status === 403;
	if (isRefused && !noEndpoint.includes(inner)) {
		return new ServiceError({
			message: `The service refused the User ID or the API Key (HTTP ${status}${said}). Copy both again`,
			description: 'Correct them in the credential. The key may also have been revoked.',
			httpStatus: status,
			topic: 'the-credential',
		});
	}
	const origin = originOf(baseUrl);
	const cure =
		baseUrl === origin
			? 'Check the Base URL: often it ends in /api'
			: 'Check the Base URL, its path included';
	return new ServiceError({
		message: `${origin} answers, but not like the signing service (HTTP ${status} with ${describeBody(body, hide)} where an access token was expected). ${cure}`,
		description: 'Compare the Base URL in the credential with the one that your provider gave you.',
		httpStatus: status,
		topic: 'the-credential',
	});
}

/** Statuses that mean that there is no such endpoint, whatever the answer looks like. */
const noEndpoint = [404, 405];

function unreachable(baseUrl: string, error: unknown): ServiceError {
	const { problem, remedy, repeat } = readNetworkError(error);
	return new ServiceError({
		message: `Base URL: ${originOf(baseUrl)} ${problem}. ${withoutStop(remedy)}`,
		description: 'Nothing was sent. The Base URL is in the credential.',
		topic: 'the-service-cannot-be-reached',
		// Whatever the call was to do has not been sent yet.
		repeat: repeat === 'ifIdempotent' ? 'always' : repeat,
	});
}

function withoutStop(sentence: string): string {
	return sentence.replace(/\.$/, '');
}

/** A header can carry neither line breaks nor characters beyond Latin-1; a pasted key may. */
function headerValue(field: string, value: unknown): string {
	const text = textOf(value).trim();
	if (text && /^[\x20-\x7e\xa0-\xff]+$/.test(text)) return text;
	throw new ServiceError({
		message: text
			? `${field}: it has characters that a key cannot have. Copy it again`
			: `${field}: it is empty. Copy it from your account at the service`,
		description: `Paste the ${field} into the credential.`,
		topic: 'the-credential',
	});
}

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
