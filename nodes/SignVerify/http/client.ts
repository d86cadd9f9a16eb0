import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';

import { attempt, delay, withTimeout } from '../util/async';
import { redact } from '../util/redact';
import { textOf } from '../util/values';
import { normalizeBaseUrl, originOf } from './baseUrl';
import { readBody } from './body';
import { cancelled, credentialUnread, toServiceError } from './network';
import { describeBody, type Envelope } from './envelope';
import { ServiceError } from './errors';
import { RateLimiter } from './rateLimiter';
import { httpOptions, kindOf, type ServiceRequest } from './request';
import { isRefusedToken, readAnswer } from './response';
import { RetryBudget, RetryPolicy } from './retry';

/** Any of n8n's contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;
const credentialType = 'signVerifyApi';

/** Default time (ms) that one try of a call may take. */
export const defaultTimeout = 30_000;

/** How long (ms) a call may be retried while a person waits for a list or an activation. */
const shortRetryTime = 10_000;

/** Tokens that may be refused in one try of a call. With more, the token is not the problem. */
const mostRefused = 3;

/** The credential to try next, and whether another process fetched its token. */
interface NextCredential {
	credential: ICredentialDataDecryptedObject;
	isOfAnother: boolean;
}

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
}

/**
 * Calls the service with the node's credential. One client serves a whole execution: its items share
 * the token, the rate limit and the retry budget.
 */
export class ServiceClient {
	/** For the downloads of the execution, too. */
	readonly retryBudget: RetryBudget;

	private credential: Promise<ICredentialDataDecryptedObject> | undefined;

	/** Key and tokens seen so far, to be removed from the service's words. */
	private readonly secrets = new Set<unknown>();

	private readonly timeout: number;

	private readonly maxRetryTime: number;

	readonly rateLimiter: RateLimiter;

	/** How often a call was retried. */
	retries = 0;

	private readonly signal: AbortSignal | undefined;

	constructor(
		private readonly context: ServiceContext,
		{ timeout, maxRetryTime, perSecond, parallel }: ClientOptions = {},
	) {
		this.timeout = timeout ?? defaultTimeout;
		this.maxRetryTime = maxRetryTime ?? shortRetryTime;
		this.rateLimiter = new RateLimiter(perSecond);
		this.retryBudget = new RetryBudget(parallel);
		this.signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}

	/**
	 * Sends a request and reads the envelope of its answer (docs/dev/service.md#response-envelope). A refused
	 * token is renewed once. A call that certainly did nothing is retried. A call that may have worked is
	 * retried only if it reads or deletes (design rule 1).
	 * @returns The envelope of a success. JSON without an envelope is its `responseData`.
	 * @throws ServiceError in every other case; its `mayHaveCreated` says whether something may exist now.
	 */
	async call<Data = unknown>(request: ServiceRequest): Promise<Envelope<Data>> {
		const policy = new RetryPolicy(kindOf(request), this.maxRetryTime);
		let current = request;
		for (;;) {
			if (!(await this.rateLimiter.acquire(this.signal, policy.deadline))) throw cancelled();
			const outcome = await this.attempt<Data>(current);
			if (!(outcome instanceof ServiceError)) {
				this.rateLimiter.onSuccess();
				this.retryBudget.onSuccess();
				return outcome;
			}
			const { limited, retryAfter } = outcome;
			const wait = policy.next(outcome, this.retryBudget, () =>
				limited ? this.rateLimiter.backOff(retryAfter) : policy.backoff(),
			);
			this.retries++;
			// If the lost call has deleted it, the next one does not find it.
			if (outcome.repeat === 'ifIdempotent' && request.method === 'DELETE') {
				current = { ...request, ignoreNotFound: true };
			}
			if (!limited && !(await delay(wait, this.signal))) throw cancelled();
		}
	}

	/** Says in a few words what kind of answer came, for an error; without secrets. */
	describe(answer: unknown): string {
		return describeBody(answer, (text) => redact(text, [...this.secrets]));
	}

	private async attempt<Data>(request: ServiceRequest): Promise<Envelope<Data> | ServiceError> {
		const hide = (text: string) => redact(text, [...this.secrets, ...(request.secrets ?? [])]);
		let origin = 'The service';
		let credential: ICredentialDataDecryptedObject | undefined;
		try {
			credential = await this.getCredential();
			const refused: unknown[] = [];
			for (let mayRenew = true; ;) {
				const baseUrl = normalizeBaseUrl(credential.baseUrl);
				origin = originOf(baseUrl);
				const before = credential.accessToken;
				const answer = await this.send(baseUrl, request, credential);
				if (!isRefusedToken(answer)) return readAnswer<Data>(answer, request, origin, hide);
				// Without a token, n8n fetched one first, and that one was refused.
				refused.push(before === '' ? credential.accessToken : before);
				const next = await this.credentialAfter(refused, mayRenew);
				if (!next) return readAnswer<Data>(answer, request, origin, hide);
				credential = next.credential;
				mayRenew &&= next.isOfAnother;
			}
		} catch (error) {
			const hadToken = credential !== undefined && credential.accessToken !== '';
			return toServiceError(error, request, origin, hadToken);
		}
	}

	/**
	 * The credential to use after the service refused tokens. It has the newer token that another call or
	 * another process of n8n has fetched meanwhile: at some services a new token ends the one before.
	 * Otherwise it has the form that makes n8n fetch a new token and store it.
	 * @param refused The tokens that were refused in this try, in their order.
	 * @returns undefined if there is nothing more to try.
	 */
	private async credentialAfter(
		refused: unknown[],
		mayRenew: boolean,
	): Promise<NextCredential | undefined> {
		if (refused.length > mostRefused) return undefined;
		const held = this.credential;
		const current = await this.getCredential();
		if (mayRenew && current.accessToken !== refused.at(-1)) {
			return { credential: current, isOfAnother: false };
		}
		if (mayRenew && this.credential !== held) {
			return { credential: await this.getCredential(), isOfAnother: false };
		}
		// Read again, because somebody may have edited it: n8n 1 stores all of the credential that it is
		// given, together with the new token.
		const reading = this.readCredential().then((stored): NextCredential => {
			const isNew = stored.accessToken !== '' && !refused.includes(stored.accessToken);
			if (isNew) return { credential: stored, isOfAnother: true };
			const renewing = { ...stored, accessToken: '', expiredToken: textOf(refused.at(-1)) };
			return { credential: renewing, isOfAnother: false };
		});
		if (mayRenew) {
			void this.hold(reading.then(({ credential }) => credential));
			return await reading;
		}
		const next = await reading;
		if (!next.isOfAnother) return undefined;
		void this.hold(Promise.resolve(next.credential));
		return next;
	}

	private async getCredential(): Promise<ICredentialDataDecryptedObject> {
		return await (this.credential ?? this.hold(this.readCredential()));
	}

	/** Shares a credential with all calls. If it cannot be read, the next call reads it again. */
	private hold(
		reading: Promise<ICredentialDataDecryptedObject>,
	): Promise<ICredentialDataDecryptedObject> {
		this.credential = reading;
		reading.catch(() => {
			if (this.credential === reading) this.credential = undefined;
		});
		return reading;
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
			this.secrets.add(credential.apiKey).add(credential.accessToken).add(credential.expiredToken);
		}
	}
}
