import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { normalizeBaseUrl, originOf } from '../http/baseUrl';
import { readBody } from '../http/body';
import { describeBody, messageOf, readEnvelope } from '../http/envelope';
import { ServiceError } from '../http/errors';
import { readNetworkError } from '../http/network';
import { readRetryAfter } from '../http/rateLimiter';
import { effectiveStatus } from '../http/response';
import { withTimeout } from '../util/async';
import type { Hide } from '../util/plainText';
import { redact } from '../util/redact';
import { isObject, objectOf, remember, textOf } from '../util/values';

/** How long (ms) the token endpoint may take if the caller does not say. */
const defaultTimeout = 30_000;

/**
 * Exchanges user ID and key for an access token (docs/dev/service.md#token).
 * @param credential `baseUrl`, `userId`, `apiKey`, and the caller's `timeout` (ms) if it has one.
 * @throws ServiceError, with different words for a wrong Base URL, a refused key, another answer, no
 * answer, and a service that fails.
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
		// All calls of the account wait for this one, so it must end.
		answer = await withTimeout(start, timeout);
	} catch (error) {
		throw unreachable(baseUrl, error);
	}

	const token = answer.statusCode < 300 ? findToken(answer.body) : undefined;
	if (token) return token;
	const secrets = [apiKey, credential.accessToken, credential.expiredToken];
	throw refusal(baseUrl, answer, (text) => redact(text, secrets));
}

/** Looks for the token where it was seen in an answer (docs/dev/service.md#seen-token). */
function findToken(value: unknown): string | undefined {
	if (!isObject(value) || value.success === false) return undefined;
	const data = objectOf(value.responseData);
	const candidates = [
		data.accessToken,
		data.token,
		value.responseData,
		value.accessToken,
		value.token,
	];
	return candidates.find((text): text is string => typeof text === 'string' && text !== '');
}

/** n8n's test of a credential shows only the message, so each message below also says what to do. */
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

/** Statuses that mean that there is no such endpoint, whatever the answer says. */
const noEndpoint = [404, 405];

function unreachable(baseUrl: string, error: unknown): ServiceError {
	const { problem, remedy, repeat } = readNetworkError(error);
	return new ServiceError({
		message: `Base URL: ${originOf(baseUrl)} ${problem}. ${remedy.replace(/\.$/, '')}`,
		description: 'Nothing was sent. The Base URL is in the credential.',
		topic: 'the-service-cannot-be-reached',
		// The call that needs the token has not been sent yet.
		repeat: repeat === 'ifIdempotent' ? 'always' : repeat,
	});
}

/** A header cannot have line breaks or characters beyond Latin-1, but a pasted key may. */
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

/** Accounts whose last token is remembered; each further one costs an exchange. */
const rememberedAccounts = 200;

interface TokenRecord {
	/** The last token that was fetched, and when (epoch-ms). */
	token?: string;
	fetchedAt: number;
	/**
	 * Tokens that are older than `token`, newest last. A call that failed with one of them uses `token`. A
	 * call that failed with any other may have a newer one, from another process.
	 */
	older: string[];
	/** The exchange that is running. */
	pending?: Promise<string>;
}

/**
 * How long (ms) after an exchange a call may still fail with an older token, because it was running then.
 * Later, the new token can have expired as well: two credentials of one account keep a token each.
 */
const youngToken = 60_000;

/** There are never more renewals than this during one call. */
const rememberedTokens = 5;

/**
 * n8n calls `preAuthentication` for each request that finds the token missing or expired, also if an
 * exchange is running. With this record for each account, they share one exchange (design rule 3).
 */
const records = new Map<string, TokenRecord>();

/**
 * A token that is newer than the one in the credential, with one exchange at a time for each account.
 * @param credential As for {@link exchangeToken}, and the expired token in `accessToken`, or in
 * `expiredToken`: n8n asks for a new token only if `accessToken` is empty.
 * @throws ServiceError as {@link exchangeToken}.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const key = accountKey(credential);
	const record = records.get(key) ?? { older: [], fetchedAt: 0 };
	if (record.pending) return await record.pending;

	const expired = textOf(credential.expiredToken) || textOf(credential.accessToken);
	const isYoung = Date.now() - record.fetchedAt < youngToken;
	if (record.token && isYoung && record.older.includes(expired)) return record.token;

	const pending = exchangeToken(helpers, credential);
	record.pending = pending;
	remember(records, key, record, rememberedAccounts);
	try {
		const token = await pending;
		const replaced = [record.token, expired].filter((text): text is string => !!text);
		record.older = [...record.older, ...replaced].filter((text) => text !== token);
		record.older = record.older.slice(-rememberedTokens);
		record.token = token;
		record.fetchedAt = Date.now();
		return token;
	} finally {
		record.pending = undefined;
	}
}

function accountKey(credential: ICredentialDataDecryptedObject): string {
	const parts = [credential.baseUrl, credential.userId, credential.apiKey].map(textOf);
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
