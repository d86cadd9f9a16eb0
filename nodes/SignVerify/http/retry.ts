import type { ServiceError } from './errors';

/**
 * How often one call is tried at most, the first try included: after a rate limit (429), after a failure
 * that a further try may change, and after all others, of which one is a creation that may have worked
 * (design rule 1).
 */
export const maxTries = { rateLimited: 60, failed: 4, final: 1 };

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
	/** Whether the call reads or deletes: it can be made again, even if it may have worked. */
	isIdempotent: boolean;
	/** Milliseconds after which the call is not retried. */
	maxRetryTime: number;
	/** Its tries are for calls that have certainly created nothing. */
	retryOnFail?: RetryOnFail | undefined;
	/** Statuses that are an answer of their own to this call, which no further try changes. */
	finalStatuses?: number[] | undefined;
}

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
	 * @returns How long to wait before the next try.
	 * @throws The failure, with how often the call was tried, if it is not retried.
	 */
	next(failure: ServiceError, pauseTime: () => number): number {
		const tries = ++this.tries[failure.rateLimited ? 'rateLimited' : 'other'];
		const pause = pauseTime();
		const hasTime = Date.now() + pause <= this.start + this.options.maxRetryTime;
		if (tries < this.triesFor(failure) && hasTime) return pause;
		throw failure.withDetail(this.summary());
	}

	/** How long (ms) to wait before the next try. Random, because all items would otherwise retry at once. */
	backoff(): number {
		const full = Math.min(firstDelay * 2 ** (this.tries.other - 1), maxDelay);
		return Math.max(full * (0.5 + Math.random() / 2), this.options.retryOnFail?.pause ?? 0);
	}

	/** How often a call that failed in this way may be tried. */
	private triesFor({ retryable, rateLimited, mayHaveCreated, answered }: ServiceError): number {
		const { isIdempotent, retryOnFail, finalStatuses = [] } = this.options;
		if (rateLimited) return maxTries.rateLimited;
		const mayChange = retryable === 'always' || (retryable === 'whenIdempotent' && isIdempotent);
		const tries = mayChange ? maxTries.failed : maxTries.final;
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
