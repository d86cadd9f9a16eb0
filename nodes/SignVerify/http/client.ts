import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import { attempt, delay, withTimeout } from '../util/async';
import { type Redact, redactor } from '../util/redact';
import { textOf } from '../util/values';
import { normalizeBaseUrl, originOf } from './baseUrl';
import { readBody } from './body';
import { ServiceError } from './errors';
import { cancelled, credentialUnread, unanswered } from './messages';
import { RateLimiter } from './rateLimit';
import { httpOptions, kindOf, type ServiceRequest } from './request';
import { describeBody, type Envelope, isRefusedToken, readAnswer } from './response';
import { RetryBudget, type RetryOnFail, RetryPolicy } from './retry';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;
const credentialType = 'signVerifyApi';

/** Default time (ms) that one try of a call may take. */
export const defaultTimeout = 30_000;

/** How long (ms) a call may be retried while a person waits for a list or an activation. */
export const shortRetryTime = 10_000;

/** Tokens that may be refused in one try of a call. With more, the token is not the problem. */
const maxRefused = 3;

/** How a client makes its calls. */
export interface ClientOptions {
	/** Milliseconds that one try may take, until its answer was read. */
	timeout?: number;
	/** Milliseconds after which a call is not retried. */
	maxRetryTime?: number;
	/** Requests per second over all calls; absent means no limit. */
	perSecond?: number;
	/** How many calls may run at once; for the retry budget. */
	parallel?: number;
	/** The node's setting, if it is on. */
	retryOnFail?: RetryOnFail | undefined;
}

/**
 * Calls the service with the node's credential. One client serves a whole execution: its items share
 * the credential, the rate limit and the retry budget.
 */
export class ServiceClient {
	/** For the downloads of the execution, too. */
	readonly retryBudget: RetryBudget;

	readonly rateLimiter: RateLimiter;

	readonly retryOnFail: RetryOnFail | undefined;

	/** How often a call was retried. */
	retries = 0;

	private credential: Promise<ICredentialDataDecryptedObject> | undefined;

	/** Key and tokens seen so far, to be removed from the service's words. */
	private readonly secrets = new Set<unknown>();

	private redaction: { size: number; redact: Redact } | undefined;

	private readonly timeout: number;

	private readonly maxRetryTime: number;

	private readonly signal: AbortSignal | undefined;

	constructor(
		private readonly context: ServiceContext,
		{ timeout, maxRetryTime, perSecond, parallel, retryOnFail }: ClientOptions = {},
	) {
		this.timeout = timeout ?? defaultTimeout;
		this.maxRetryTime = maxRetryTime ?? shortRetryTime;
		this.retryOnFail = retryOnFail;
		this.rateLimiter = new RateLimiter(perSecond);
		this.retryBudget = new RetryBudget(parallel);
		this.signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}

	/**
	 * Sends a request and reads the envelope of its answer (docs/service.md#response-envelope). A refused
	 * token is renewed once. A call that certainly did nothing is retried. A call that may have worked is
	 * retried only if it reads or deletes (design rule 1).
	 * @returns The envelope of a success. JSON without an envelope is its `responseData`.
	 * @throws ServiceError in every other case; its `mayHaveCreated` says whether something may exist now.
	 */
	async call<Data = unknown>(request: ServiceRequest): Promise<Envelope<Data>> {
		const { maxRetryTime, rateLimiter } = this;
		const policy = new RetryPolicy({
			kind: kindOf(request),
			maxRetryTime,
			retryOnFail: request.noRetry ? undefined : this.retryOnFail,
			finalStatuses: request.finalStatuses,
		});
		let current = request;
		for (;;) {
			if (!(await rateLimiter.acquire(this.signal))) throw cancelled();
			const outcome = await this.tryOnce<Data>(current);
			if (!(outcome instanceof ServiceError)) {
				rateLimiter.onSuccess();
				this.retryBudget.onSuccess();
				return outcome;
			}
			const { rateLimited, retryAfter } = outcome;
			const pause = policy.next(outcome, this.retryBudget, () =>
				rateLimited ? rateLimiter.pause(retryAfter) : policy.backoff(),
			);
			this.retries++;
			// If the lost call has deleted it, the next one does not find it.
			if (outcome.retryable === 'whenIdempotent' && request.method === 'DELETE') {
				current = { ...request, ignoreNotFound: true };
			}
			if (!rateLimited && !(await delay(pause, this.signal))) throw cancelled();
		}
	}

	/** Says in a few words what kind of answer came, for an error; without secrets. */
	describe(answer: unknown): string {
		return describeBody(answer, this.redact);
	}

	/** Built once for each set of secrets, and only when something failed. */
	private get redact(): Redact {
		const { size } = this.secrets;
		if (this.redaction?.size !== size) this.redaction = { size, redact: redactor(this.secrets) };
		return this.redaction.redact;
	}

	private async tryOnce<Data>(request: ServiceRequest): Promise<Envelope<Data> | ServiceError> {
		const ownSecrets = redactor(request.secrets ?? []);
		const redact: Redact = (text) => ownSecrets(this.redact(text));
		let origin = 'The service';
		let credential: ICredentialDataDecryptedObject | undefined;
		try {
			credential = await this.getCredential();
			const refused: string[] = [];
			for (let mayRenew = true; ;) {
				const baseUrl = normalizeBaseUrl(credential.baseUrl);
				origin = originOf(baseUrl);
				const answer = await this.send(baseUrl, request, credential);
				if (!isRefusedToken(answer)) return readAnswer<Data>(answer, request, origin, redact);
				refused.push(textOf(credential.accessToken));
				const next = await this.credentialAfter(refused, mayRenew);
				if (!next) return readAnswer<Data>(answer, request, origin, redact);
				credential = next;
				mayRenew &&= next.accessToken !== '';
			}
		} catch (error) {
			// n8n writes the token there before it sends the call.
			const hadToken = credential !== undefined && credential.accessToken !== '';
			return unanswered(error, request, origin, hadToken);
		}
	}

	/**
	 * The credential to use after the service refused tokens. It is read again, because another call or
	 * another process of n8n may have stored a newer token meanwhile, and at some services a new token
	 * ends the one before. Otherwise it has the form that makes n8n fetch a new token and store it; that
	 * there is only one exchange at a time is up to the credential (api/token.ts).
	 * @param refused The tokens that were refused in this try, in their order.
	 * @returns undefined if there is nothing more to try.
	 */
	private async credentialAfter(
		refused: string[],
		mayRenew: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		if (refused.length > maxRefused) return undefined;
		const stored = await this.readCredential();
		const isNewer = stored.accessToken !== '' && !refused.includes(textOf(stored.accessToken));
		if (!isNewer && !mayRenew) return undefined;
		const next = isNewer ? stored : { ...stored, accessToken: '', refusedTokens: refused };
		this.credential = Promise.resolve(next);
		return next;
	}

	/** Shared by all calls. If it cannot be read, the next call reads it again. */
	private async getCredential(): Promise<ICredentialDataDecryptedObject> {
		const reading = (this.credential ??= this.readCredential());
		reading.catch(() => {
			if (this.credential === reading) this.credential = undefined;
		});
		return await reading;
	}

	/** @throws ServiceError if n8n cannot give it; the call that needs it was then not sent. */
	private async readCredential(): Promise<ICredentialDataDecryptedObject> {
		const read = await attempt(
			this.context.getCredentials<ICredentialDataDecryptedObject>(credentialType),
		);
		if (!read.ok) throw credentialUnread(read.error);
		return { ...read.value, timeout: this.timeout };
	}

	private async send(
		baseUrl: string,
		request: ServiceRequest,
		credential: ICredentialDataDecryptedObject,
	): Promise<IN8nHttpFullResponse> {
		// Without a token, the call first waits for an exchange, which has the same time-out.
		const time = credential.accessToken === '' ? 2 * this.timeout : this.timeout;
		const start = async (signal: AbortSignal): Promise<IN8nHttpFullResponse> => {
			const options = httpOptions(`${baseUrl}${request.path}`, request, this.timeout);
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
			return await readBody((await answer) as IN8nHttpFullResponse, signal);
		};
		try {
			return await withTimeout(start, time, this.signal);
		} finally {
			this.secrets.add(credential.apiKey).add(credential.accessToken);
		}
	}
}
