import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { settle, withTimeout } from '../util/async';
import { redactor } from '../util/redact';
import { listOf, objectOf, remember, textOf } from '../util/values';
import {
	accountHashOf,
	credentialUnread,
	headerValue,
	isToken,
	limitsOf,
	normalizeBaseUrl,
	tokenOf,
	tokenRefused,
	tokenUnanswered,
} from './credential';
import { credentialType, httpOptions, type ServiceContext } from './request';
import { verdictOf, readBody } from './response';

/** Exchanges user ID and key for an access token (docs/dev/service.md#token), and binds it to them. */
async function exchangeToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const userId = headerValue('User ID', credential.userId);
	const apiKey = headerValue('API Key', credential.apiKey);

	const { timeout } = limitsOf(credential);
	const start = async (abortSignal: AbortSignal): Promise<IN8nHttpFullResponse> => {
		const answer: unknown = await helpers.httpRequest({
			...httpOptions(`${baseUrl}/access/token`, { method: 'POST' }, timeout),
			headers: { 'user-id': userId, 'api-key': apiKey, accept: 'application/json' },
			abortSignal,
		});
		return await readBody(answer as IN8nHttpFullResponse, abortSignal);
	};
	// All calls of the account wait for this one, so it must end.
	const answer = await settle(withTimeout(start, timeout));
	if (!answer.ok) throw tokenUnanswered(baseUrl, answer.error);

	const isRefused = verdictOf(answer.value).says === 'refusal';
	const token = isRefused ? undefined : findToken(answer.value.body);
	if (token !== undefined) return token;
	const secrets = [apiKey, credential.accessToken, ...listOf(credential.refusedTokens)];
	throw tokenRefused(baseUrl, answer.value, redactor(secrets));
}

/** Looks for the token where it was seen in an answer (docs/dev/service.md#seen-token). */
function findToken(value: unknown): string | undefined {
	const { responseData, accessToken, token } = objectOf(value);
	const data = objectOf(responseData);
	const found = [data.accessToken, data.token, responseData, accessToken, token];
	return found.find(isToken);
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
	/** What it gave, and when (`performance.now()`), if it has ended. */
	ended?: { token: string; at: number };
}

/** The last exchange of each account and host in this process. */
const exchanges = new Map<string, Exchange>();

/**
 * A token that is newer than the refused ones. n8n asks for each request that finds the token missing or
 * expired, also while an exchange is running: they all get the token of one exchange.
 * @param credential Its refused tokens are in `refusedTokens`, or the expired one in `accessToken`: n8n
 * asks for a new token by itself only if `accessToken` is empty.
 * @throws ServiceError, with different words for a wrong Base URL, a refused key, another answer, no
 * answer, and a service that fails.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<string> {
	const account = accountHashOf(credential);
	const refused = [...listOf(credential.refusedTokens), credential.accessToken].filter(Boolean);
	const last = exchanges.get(account);
	const isNewer = !last?.ended || (refused.length > 0 && !refused.includes(last.ended.token));
	if (last && isYoung(last) && isNewer) return await last.running;

	const exchange: Exchange = { running: exchangeToken(helpers, credential) };
	remember(exchanges, account, exchange, maxAccounts);
	const { ok } = await settle(exchange.running);
	if (!ok) exchanges.delete(account);
	const token = await exchange.running;
	exchange.ended = { token, at: performance.now() };
	return token;
}

/** Whether an exchange is still running, or its token is young. */
function isYoung({ ended }: Exchange): boolean {
	return !ended || performance.now() - ended.at < youngToken;
}

/** How many renewals of an account may be in vain in a minute: a list of forbidden items would cost one each. */
export const maxVainRenewals = 5;

/**
 * By account: the refused tokens that were renewed, and when (`performance.now()`), unless a call then got
 * through.
 */
const vainRenewals = new Map<string, Map<string, number>>();

/**
 * Whether a refused token may be renewed, although a 401 or 403 can also mean "not allowed". Calls with the same
 * token share a renewal. A token that is not the last one or not young may have expired, so it always may.
 */
function mayRenew(account: string, token: string): boolean {
	const now = performance.now();
	const known = [...(vainRenewals.get(account) ?? [])];
	const renewed = new Map(known.filter(([, at]) => now - at < youngToken));
	const isNew = !renewed.has(token);
	const last = exchanges.get(account);
	const isLast = last?.ended?.token === token && isYoung(last);
	if (isNew && isLast && renewed.size >= maxVainRenewals) return false;
	if (isNew) renewed.set(token, now);
	remember(vainRenewals, account, renewed, maxAccounts);
	return true;
}

/** Tokens that may be refused to one call. With more, the token is not the problem. */
const maxRefused = 3;

/** What one call knows of its tokens, in all its tries. */
export interface CallTokens {
	/** Those that were refused to it. */
	refused: string[];
	/** The one for which it has asked n8n to get another one: each call does so at most once. */
	renewed?: string;
}

/** The credential with its token, which all calls of an execution share. */
export class SharedCredential {
	private current: Promise<ICredentialDataDecryptedObject> | undefined;

	/** Key and tokens seen so far, to be removed from the service's words. */
	readonly secrets = new Set<unknown>();

	constructor(private readonly context: ServiceContext) {}

	/**
	 * Makes a call, and makes it again with another token if its own is refused. The credential is then
	 * read again, because another call or another process of n8n may have stored a newer token, and at
	 * some services a new token ends the one before. Otherwise it has the form that makes n8n fetch a new
	 * token and store it, once in a call ({@link renewToken}). A 403 can also mean "not allowed", so it is
	 * believed if n8n has just got the token for this call, or if too many renewals were in vain.
	 */
	async use(
		call: (credential: ICredentialDataDecryptedObject) => Promise<IN8nHttpFullResponse>,
		tokens: CallTokens,
	): Promise<IN8nHttpFullResponse> {
		const { refused } = tokens;
		let credential = await this.read();
		for (;;) {
			const hadToken = credential.accessToken !== '';
			const answer = await settle(call(credential));
			this.secrets.add(credential.apiKey).add(credential.accessToken);
			if (!answer.ok) throw answer.error;
			// What an expired token gives is not documented (docs/dev/service.md#errors).
			const { status } = verdictOf(answer.value);
			const account = accountHashOf(credential);
			if (status !== 401 && status !== 403) {
				if (tokens.renewed !== undefined) vainRenewals.get(account)?.delete(tokens.renewed);
				return answer.value;
			}
			const token = textOf(credential.accessToken);
			refused.push(token);
			if (refused.length > maxRefused) return answer.value;
			const stored = await this.load();
			const isNewer = stored.accessToken !== '' && !refused.includes(stored.accessToken);
			if (!isNewer) {
				const isBelieved = tokens.renewed !== undefined || (status === 403 && !hadToken);
				if (isBelieved || !mayRenew(account, token)) return answer.value;
				tokens.renewed = token;
			}
			credential = isNewer ? stored : { ...stored, accessToken: '', refusedTokens: [...refused] };
			this.current = Promise.resolve(credential);
		}
	}

	/**
	 * Shared by all calls. If it could not be read or had no token, the next call reads it again: while it
	 * waited for its turn, another execution may have stored one.
	 */
	async read(): Promise<ICredentialDataDecryptedObject> {
		const reading = (this.current ??= this.load());
		const read = await settle(reading);
		const isWhole = read.ok && (read.value.accessToken !== '' || 'refusedTokens' in read.value);
		if (!isWhole && this.current === reading) this.current = undefined;
		return await reading;
	}

	/** @throws ServiceError if n8n cannot give it; the call that needs it was then not sent. */
	private async load(): Promise<ICredentialDataDecryptedObject & { accessToken: string }> {
		const read = await settle(
			this.context.getCredentials<ICredentialDataDecryptedObject>(credentialType),
		);
		if (!read.ok) throw credentialUnread(read.error);
		return { ...read.value, accessToken: tokenOf(read.value) };
	}
}
