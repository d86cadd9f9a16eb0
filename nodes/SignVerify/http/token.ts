import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { settle, withTimeout } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { type Redact, redactor } from '../util/redact';
import { listOf, objectOf, originOf, textOf } from '../util/values';
import {
	accountHashOf,
	credentialUnread,
	headerValue,
	isToken,
	limitsOf,
	normalizeBaseUrl,
	tokenOf,
	wrongCredential,
} from './credential';
import { ServiceError } from './errors';
import { readNetworkError } from './failures';
import { endOfPause } from './messages';
import { credentialType, httpOptions, readRetryAfter, type ServiceContext } from './request';
import {
	describeBody,
	isEnvelope,
	type JudgedResponse,
	messageOf,
	readBody,
	verdictOf,
} from './response';
import { unsentForGood, unsentForNow } from './retry';

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
	const ended = await settle(withTimeout(start, timeout));
	if (!ended.ok) throw tokenUnanswered(baseUrl, ended.error);

	const response = ended.value;
	const verdict = verdictOf(response);
	const token = verdict.says === 'refusal' ? undefined : findToken(response.body);
	if (token !== undefined) return token;
	const secrets = [apiKey, credential.accessToken, ...listOf(credential.refusedTokens)];
	throw tokenRefused(baseUrl, { response, verdict }, redactor(secrets));
}

/** Looks for the token where it was seen in an answer (docs/dev/service.md#seen-token). */
function findToken(value: unknown): string | undefined {
	const { responseData, accessToken, token } = objectOf(value);
	const data = objectOf(responseData);
	const found = [data.accessToken, data.token, responseData, accessToken, token];
	return found.find(isToken);
}

/** The response to a token exchange that has no token in it. */
function tokenRefused(
	baseUrl: string,
	{ response, verdict }: JudgedResponse,
	redact: Redact,
): ServiceError {
	const { statusCode: status, body, headers } = response;
	const words = messageOf(body, redact);
	const said = words ? `: ${words}` : '';
	const { says, status: inner } = verdict;
	if (inner === 429 || inner >= 500) {
		const retryAfter = readRetryAfter(headers?.['retry-after']);
		const { moment, remedy } = endOfPause(retryAfter) ?? {};
		return wrongCredential(
			`The service isn't issuing an access token ${moment ? `before ${moment}` : 'at the moment'} (HTTP ${inner}${said}). ${remedy ?? 'Try again in a moment'}`,
			"The problem is on your provider's side. The credential may be right.",
			{
				httpStatus: inner,
				// A limit counts for the account, whatever was called. The call itself was not sent yet.
				failure:
					inner === 429 ? { what: 'refused', status: inner, isFromService: true } : unsentForNow,
				retryAfter,
			},
		);
	}
	const isRefused = says === 'refusal' && isEnvelope(body);
	if ([401, 403, 407].includes(status) && !isEnvelope(body)) {
		const what = words || describeBody(body, redact);
		return wrongCredential(
			`The access token was refused in an answer that is not the signing service's (HTTP ${status}${words ? ': ' : ' with '}${what}), so something in front of it has most likely refused the call: a firewall, a proxy or a web server. Check the Base URL, and ask your provider whether this n8n may call it`,
			'The User ID and the API Key may be right.',
			{ httpStatus: status },
		);
	}
	// With 404 and 405, there is no such endpoint, whatever the answer says.
	if (isRefused && inner >= 400 && inner !== 404 && inner !== 405) {
		return wrongCredential(
			`The service rejected the User ID or the API Key (HTTP ${status}${said}). Copy both again`,
			'Correct them in the credential. The key may also have been revoked.',
			{ httpStatus: status },
		);
	}
	return wrongCredential(
		`${originOf(baseUrl)} responded, but didn't return an access token (HTTP ${status} with ${describeBody(body, redact)}). Check the Base URL and its path, which is often /api`,
		'Compare the Base URL in the credential with the one your provider gave you.',
		{ httpStatus: status },
	);
}

/** A token exchange without a response. */
function tokenUnanswered(baseUrl: string, error: unknown): ServiceError {
	const { problem, docsAnchor, remedy, failure } = readNetworkError(error, originOf(baseUrl));
	return new ServiceError({
		// A person may read it in the credential itself, below the field.
		message: `Base URL: ${originOf(baseUrl)} ${problem}. ${remedy.replace(' in the credential', '').replace(/\.$/, '')}`,
		description: "The call wasn't sent. You can change the Base URL in the credential.",
		docsAnchor,
		// The exchange may have reached the service, but the call that needs the token has not been sent yet.
		failure: failure.mayPass ? unsentForNow : unsentForGood,
	});
}

/**
 * For this long (ms), callers that ask for a token get the one that we have just fetched: they may have started before
 * n8n stored it. After that, the stored token may be newer, because two credentials of one account each store their own.
 */
const youngTokenMs = 60_000;

interface Exchange {
	running: Promise<string>;
	/** The token that it gave, once it has ended. */
	token?: string;
}

/** The last exchange of each account and host, while it runs or its token is young. One more costs an exchange. */
const exchanges = new ProcessMemory<Exchange>({
	name: 'token exchanges',
	bound: 200,
	life: youngTokenMs,
});

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
	const youngExchange = exchanges.get(account);
	if (youngExchange) {
		const { token, running } = youngExchange;
		const isNewer = token === undefined || (refused.length > 0 && !refused.includes(token));
		if (isNewer) return await running;
	}

	const exchange: Exchange = { running: exchangeToken(helpers, credential) };
	exchanges.set(account, exchange, Infinity);
	const { ok } = await settle(exchange.running);
	if (!ok) exchanges.delete(account);
	const token = await exchange.running;
	exchange.token = token;
	exchanges.endIn(account, exchange);
	return token;
}

/** How many renewals of an account may be in vain in a minute: a list of forbidden items would cost one each. */
export const maxVainRenewals = 5;

/**
 * By account: the refused tokens that were renewed, and when (`performance.now()`), unless a call then got
 * through.
 */
const vainRenewals = new ProcessMemory<Map<string, number>>({
	name: 'renewals in vain',
	bound: 200,
	life: youngTokenMs,
});

/**
 * Whether a refused token may be renewed, although a 401 or 403 can also mean "not allowed". Calls with the same
 * token share a renewal. A token that is not the last one or not young may have expired, so it always may.
 */
function mayRenew(account: string, token: string): boolean {
	const now = performance.now();
	const renewals = [...(vainRenewals.get(account) ?? [])];
	const youngRenewals = new Map(renewals.filter(([, at]) => now - at < youngTokenMs));
	const isNew = !youngRenewals.has(token);
	const isLast = exchanges.get(account)?.token === token;
	if (isNew && isLast && youngRenewals.size >= maxVainRenewals) return false;
	if (isNew) youngRenewals.set(token, now);
	vainRenewals.set(account, youngRenewals);
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
		call: (credential: ICredentialDataDecryptedObject) => Promise<JudgedResponse>,
		tokens: CallTokens,
	): Promise<JudgedResponse> {
		const { refused } = tokens;
		let credential = await this.read();
		for (;;) {
			const hadToken = credential.accessToken !== '';
			const judged = await call(credential).finally(() => {
				this.secrets.add(credential.apiKey).add(credential.accessToken);
			});
			// What an expired token gives is not documented (docs/dev/service.md#errors).
			const { status } = judged.verdict;
			const account = accountHashOf(credential);
			if (status !== 401 && status !== 403) {
				if (tokens.renewed !== undefined) vainRenewals.get(account)?.delete(tokens.renewed);
				return judged;
			}
			const token = textOf(credential.accessToken);
			refused.push(token);
			if (refused.length > maxRefused) return judged;
			const stored = await this.load();
			const isNewer = stored.accessToken !== '' && !refused.includes(stored.accessToken);
			if (!isNewer) {
				const isBelieved = tokens.renewed !== undefined || (status === 403 && !hadToken);
				if (isBelieved || !mayRenew(account, token)) return judged;
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
