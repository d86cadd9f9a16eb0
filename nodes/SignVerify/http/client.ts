import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { type RetryOnFail, retryOnFailOf } from '../n8nInternals';
import { delay, settle, withTimeout } from '../util/async';
import { redactor } from '../util/redact';
import { sharedLookUp } from '../util/sharedLookUp';
import { originOf } from '../util/values';
import { type Account, accountOf } from './account';
import { accountHashOf, headerValue } from './credential';
import type { ServiceError } from './errors';
import { cancelledBeforeSending, notSent, unanswered } from './failures';
import { RateLimiter } from './rateLimit';
import {
	credentialType,
	httpOptions,
	maxResponseBytes,
	methods,
	readRetryAfter,
	type ServiceContext,
	type ServiceRequest,
} from './request';
import { type Envelope, type JudgedResponse, readBody, readEnvelope, verdictOf } from './response';
import { isRateLimit, RetryPolicy } from './retry';
import { type CallTokens, SharedCredential } from './token';

/** How long (ms) a call may be retried while a person waits for a list or an activation. */
export const shortRetryTimeMs = 10_000;

/** How long (ms) a call may wait for its turn and be retried while the sender of an event waits for our response. */
export const eventRetryTimeMs = 5000;

/** Calls the service with the node's credential. One client serves a whole execution. */
export class ServiceClient {
	private readonly credential: SharedCredential;

	private readonly signal: AbortSignal | undefined;

	/** Read once for all calls, because n8n copies the whole node each time. */
	private readonly retryOnFail: RetryOnFail | undefined;

	/** The limiter of the account, once the credential was read. */
	private rateLimiter = new RateLimiter();

	/** Where the calls go, once the credential was read. */
	private origin = 'The service';

	/**
	 * @param maxRetryTimeMs How long (ms) a call may be retried, or wait for its turn. A call that has to wait longer, for the
	 * end of a pause or because of "Requests per Second", is not sent.
	 */
	constructor(
		private readonly context: ServiceContext,
		private readonly maxRetryTimeMs = shortRetryTimeMs,
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
	 * Sends a request and reads the envelope of its response (docs/dev/service.md#response-envelope). A refused
	 * token is renewed once. Whether a failed call is made again is decided by retry.ts ("Never sent twice").
	 * @returns The envelope of a success.
	 * @throws ServiceError in every other case; its `mayHaveCreated` says whether something may exist now.
	 */
	async call(request: ServiceRequest): Promise<Envelope> {
		const policy = new RetryPolicy({
			kind: request.kind,
			maxRetryTimeMs: this.maxRetryTimeMs,
			retryOnFail: this.retryOnFail,
		});
		const tokens: CallTokens = { refused: [] };
		/** The error to throw if the execution is cancelled after a try that may have worked. */
		let failureIfCancelled: ServiceError | undefined;
		for (;;) {
			try {
				return await this.tryOnce(request, policy.deadline, tokens);
			} catch (error) {
				// A fault of the node counts as a lost response, because the call may have been sent before it happened.
				const failed = unanswered(error, request, this.origin);
				if (this.signal?.aborted) throw failureIfCancelled ?? failed;
				const isLimited = isRateLimit(failed.failure);
				const leastPauseMs = isLimited ? this.rateLimiter.remainingPauseMs : 0;
				const pauseMs = policy.pauseAfter(failed.failure, leastPauseMs);
				if (pauseMs === undefined) throw failed.withDetail(policy.summary);
				if (policy.verdictOn(failed.failure).mayHaveActed) {
					failureIfCancelled = failed.withDetail(
						' The execution was cancelled before it was tried again.',
					);
				}
				// A rate-limited call does not pause here, because its next try waits for its turn in the account's rate limiter.
				if (!isLimited && !(await delay(pauseMs, this.signal))) {
					throw failureIfCancelled ?? cancelledBeforeSending();
				}
			}
		}
	}

	/**
	 * Returns a function that derives secrets from the API key. The same parts give the same secret in every n8n process
	 * and after each restart, so nothing has to be stored. The host is part of the derivation, so another host with the
	 * same key gets different secrets.
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
		// If the credential cannot be read, the call throws the error that explains why.
		if (!credential.ok) return await load();
		return await sharedLookUp(`${accountHashOf(credential.value)} ${what}`, load);
	}

	/** n8n's log. */
	get logger() {
		return this.context.logger;
	}

	/** @throws ServiceError if there is no response, or if it is no success. */
	private async tryOnce(
		request: ServiceRequest,
		deadline: number,
		tokens: CallTokens,
	): Promise<Envelope> {
		const judged = await this.credential.use(async (credential) => {
			const account = accountOf(credential);
			this.rateLimiter = account.rateLimiter;
			this.origin = originOf(account.baseUrl);
			return await this.fetch(account, request, credential, deadline);
		}, tokens);
		const redact = redactor([...this.credential.secrets, ...(request.secrets ?? [])]);
		return readEnvelope(judged, request, this.origin, redact);
	}

	/** @throws ServiceError if there is no response, or if it cannot be read. */
	private async fetch(
		{ baseUrl, rateLimiter, perSecond, timeoutMs }: Account,
		request: ServiceRequest,
		credential: ICredentialDataDecryptedObject,
		deadline: number,
	): Promise<JudgedResponse> {
		const turn = await rateLimiter.acquire(perSecond, deadline, this.signal);
		if (!turn && this.signal?.aborted) throw cancelledBeforeSending();
		if (!turn) {
			const { isLimited, askedPauseMs } = rateLimiter;
			throw notSent(request, { isLimited, askedPauseMs: askedPauseMs });
		}
		// Without a token, the call first waits for a token exchange, which has the same time-out.
		const maxTimeMs = credential.accessToken === '' ? 2 * timeoutMs : timeoutMs;
		const start = async (signal: AbortSignal): Promise<IN8nHttpFullResponse> => {
			const { kind, path, qs, body } = request;
			const parts = { method: methods[kind], qs, body };
			const options = httpOptions(`${baseUrl}${path}`, parts, timeoutMs);
			options.abortSignal = signal;
			// With the credential given, n8n does not read and decrypt it for each call. n8n writes a
			// renewed token into the object that it was given.
			const responding = this.context.helpers.httpRequestWithAuthentication.call(
				this.context,
				credentialType,
				options,
				{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
			);
			// In an execution, n8n puts its own signal there when called, and reads it when it sends.
			options.abortSignal = signal;
			const limit = request.findList ? maxResponseBytes.list : maxResponseBytes.single;
			return await readBody((await responding) as IN8nHttpFullResponse, signal, limit);
		};
		const exchange = await settle(withTimeout(start, maxTimeMs, this.signal));
		if (!exchange.ok) {
			const failed = unanswered(exchange.error, request, originOf(baseUrl));
			// A token exchange can be refused with 429 as well, so the rate limiter has to know about this failure.
			rateLimiter.end(turn, failed.shownStatus, failed.retryAfterMs);
			throw failed;
		}
		const response = exchange.value;
		const verdict = verdictOf(response);
		rateLimiter.end(turn, verdict.status, readRetryAfter(response.headers['retry-after']));
		return { response, verdict };
	}
}
