import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { endpointAtEnd, endpointPaths } from '../http/endpoints';
import { ServiceError } from '../http/serviceError';
import { isTokenUnsupported, readNetworkError } from '../http/failures';
import { isRateLimited, type CallProblem } from '../http/callProblems';
import { credentialType, httpOptions, readRetryAfter, type ServiceContext } from '../http/request';
import {
	describeBody,
	httpsOriginOf,
	isEnvelope,
	type JudgedResponse,
	messageOf,
	readBody,
	verdictOf,
} from '../http/response';
import { settle, valueOf, withTimeout } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { type Redact, redactor } from '../util/redact';
import { SingleFlight } from '../util/singleFlight';
import { originOf } from '../util/urls';
import { listOf, objectOf, textOf } from '../util/values';
import { authenticate } from './authenticate';
import {
	accountHashOf,
	baseUrlOf,
	credentialUnread,
	headerValue,
	isToken,
	callLimitsOf,
	tokenOf,
} from './credential';
import { tokenProblems } from './tokenProblems';

/** Exchanges the user ID and the API key for an access token (docs/dev/service.md#token). */
async function exchangeToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const { baseUrl, origin } = baseUrlOf(credential);
	const userId = headerValue('User ID', credential.userId);
	const apiKey = headerValue('API Key', credential.apiKey);

	const { timeoutMs } = callLimitsOf(credential);
	const start = async (abortSignal: AbortSignal): Promise<IN8nHttpFullResponse> => {
		const response: unknown = await helpers.httpRequest({
			...httpOptions(`${baseUrl}${endpointPaths.token}`, { method: 'POST' }, timeoutMs),
			headers: { 'user-id': userId, 'api-key': apiKey, accept: 'application/json' },
			abortSignal,
		});
		return await readBody(response as IN8nHttpFullResponse, abortSignal);
	};
	// All of the account's calls wait for this exchange, so it needs a time limit.
	const exchange = await settle(withTimeout(start, timeoutMs));
	if (!exchange.ok) {
		const problem = readNetworkError(exchange.error, origin);
		throw new ServiceError(tokenProblems.noResponse(problem));
	}

	const response = exchange.value;
	const verdict = verdictOf(response);
	const token = verdict.meaning === 'refusal' ? undefined : findToken(response.body);
	if (token !== undefined) return token;
	const secrets = [apiKey, credential.accessToken, ...listOf(credential.refusedTokens)];
	throw exchangeRefused(baseUrl, { response, verdict }, redactor(secrets));
}

/**
 * Looks for the token in every response field where services are known to return it
 * (docs/dev/service.md#seen-token).
 */
function findToken(value: unknown): string | undefined {
	const { responseData, accessToken, token } = objectOf(value);
	const data = objectOf(responseData);
	return [data.accessToken, data.token, responseData, accessToken, token].find(isToken);
}

/**
 * As for any other call, the status in the response's body takes precedence over the HTTP status ({@link verdictOf}).
 */
function exchangeRefused(
	baseUrl: string,
	{ response, verdict }: JudgedResponse,
	redact: Redact,
): ServiceError {
	const { headers } = response;
	const { meaning, status, statusWords } = verdict;
	const at = originOf(baseUrl);
	const retryAfterMs = readRetryAfter(headers['retry-after']);
	const words = messageOf(response.body, redact, { path: endpointPaths.token });
	const body = describeBody(response.body, redact);
	const isFromService = isEnvelope(response.body);
	const isBusy = isRateLimited({ status, words }) || status >= 500;
	const problemOf = (): CallProblem => {
		if (isBusy) {
			return tokenProblems.notNow({ status, words, retryAfterMs });
		}
		if (status >= 300 && status < 400) {
			const httpsOrigin = httpsOriginOf(baseUrl, headers.location);
			const rightUrl = httpsOrigin && `${httpsOrigin}${baseUrl.slice(at.length)}`;
			return tokenProblems.redirected({ status, rightUrl });
		}
		if ([401, 403, 407].includes(status) && !isFromService) {
			return tokenProblems.blocked({ status, words, body });
		}
		// A 404 or 405 means that the endpoint doesn't exist, regardless of what the response contains.
		const isRefused = meaning === 'refusal' && status !== 404 && status !== 405;
		if (isRefused && isFromService && status >= 400) {
			return tokenProblems.refused({ status, statusWords, words });
		}
		return tokenProblems.missing({ at, status, words: isRefused ? words : '', body });
	};
	const problem = problemOf();
	// A service that is busy or down responds in the same way at every path.
	const endpoint = isBusy ? '' : endpointAtEnd(baseUrl);
	const explained = endpoint
		? tokenProblems.endpointInBaseUrl({ baseUrl, endpoint, otherwise: problem })
		: problem;
	return new ServiceError({ ...explained, shownStatus: status, retryAfterMs });
}

/**
 * How long (ms) a token is considered young after it was fetched. A caller whose token was refused gets the
 * young token, because the caller may have read the credential before n8n stored that token. After this time,
 * the stored token may be the newer one, because two credentials for the same account each store a token.
 */
const youngTokenMs = 60_000;

/** Each credential's last token, while it is young. If it is lost, the only cost is another exchange. */
const youngTokens = new ProcessMemory<string>({ bound: 200, lifeMs: youngTokenMs });

/**
 * Each credential's last token, however old. Only n8n's Engine 2.0 needs it, because that engine doesn't
 * store tokens ({@link SharedCredential.send}). One process's memory is enough, because that engine doesn't
 * support queue mode.
 */
const lastTokens = new ProcessMemory<string>({ bound: 200 });

/** Whether a credential's token is the one that this process has just fetched. */
export function hasYoungToken(credential: ICredentialDataDecryptedObject): boolean {
	const young = youngTokens.get(accountHashOf(credential));
	return young !== undefined && young === tokenOf(credential);
}

export function forgetYoungToken(credential: ICredentialDataDecryptedObject): void {
	youngTokens.delete(accountHashOf(credential));
}

const exchanges = new SingleFlight<string>();

/**
 * A token as n8n stores it in the credential. The hash identifies the account that the token belongs to
 * ({@link accountHashOf}).
 */
export type StoredToken = { accessToken: string; accountHash: string };

/**
 * Returns a token that is newer than the refused ones. n8n calls this for every request whose token is
 * missing or expired, even while an exchange is running. All of these requests share a single exchange.
 * @param credential The credential. After HTTP 401, `accessToken` contains the expired token.
 * {@link SharedCredential} instead lists the refused tokens in `refusedTokens`, and leaves `accessToken`
 * empty to make n8n ask for a token before it makes the call.
 * @throws ServiceError, with different messages for a wrong Base URL, a refused key, any other response, a
 * missing response, and a failing service.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<StoredToken> {
	const accountHash = accountHashOf(credential);
	const refused = [...listOf(credential.refusedTokens), credential.accessToken].filter(Boolean);
	// If the caller's token was refused, a different young token must be newer. If the caller has no refused
	// token, the young token may be outdated, so start another exchange.
	const young = youngTokens.get(accountHash);
	if (young !== undefined && refused.length > 0 && !refused.includes(young)) {
		return { accessToken: young, accountHash };
	}
	const accessToken = await exchanges.run(accountHash, async () => {
		youngTokens.delete(accountHash);
		const token = await exchangeToken(helpers, credential);
		youngTokens.set(accountHash, token);
		lastTokens.set(accountHash, token);
		return token;
	});
	return { accessToken, accountHash };
}

/**
 * The maximum number of useless renewals per minute for an account. A renewal is useless if the service also
 * refuses calls with the new token. Without this limit, every item that the account isn't allowed to process
 * would trigger a renewal.
 */
export const maxVainRenewals = 5;

/**
 * For each credential, the renewals that have been useless so far. The inner map records when each refused
 * token was renewed (`performance.now()`). The entry is removed once the service accepts the new token
 * ({@link provesToken}).
 */
const vainRenewals = new ProcessMemory<Map<string, number>>({
	bound: 200,
	lifeMs: youngTokenMs,
});

/**
 * Decides whether a refused token may be renewed. A 401 or 403 can also mean "not allowed", so an account's tokens can
 * be renewed only a few times a minute without success, no matter which n8n process has fetched them. All calls that
 * were refused with the same token share a single renewal.
 * @returns Whether the token may be renewed. If so, the renewal counts against the limit until the service
 * accepts a call with the new token.
 */
function claimRenewal(accountHash: string, token: string): boolean {
	const now = performance.now();
	const renewals = [...(vainRenewals.get(accountHash) ?? [])];
	const youngRenewals = new Map(renewals.filter(([, at]) => now - at < youngTokenMs));
	const isShared = youngRenewals.has(token);
	if (!isShared && youngRenewals.size >= maxVainRenewals) return false;
	if (!isShared) youngRenewals.set(token, now);
	vainRenewals.set(accountHash, youngRenewals);
	return true;
}

/** A refusal with one of these statuses proves that the service accepted the call's token. */
const statusesAfterLogin = [400, 404, 409, 422];

/**
 * Whether a response proves that the service accepted the call's token. A gateway's response proves nothing,
 * because gateways don't check the token.
 */
function provesToken({ response, verdict }: JudgedResponse): boolean {
	const { meaning, status } = verdict;
	return (
		meaning === 'success' || (statusesAfterLogin.includes(status) && isEnvelope(response.body))
	);
}

/**
 * The maximum number of refused tokens that a single call replaces. If the next token is refused too, the
 * token isn't the problem.
 */
const maxRefused = 3;

/** Without a token, n8n fetches one before it makes a call. */
export function hasToken({ accessToken }: ICredentialDataDecryptedObject): boolean {
	return accessToken !== '';
}

/**
 * Whether {@link SharedCredential.use} has prepared the credential to make n8n fetch and store a new token.
 */
function asksForToken(credential: ICredentialDataDecryptedObject): boolean {
	return 'refusedTokens' in credential;
}

/**
 * Returns the last token that this process has fetched for a credential, or the stored one; '' if there is
 * neither.
 */
function lastToken(credential: ICredentialDataDecryptedObject): StoredToken {
	const accountHash = accountHashOf(credential);
	return { accessToken: lastTokens.get(accountHash) ?? tokenOf(credential), accountHash };
}

export interface CallTokens {
	refused: string[];
	/** The refused token that was renewed for this call. Each call gets at most one renewal. */
	renewed?: string;
}

/** The credential with its token, shared by all calls of an execution. */
export class SharedCredential {
	private current: Promise<ICredentialDataDecryptedObject> | undefined;

	/** Whether n8n has said that it doesn't fetch tokens, so that the node has to do so. */
	private isTokenOurs = false;

	/** The API key and all tokens used so far, which must be removed from the service's messages. */
	readonly secrets = new Set<unknown>();

	constructor(private readonly context: ServiceContext) {}

	/**
	 * Makes a call. If its token is refused, repeats the call with another token:
	 * - First, reads the credential again. Another call or another n8n process may have stored a newer token,
	 *   and some services invalidate the previous token when they issue a new one.
	 * - If there is no newer token, prepares the credential to make n8n fetch and store one
	 *   ({@link renewToken}). This happens at most once per call. A 403 can also mean "not allowed", so it is
	 *   final if n8n has just fetched the token for this call, or if too many renewals have been useless.
	 * @n8n
	 */
	async use(
		call: (credential: ICredentialDataDecryptedObject) => Promise<JudgedResponse>,
		tokens: CallTokens,
	): Promise<JudgedResponse> {
		const { refused } = tokens;
		let credential = await this.read();
		for (;;) {
			const hadToken = hasToken(credential);
			const judged = await call(credential).finally(() => {
				this.secrets.add(credential.apiKey).add(credential.accessToken);
			});
			// Treat both 401 and 403 as a refused token, because the status for an expired token isn't
			// documented (docs/dev/service.md#errors).
			const { status } = judged.verdict;
			if (status !== 401 && status !== 403) {
				if (tokens.renewed !== undefined && provesToken(judged)) {
					vainRenewals.get(accountHashOf(credential))?.delete(tokens.renewed);
				}
				return judged;
			}
			const accountHash = accountHashOf(credential);
			const token = textOf(credential.accessToken);
			refused.push(token);
			if (refused.length > maxRefused) return judged;
			const stored = await this.load();
			const isNewer = hasToken(stored) && !refused.includes(stored.accessToken);
			if (!isNewer) {
				const isBelieved = tokens.renewed !== undefined || (status === 403 && !hadToken);
				if (isBelieved || !claimRenewal(accountHash, token)) return judged;
				tokens.renewed = token;
			}
			credential = isNewer ? stored : { ...stored, accessToken: '', refusedTokens: [...refused] };
			this.current = Promise.resolve(credential);
		}
	}

	/**
	 * Sends a call, with the credential's token. If the credential has none, n8n fetches one before the call,
	 * and stores it. n8n's Engine 2.0 doesn't: it throws an error before it sends anything, even if there is
	 * a token. The node then fetches the token itself, and remembers it for all executions in this process.
	 * @param credential The credential, in which the new token is written.
	 * @n8n
	 */
	async send(
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<unknown> {
		const { helpers } = this.context;
		if (!this.isTokenOurs) {
			// Pass in the credential to keep n8n from reading and decrypting it for every call.
			const more = {
				credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential },
			};
			const response = await settle(
				helpers.httpRequestWithAuthentication.call(this.context, credentialType, options, more),
			);
			if (response.ok || !isTokenUnsupported(response.error)) return valueOf(response);
			this.isTokenOurs = true;
			// The stored token may be older.
			Object.assign(credential, lastToken(credential));
		}
		if (!hasToken(credential) && !asksForToken(credential)) {
			// Another call may have fetched a token since this credential was read.
			Object.assign(credential, lastToken(credential));
		}
		if (!hasToken(credential)) Object.assign(credential, await renewToken(helpers, credential));
		return await helpers.httpRequest(authenticate(credential, options));
	}

	/**
	 * Returns the credential shared by all calls. The credential is cached only if it has a token or is
	 * prepared to make n8n fetch one. Otherwise, the next call reads the credential again, because another
	 * execution may have stored a token in the meantime.
	 */
	async read(): Promise<ICredentialDataDecryptedObject> {
		const reading = (this.current ??= this.load());
		const credential = await settle(reading);
		const isKept = credential.ok && (hasToken(credential.value) || asksForToken(credential.value));
		if (!isKept && this.current === reading) this.current = undefined;
		const { apiKey, accessToken } = valueOf(credential);
		this.secrets.add(apiKey).add(accessToken);
		return valueOf(credential);
	}

	/**
	 * @throws ServiceError if n8n can't provide the credential. In that case, the call that needs it isn't
	 * sent.
	 */
	private async load(): Promise<ICredentialDataDecryptedObject & { accessToken: string }> {
		const stored = await settle(
			this.context.getCredentials<ICredentialDataDecryptedObject>(credentialType),
		);
		if (!stored.ok) throw credentialUnread(stored.error);
		const { value } = stored;
		if (this.isTokenOurs) return { ...value, ...lastToken(value) };
		return { ...value, accessToken: tokenOf(value) };
	}
}
