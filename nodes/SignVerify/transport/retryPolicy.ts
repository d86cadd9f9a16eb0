import type { ServiceError } from './errors';
import { mostRepetitions } from './retryBudget';

/** Tries of one call at the most: against a rate limit, and against anything else. */
const mostTries = { limited: 60, other: 1 + mostRepetitions };

/** First wait (ms) before a repetition, doubled each time. */
const firstDelay = 300;
const longestDelay = 15_000;

/**
 * Decides whether a failed call is tried again (design rule 1), within a bounded number of tries
 * and of total time. All calls of an execution together have a bound of their own (retryBudget.ts).
 */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly tries = { limited: 0, other: 0 };

	private readonly start = Date.now();

	/**
	 * @param idempotent Whether doing the call twice does no harm: reads and deletes.
	 * @param maxRetryTime Milliseconds after which it is not tried again.
	 */
	constructor(
		private readonly idempotent: boolean,
		private readonly maxRetryTime: number,
	) {}

	/** Whether a call that failed so may be made again. Counts the tries. */
	shouldRetry({ repeat, limited }: Pick<ServiceError, 'repeat' | 'limited'>): boolean {
		const kind = limited ? 'limited' : 'other';
		this.tries[kind]++;
		if (repeat === 'never' || (repeat === 'ifIdempotent' && !this.idempotent)) return false;
		return this.tries[kind] < mostTries[kind];
	}

	/** When (ms) it is no longer tried again. */
	get deadline(): number {
		return this.start + this.maxRetryTime;
	}

	/** Whether there is time for a wait of so many milliseconds. */
	hasTimeFor(wait: number): boolean {
		return Date.now() + wait <= this.deadline;
	}

	/** How long (ms) to wait before the next try; with jitter, so that items do not come back together. */
	backoff(): number {
		const full = Math.min(firstDelay * 2 ** (this.tries.other - 1), longestDelay);
		return full * (0.5 + Math.random() / 2);
	}

	/** For the error: how often it was tried, if more than once. */
	summary(): string {
		const seconds = Math.round((Date.now() - this.start) / 1000);
		const tries = this.tries.limited + this.tries.other;
		return tries > 1 ? ` It was tried ${tries} times in ${seconds} seconds.` : '';
	}
}
