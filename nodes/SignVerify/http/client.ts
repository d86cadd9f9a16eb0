import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { type RetryOnFail, retryOnFailOf } from '../n8nInternals';
import { delay, settle, sharedLookUp, withTimeout } from '../util/async';
import { type Redact, redactor } from '../util/redact';
import { originOf } from '../util/values';
import { accountHashOf, headerValue } from './credential';
import { ServiceError } from './errors';
import { cancelledBeforeSending, notSent, unanswered } from './messages';
import { type Account, accountOf, RateLimiter } from './rateLimit';
import {
	credentialType,
	httpOptions,
	kindOf,
	maxAnswer,
	readRetryAfter,
	RetryPolicy,
	type ServiceContext,
	type ServiceRequest,
} from './request';
import { type Envelope, readAnswer, readBody, verdictOf } from './response';
import { type CallTokens, SharedCredential } from './token';

/** How long (ms) a call may be retried while a person waits for a list or an activation. */
export const shortRetryTime = 10_000;

/** How long (ms) it may wait for its turn and be retried while the sender of an event waits for the answer. */
export const eventRetryTime = 5000;

/** Calls the service with the node's credential. One client serves a whole execution. */
export class ServiceClient {
	private readonly credential: SharedCredential;

	private readonly signal: AbortSignal | undefined;

	/** Read once for all calls, because n8n copies the whole node each time. */
	private readonly retryOnFail: RetryOnFail | undefined;

	/** That of the account, once the credential was read. */
	private rateLimiter = new RateLimiter();

	/**
	 * @param maxRetryTime Milliseconds after which a call is not retried, and is not sent if it still waits for
	 * its turn: for the end of a pause, or because of "Requests per Second".
	 */
	constructor(
		private readonly context: ServiceContext,
		private readonly maxRetryTime = shortRetryTime,
	) {
		this.credential = new SharedCredential(context);
		this.retryOnFail = retryOnFailOf(context.getNode());
		this.signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}

	/** How the account may be called. @throws ServiceError if the credential cannot be used. */
	async account(): Promise<Account> {
		return accountOf(await this.credential.read());
	}

	/**
	 * Sends a request and reads the envelope of its answer (docs/dev/service.md#response-envelope). A refused
	 * token is renewed once. A call that certainly did nothing is retried. A call that may have worked is
	 * retried only if it reads or deletes ("Never sent twice").
	 * @returns The envelope of a success.
	 * @throws ServiceError in every other case; its `mayHaveCreated` says whether something may exist now.
	 */
	async call(request: ServiceRequest): Promise<Envelope> {
		const policy = new RetryPolicy({
			kind: kindOf(request),
			maxRetryTime: this.maxRetryTime,
			retryOnFail: this.retryOnFail,
		});
		/** What is thrown if the execution is cancelled after a try that may have worked. */
		let ifCancelled: ServiceError | undefined;
		const tokens: CallTokens = { refused: [] };
		for (;;) {
			const outcome = await this.tryOnce(request, policy.latest, tokens);
			if (!(outcome instanceof ServiceError)) return outcome;
			if (this.signal?.aborted) throw ifCancelled ?? outcome;
			const { rateLimited, retryable } = outcome;
			const pause = policy.next(outcome, rateLimited ? this.rateLimiter.pauseLeft : 0);
			if (retryable === 'whenIdempotent') {
				ifCancelled = outcome.withDetail(' The execution was cancelled before it was tried again.');
			}
			if (!rateLimited && !(await delay(pause, this.signal))) {
				throw ifCancelled ?? cancelledBeforeSending();
			}
		}
	}

	/**
	 * What makes secrets that only a holder of the account's API key can make: the same for the same parts, in
	 * every process of n8n and after each restart, although nothing of them is kept. Another host with the same
	 * key has others.
	 * @throws ServiceError if the credential cannot be used.
	 */
	async secretMaker(): Promise<(parts: string[]) => string> {
		const credential = await this.credential.read();
		const key = headerValue('API Key', credential.apiKey);
		const { id } = accountOf(credential);
		return (parts) =>
			createHmac('sha256', key)
				.update(JSON.stringify([id, ...parts]))
				.digest('base64url');
	}

	/**
	 * Looks something up, at most once in ten seconds for all executions with this account and key.
	 * @param what Executions that look up the same share the result.
	 */
	async lookUp<Value>(what: string, load: () => Promise<Value>): Promise<Value> {
		const credential = await settle(this.credential.read());
		// The call itself says what is wrong with it.
		if (!credential.ok) return await load();
		return await sharedLookUp(`${accountHashOf(credential.value)} ${what}`, load);
	}

	/** n8n's log. */
	get logger() {
		return this.context.logger;
	}

	private async tryOnce(
		request: ServiceRequest,
		latest: number,
		tokens: CallTokens,
	): Promise<Envelope | ServiceError> {
		const secrets = () => [...this.credential.secrets, ...(request.secrets ?? [])];
		const redact: Redact = (text) => redactor(secrets())(text);
		let origin = 'The service';
		try {
			const answer = await this.credential.use(async (credential) => {
				const account = accountOf(credential);
				this.rateLimiter = account.rateLimiter;
				origin = originOf(account.baseUrl);
				return await this.fetch(account, request, credential, latest);
			}, tokens);
			return readAnswer(answer, request, origin, redact);
		} catch (error) {
			return unanswered(error, request, origin);
		}
	}

	private async fetch(
		{ baseUrl, rateLimiter, perSecond, timeout }: Account,
		request: ServiceRequest,
		credential: ICredentialDataDecryptedObject,
		latest: number,
	): Promise<IN8nHttpFullResponse> {
		const turn = await rateLimiter.acquire(perSecond, latest, this.signal);
		if (!turn && this.signal?.aborted) throw cancelledBeforeSending();
		if (!turn) throw notSent(request, rateLimiter.isLimited, rateLimiter.askedPauseLeft);
		// Without a token, the call first waits for an exchange, which has the same time-out.
		const time = credential.accessToken === '' ? 2 * timeout : timeout;
		const start = async (signal: AbortSignal): Promise<IN8nHttpFullResponse> => {
			const options = httpOptions(`${baseUrl}${request.path}`, request, timeout);
			options.abortSignal = signal;
			// With the credential given, n8n does not read and decrypt it for each call. n8n writes a
			// renewed token into the object that it was given.
			const answer = this.context.helpers.httpRequestWithAuthentication.call(
				this.context,
				credentialType,
				options,
				{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
			);
			// In an execution, n8n puts its own signal there when called, and reads it when it sends.
			options.abortSignal = signal;
			const limit = request.findList ? maxAnswer.list : maxAnswer.single;
			return await readBody((await answer) as IN8nHttpFullResponse, signal, limit);
		};
		try {
			const answer = await withTimeout(start, time, this.signal);
			const retryAfter = readRetryAfter(answer.headers?.['retry-after']);
			rateLimiter.end(turn, verdictOf(answer).status, retryAfter);
			return answer;
		} catch (error) {
			// A token exchange can be refused with 429, too.
			const failure = unanswered(error, request, originOf(baseUrl));
			rateLimiter.end(turn, failure.shownStatus, failure.retryAfter);
			throw failure;
		}
	}
}
