import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { ServiceError } from '../http/serviceError';
import { canceledItem, notSent, noResponse } from '../http/failures';
import { RateLimiter } from '../http/rateLimit';
import {
	httpOptions,
	methods,
	readRetryAfter,
	type ServiceContext,
	type ServiceRequest,
} from '../http/request';
import {
	type Envelope,
	type JudgedResponse,
	readBody,
	readEnvelope,
	verdictOf,
} from '../http/response';
import { isDenied, isRateLimit, RetryPolicy } from '../http/retry';
import { listCallMs } from '../http/callTimeouts';
import { delay, settle, withTimeout } from '../util/async';
import { plainText, type Redact, redactor } from '../util/redact';
import { sharedLookUp } from '../util/singleFlight';
import { type Account, accountOf } from './account';
import { accountHashOf, headerValue } from './credential';
import { credentialProblems } from './credentialProblems';
import { type CallTokens, hasToken, SharedCredential } from './token';

const maxWordLength = 80;

/** Calls the service with the node's credential. One client serves an entire execution. */
export class ServiceClient {
	private readonly credential: SharedCredential;

	private readonly signal: AbortSignal | undefined;

	/** A placeholder until the credential has been read. */
	private rateLimiter = new RateLimiter();

	/**
	 * The ID of the account that this client, and the clients made from it, work for; undefined until the credential has
	 * been read. Someone can change the credential to another account in the meantime.
	 */
	private accountId: string | undefined;

	/** For error messages. A placeholder until the credential has been read. */
	private origin = 'The service';

	/**
	 * @param maxTimeMs The time limit (ms) for each call. A call isn't sent if a pause or "Requests per
	 * Second" would hold it longer than that. Only a create call can take longer than the
	 * limit, by one try.
	 * @param end If given, aborting this signal ends all calls.
	 */
	constructor(
		private readonly context: ServiceContext,
		private readonly maxTimeMs = listCallMs,
		private readonly end?: AbortSignal,
	) {
		this.credential = new SharedCredential(context);
		const cancel =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		this.signal = cancel && end ? AbortSignal.any([cancel, end]) : (end ?? cancel);
	}

	/** Returns a client with the same settings. Aborting the given signal ends all of its calls. */
	endedBy(end: AbortSignal): ServiceClient {
		const ends = this.end ? AbortSignal.any([this.end, end]) : end;
		return this.forSameAccount(new ServiceClient(this.context, this.maxTimeMs, ends));
	}

	within(maxTimeMs: number): ServiceClient {
		return this.forSameAccount(new ServiceClient(this.context, maxTimeMs, this.end));
	}

	private forSameAccount(client: ServiceClient): ServiceClient {
		client.accountId = this.accountId;
		return client;
	}

	/** @throws ServiceError if the credential is invalid, has changed to another account, or can't be read. */
	async account(): Promise<Account> {
		return this.sameAccount(await this.credential.read());
	}

	private sameAccount(credential: ICredentialDataDecryptedObject): Account {
		const account = accountOf(credential);
		this.accountId ??= account.id;
		if (account.id !== this.accountId) throw new ServiceError(credentialProblems.otherAccount);
		return account;
	}

	/**
	 * Makes one of the service's own words, such as a status, safe to show in a message ({@link Redact}), because the
	 * service may quote the key or a token anywhere.
	 */
	readonly redact: Redact = (text, maxLength = maxWordLength) =>
		redactor([...this.credential.secrets])(text, maxLength);

	/**
	 * Renews a refused token once. If the call fails, retry.ts decides whether to try again (the "Never sent twice"
	 * guarantee in docs/dev/behavior.md).
	 * @returns The envelope of a successful response (docs/dev/service.md#response-envelope).
	 * @throws ServiceError in every other case. Its `mayHaveCreated` tells whether anything may have been created.
	 */
	async call(request: ServiceRequest): Promise<Envelope> {
		const policy = new RetryPolicy({ purpose: request.purpose, maxTimeMs: this.maxTimeMs });
		const tokens: CallTokens = { refused: [] };
		/**
		 * The error of the most recent try that the service may have acted on. If the execution is canceled
		 * or the rate limiter denies the next try, the call ends with this error, because one saying that the
		 * call wasn't sent would be wrong.
		 */
		let unclearError: ServiceError | undefined;
		/**
		 * The error of the most recent try that was refused. If the time limit cuts off a later try,
		 * only this error shows what is wrong.
		 */
		let lastRefusal: ServiceError | undefined;
		const errorIfCancelled = () =>
			unclearError?.withDetail(' The execution was cancelled before the node could try again.');
		for (;;) {
			try {
				return await this.tryOnce(request, policy, tokens);
			} catch (error) {
				// Treat an error in the node's own code as a lost response, because the call may already have
				// been sent.
				const failed = noResponse(error, request, this.origin);
				if (this.signal?.aborted) {
					// None of the earlier tries created anything. If this try may have, only its error
					// says so.
					throw failed.mayHaveCreated ? failed : (errorIfCancelled() ?? failed);
				}
				const isRateLimited = isRateLimit(failed.failure);
				const leastPauseMs = isRateLimited ? this.rateLimiter.remainingPauseMs : 0;
				const pauseMs = policy.pauseAfter(failed.failure, leastPauseMs);
				if (pauseMs === undefined) {
					const clearerError = isDenied(failed.failure)
						? unclearError
						: policy.isCutOff(failed.failure)
							? lastRefusal
							: undefined;
					throw (clearerError ?? failed).withDetail(policy.summary);
				}
				if (failed.failure.what === 'refused') lastRefusal = failed;
				if (policy.verdictOn(failed.failure).mayHaveActed) unclearError = failed;
				// If the call was rate-limited, don't pause here: the account's rate limiter already delays
				// the next try.
				if (!isRateLimited && !(await delay(pauseMs, this.signal))) {
					throw errorIfCancelled() ?? canceledItem();
				}
			}
		}
	}

	/**
	 * Returns a function that derives secrets from the API key. The same parts produce the same secret in
	 * every n8n process and after every restart, so nothing has to be stored. The secret also depends on the
	 * account: for a different host or user, the same key produces different secrets.
	 * @throws ServiceError if the credential is invalid or n8n can't read it.
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
	 * Looks up a value and caches it for ten seconds. All calls with the same credential and the same time
	 * limit share the cached value.
	 * @param what The name of the lookup. Lookups with the same name share a cached value.
	 */
	async lookUp<Value>(what: string, load: () => Promise<Value>): Promise<Value> {
		const credential = await settle(this.credential.read());
		// If n8n can't read the credential, `load` throws the error that explains why.
		if (!credential.ok) return await load();
		// A person in the editor waits for seconds, an execution for minutes. So callers with different time
		// limits don't share a lookup.
		const key = `${accountHashOf(credential.value)} ${this.maxTimeMs} ${what}`;
		return await sharedLookUp(key, load, { maxTimeMs: this.maxTimeMs });
	}

	get logger() {
		return this.context.logger;
	}

	private async tryOnce(
		request: ServiceRequest,
		policy: RetryPolicy,
		tokens: CallTokens,
	): Promise<Envelope> {
		const judged = await this.credential.use(async (credential) => {
			const account = this.sameAccount(credential);
			this.rateLimiter = account.rateLimiter;
			this.origin = account.origin;
			return await this.fetch(account, request, credential, policy);
		}, tokens);
		const redact = redactor([...this.credential.secrets, ...(request.secrets ?? [])]);
		return readEnvelope(judged, request, this.origin, redact);
	}

	/** Sends a request without retrying. */
	private async fetch(
		{ baseUrl, origin, rateLimiter, maxRequestsPerSecond, timeoutMs }: Account,
		request: ServiceRequest,
		credential: ICredentialDataDecryptedObject,
		policy: RetryPolicy,
	): Promise<JudgedResponse> {
		const turn = await rateLimiter.acquire(maxRequestsPerSecond, policy.deadline, this.signal);
		if (!turn && this.signal?.aborted) throw canceledItem();
		if (!turn) {
			const { isRateLimited, askedPauseMs } = rateLimiter;
			throw notSent(request, { isRateLimited, askedPauseMs });
		}
		// If n8n has to get a token first, the try takes two calls, and each may take as long as the Timeout.
		const maxTryMs = policy.limitTry(hasToken(credential) ? timeoutMs : 2 * timeoutMs);
		const start = async (signal: AbortSignal): Promise<IN8nHttpFullResponse> => {
			const { purpose, path, qs, body } = request;
			const parts = { method: methods[purpose], qs, body };
			const options = httpOptions(`${baseUrl}${path}`, parts, timeoutMs);
			options.abortSignal = signal;
			const responding = this.credential.send(credential, options);
			// @n8n Within an execution, n8n's helper immediately replaces our signal with the execution's signal.
			// It doesn't read the signal until it sends the request, so restore ours before then.
			options.abortSignal = signal;
			const shape = request.findList ? 'list' : 'single';
			return await readBody((await responding) as IN8nHttpFullResponse, signal, shape);
		};
		const startedAt = performance.now();
		const exchange = await settle(withTimeout(start, maxTryMs, this.signal));
		const result = exchange.ok ? `HTTP ${exchange.value.statusCode}` : 'no response';
		const durationMs = Math.round(performance.now() - startedAt);
		// Leave out the query, because it can contain a webhook's URL with its secret.
		this.logger.debug(
			`SignVerify: ${methods[request.purpose]} ${plainText(request.path)}: ${result} after ${durationMs} ms`,
		);
		if (!exchange.ok) {
			const failed = noResponse(exchange.error, request, origin);
			// The failure may be a 429 from the token exchange, so report it to the rate limiter.
			rateLimiter.end(turn, failed.shownStatus, failed.retryAfterMs);
			throw failed;
		}
		const response = exchange.value;
		const verdict = verdictOf(response);
		rateLimiter.end(turn, verdict.status, readRetryAfter(response.headers['retry-after']));
		return { response, verdict };
	}
}
