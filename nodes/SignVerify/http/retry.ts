import type { Retryable, ServiceError } from './errors';

/** What a call does at the service. */
export type CallKind = 'read' | 'delete' | 'create';

/**
 * How often one call is tried at most, the first try included: after a rate limit (429), and after
 * other failures by what they left behind ({@link Retryable}). A creation that may have happened is
 * never retried (design rule 1).
 */
export const maxTries: Record<CallKind, Record<Retryable | 'rateLimited', number>> = {
	read: { rateLimited: 60, always: 4, whenIdempotent: 4, never: 1 },
	delete: { rateLimited: 60, always: 4, whenIdempotent: 4, never: 1 },
	create: { rateLimited: 60, always: 4, whenIdempotent: 1, never: 1 },
};

/** First pause (ms) before a retry, doubled each time. */
export const firstDelay = 300;
const maxDelay = 15_000;

/** The node's setting "Retry On Fail": how often a call is tried, and the pause (ms) before a retry. */
export interface RetryOnFail {
	tries: number;
	pause: number;
}

/** What a policy is for. */
export interface PolicyOptions {
	kind: CallKind;
	/** Milliseconds after which the call is not retried. */
	maxRetryTime: number;
	/** Its tries are for calls that have certainly created nothing. */
	retryOnFail?: RetryOnFail | undefined;
	/** Statuses that are an answer of their own to this call, which no further try changes. */
	finalStatuses?: number[] | undefined;
}

/** What decides whether a failed call is retried. */
type Failure = Pick<ServiceError, 'retryable' | 'rateLimited' | 'mayHaveCreated' | 'answered'>;

/**
 * Decides whether a failed call is retried (design rule 1), with limits for the number of tries and for
 * the time.
 */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly tries = { rateLimited: 0, other: 0 };

	private readonly start = Date.now();

	constructor(private readonly options: PolicyOptions) {}

	/**
	 * Decides what follows a failed try.
	 * @param pauseTime Says how long to wait (ms), after the try was counted.
	 * @param rateLimited Whether the failure counts as a rate limit, which everybody waits for.
	 * @returns How long to wait before the next try.
	 * @throws The failure, with how often the call was tried, if it is not retried.
	 */
	next(failure: ServiceError, pauseTime: () => number, rateLimited = failure.rateLimited): number {
		const tries = ++this.tries[rateLimited ? 'rateLimited' : 'other'];
		const pause = pauseTime();
		const hasTime = Date.now() + pause <= this.start + this.options.maxRetryTime;
		if (tries >= this.triesFor({ ...failure, rateLimited }) || !hasTime) {
			throw failure.withDetail(this.summary());
		}
		return pause;
	}

	/** How long (ms) to wait before the next try. Random, because all items would otherwise retry at once. */
	backoff(): number {
		const full = Math.min(firstDelay * 2 ** (this.tries.other - 1), maxDelay);
		return Math.max(full * (0.5 + Math.random() / 2), this.options.retryOnFail?.pause ?? 0);
	}

	/** How often a call that failed in this way may be tried. */
	private triesFor({ retryable, rateLimited, mayHaveCreated, answered }: Failure): number {
		const { kind, retryOnFail, finalStatuses = [] } = this.options;
		const tries = maxTries[kind][rateLimited ? 'rateLimited' : retryable];
		if (mayHaveCreated || finalStatuses.includes(answered ?? 0)) return tries;
		return Math.max(tries, retryOnFail?.tries ?? 0);
	}

	/** For the error: how often it was tried, if more than once. */
	private summary(): string {
		const seconds = Math.round((Date.now() - this.start) / 1000);
		const tries = this.tries.rateLimited + this.tries.other;
		return tries > 1 ? ` It was tried ${tries} times in ${seconds} s.` : '';
	}
}
