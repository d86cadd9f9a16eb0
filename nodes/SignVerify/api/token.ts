import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { normalizeBaseUrl, originOf } from '../http/baseUrl';
import { readBody } from '../http/body';
import { ServiceError } from '../http/errors';
import { readNetworkError } from '../http/network';
import { readRetryAfter } from '../http/rateLimit';
import { describeBody, effectiveStatus, messageOf, readEnvelope } from '../http/response';
import { settle, withTimeout } from '../util/async';
import { type Redact, redactor } from '../util/redact';
import { isObject, listOf, objectOf, remember, textOf } from '../util/values';

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
	const secrets = [apiKey, credential.accessToken, ...listOf(credential.refusedTokens)];
	throw refusal(baseUrl, answer, redactor(secrets));
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
function refusal(baseUrl: string, answer: IN8nHttpFullResponse, redact: Redact): ServiceError {
	const { statusCode: status, body, headers } = answer;
	const words = messageOf(body, redact);
	const said = words ? `: ${words}` : '';
	const inner = effectiveStatus(answer);
	if (inner === 429 || inner >= 500) {
		return new ServiceError({
			message: `The service gives no access token at the moment (HTTP ${inner}${said}). Try again in a moment`,
			description: 'The fault is at the service. The credential may be right.',
			docsAnchor: 'the-credential',
			httpStatus: inner,
			retryable: 'always',
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
			docsAnchor: 'the-credential',
		});
	}
	const origin = originOf(baseUrl);
	const cure =
		baseUrl === origin
			? 'Check the Base URL: often it ends in /api'
			: 'Check the Base URL, its path included';
	return new ServiceError({
		message: `${origin} answers, but not like the signing service (HTTP ${status} with ${describeBody(body, redact)} where an access token was expected). ${cure}`,
		description: 'Compare the Base URL in the credential with the one that your provider gave you.',
		httpStatus: status,
		docsAnchor: 'the-credential',
	});
}

/** Statuses that mean that there is no such endpoint, whatever the answer says. */
const noEndpoint = [404, 405];

function unreachable(baseUrl: string, error: unknown): ServiceError {
	const { problem, remedy, retryable } = readNetworkError(error);
	return new ServiceError({
		message: `Base URL: ${originOf(baseUrl)} ${problem}. ${remedy.replace(/\.$/, '')}`,
		description: 'Nothing was sent. The Base URL is in the credential.',
		docsAnchor: 'the-service-cannot-be-reached',
		// The call that needs the token has not been sent yet.
		retryable: retryable === 'whenIdempotent' ? 'always' : retryable,
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
		docsAnchor: 'the-credential',
	});
}

/** Accounts whose last exchange is remembered; each further one costs an exchange. */
const maxAccounts = 200;

/**
 * How long (ms) a new token is given to those who ask for one, because they began before it was stored.
 * Later, the stored token is the newer one: two credentials of one account keep a token each.
 */
const youngToken = 60_000;

interface Exchange {
	running: Promise<string>;
	/** What it gave, when it has ended. */
	token?: string;
	/** When it ended (epoch-ms). */
	endedAt: number;
}

/** The last exchange of each account and host in this process (design rules 3 and 12). */
const exchanges = new Map<string, Exchange>();

/**
 * A token that is newer than the refused ones. n8n asks for each request that finds the token missing or
 * expired, also while an exchange is running: they all get the token of one exchange.
 * @param credential As for {@link exchangeToken}, and the refused tokens in `refusedTokens`, or the
 * expired one in `accessToken`: n8n asks for a new token by itself only if `accessToken` is empty.
 * @throws ServiceError as {@link exchangeToken}.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const account = [credential.baseUrl, credential.userId, credential.apiKey].map(textOf);
	const key = createHash('sha256').update(JSON.stringify(account)).digest('hex');
	const refused = [...listOf(credential.refusedTokens), credential.accessToken]
		.map(textOf)
		.filter(Boolean);
	const { running, token, endedAt = 0 } = exchanges.get(key) ?? {};
	if (running && token === undefined) return await running;
	const isYoung = Date.now() - endedAt < youngToken;
	if (token && isYoung && refused.length > 0 && !refused.includes(token)) return token;

	const exchange: Exchange = { running: exchangeToken(helpers, credential), endedAt: Infinity };
	remember(exchanges, key, exchange, maxAccounts);
	const { ok } = await settle(exchange.running);
	if (!ok) exchanges.delete(key);
	exchange.token = await exchange.running;
	exchange.endedAt = Date.now();
	return exchange.token;
}
