import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse, INode } from 'n8n-workflow';

import { delay, settle, withTimeout } from '../util/async';
import { type Redact, redactor } from '../util/redact';
import { originOf } from '../util/values';
import { type Account, accountOf, lookUp } from './account';
import { accountHashOf } from './credential';
import { ServiceError } from './errors';
import { cancelled, unanswered } from './messages';
import { maxAnswer, readBody } from './network';
import {
	credentialType,
	httpOptions,
	isIdempotent,
	type ServiceContext,
	type ServiceRequest,
} from './request';
import { type Envelope, readAnswer } from './response';
import { RateLimiter, RetryPolicy } from './retry';
import { SharedCredential } from './token';

/** How long (ms) a call may be retried while a person waits for a list or an activation. */
export const shortRetryTime = 10_000;

/** Calls the service with the node's credential. One client serves a whole execution. */
export class ServiceClient {
	private readonly credential: SharedCredential;

	private readonly signal: AbortSignal | undefined;

	/** Read once for all calls, because n8n copies the whole node each time. */
	private readonly node: INode;

	/** That of the account, once the credential was read. */
	private rateLimiter = new RateLimiter();

	/**
	 * @param maxRetryTime Milliseconds after which a call is not retried, and waits no longer for a pause or
	 * its turn.
	 */
	constructor(
		private readonly context: ServiceContext,
		private readonly maxRetryTime = shortRetryTime,
	) {
		this.credential = new SharedCredential(context);
		this.node = context.getNode();
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
	 * retried only if it reads or deletes (design rule 1).
	 * @returns The envelope of a success.
	 * @throws ServiceError in every other case; its `mayHaveCreated` says whether something may exist now.
	 */
	async call<Data = unknown>(request: ServiceRequest): Promise<Envelope<Data>> {
		const policy = new RetryPolicy({
			isIdempotent: isIdempotent(request),
			maxRetryTime: this.maxRetryTime,
			node: request.noRetry ? undefined : this.node,
		});
		let current = request;
		for (;;) {
			const outcome = await this.send<Data>(current);
			if (!(outcome instanceof ServiceError)) {
				this.rateLimiter.onSuccess();
				return outcome;
			}
			const { rateLimited, retryAfter } = outcome;
			const pause = policy.next(outcome, () =>
				rateLimited ? this.rateLimiter.pause(retryAfter) : policy.backoff(),
			);
			// If the lost call has deleted it, the next one does not find it.
			if (outcome.retryable === 'whenIdempotent' && request.method === 'DELETE') {
				current = { ...request, ignoreNotFound: true };
			}
			if (!rateLimited && !(await delay(pause, this.signal))) throw cancelled();
		}
	}

	/**
	 * Looks something up, at most once in ten seconds for all executions with this account and key.
	 * @param what Executions that look up the same share the result.
	 */
	async lookUp<Value>(what: string, load: () => Promise<Value>): Promise<Value> {
		const credential = await settle(this.credential.read());
		// The call itself says what is wrong with it.
		if (!credential.ok) return await load();
		return await lookUp(`${accountHashOf(credential.value)} ${what}`, load);
	}

	/** n8n's log. */
	get logger() {
		return this.context.logger;
	}

	private async send<Data>(request: ServiceRequest): Promise<Envelope<Data> | ServiceError> {
		const ownSecrets = redactor(request.secrets ?? []);
		const redact: Redact = (text) => ownSecrets(this.credential.redact(text));
		let origin = 'The service';
		try {
			const answer = await this.credential.use(async (credential) => {
				const account = accountOf(credential);
				this.rateLimiter = account.rateLimiter;
				origin = originOf(account.baseUrl);
				return await this.fetch(account, request, credential);
			});
			return readAnswer<Data>(answer, request, origin, redact);
		} catch (error) {
			return unanswered(error, request, origin);
		}
	}

	private async fetch(
		{ baseUrl, rateLimiter, perSecond, timeout }: Account,
		request: ServiceRequest,
		credential: ICredentialDataDecryptedObject,
	): Promise<IN8nHttpFullResponse> {
		if (!(await rateLimiter.acquire(perSecond, this.maxRetryTime, this.signal))) throw cancelled();
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
			const limit = request.listOf ? maxAnswer.list : maxAnswer.single;
			return await readBody((await answer) as IN8nHttpFullResponse, signal, limit);
		};
		return await withTimeout(start, time, this.signal);
	}
}
