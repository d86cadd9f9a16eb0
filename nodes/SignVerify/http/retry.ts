import type { Repeat, ServiceError } from './errors';

/** What a call does at the service. */
export type CallKind = 'read' | 'delete' | 'create';

/**
 * How often one call is tried at most, the first try included: after a rate limit (429), and after
 * other failures by what they left behind ({@link Repeat}). A creation that may have happened is never
 * repeated (design rule 1).
 */
export const mostTries: Record<CallKind, Record<Repeat | 'limited', number>> = {
	read: { limited: 60, always: 4, ifIdempotent: 4, never: 1 },
	delete: { limited: 60, always: 4, ifIdempotent: 4, never: 1 },
	create: { limited: 60, always: 4, ifIdempotent: 1, never: 1 },
};

/** First wait (ms) before a retry, doubled each time. */
const firstDelay = 300;
const longestDelay = 15_000;

/**
 * Decides whether a failed call is retried (design rule 1), with limits for the number of tries and for
 * the time. All calls of an execution together have one more limit, the {@link RetryBudget}.
 */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly tries = { limited: 0, other: 0 };

	private readonly start = Date.now();

	/** @param maxRetryTime Milliseconds after which the call is not retried. */
	constructor(
		private readonly kind: CallKind,
		private readonly maxRetryTime: number,
	) {}

	/** Whether a call that failed in this way may be retried. Counts the tries. */
	shouldRetry({ repeat, limited }: Pick<ServiceError, 'repeat' | 'limited'>): boolean {
		const tries = ++this.tries[limited ? 'limited' : 'other'];
		return tries < mostTries[this.kind][limited ? 'limited' : repeat];
	}

	/** From when on (ms) the call is not retried. */
	get deadline(): number {
		return this.start + this.maxRetryTime;
	}

	/** Whether there is time for a wait of so many milliseconds. */
	hasTimeFor(wait: number): boolean {
		return Date.now() + wait <= this.deadline;
	}

	/** How long (ms) to wait before the next try. Random, because all items would otherwise retry at once. */
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

	/**
	 * Decides what follows a failed try.
	 * @param waitTime Says how long to wait (ms), after the try was counted.
	 * @param limited Whether the failure counts as a rate limit, which everybody waits for.
	 * @returns How long to wait before the next try.
	 * @throws The failure, with how often the call was tried, if it is not retried.
	 */
	next(
		failure: ServiceError,
		budget: RetryBudget,
		waitTime: () => number,
		limited = failure.limited,
	): number {
		const mayRetry = this.shouldRetry({ repeat: failure.repeat, limited });
		const wait = waitTime();
		if (!mayRetry || !this.hasTimeFor(wait)) throw failure.withDetail(this.summary());
		// A rate limit is the answer of a service that works: the rate limiter bounds what it gets.
		if (failure.limited || budget.spend()) return wait;
		throw failure.withDetail(this.summary() + budgetSpent);
	}
}

/** The allowance is for at least this many calls at once, however few the user lets run. */
const fewestCalls = 10;

/** How many retries the calls of an execution have together while nothing works. */
export function retryAllowance(parallel = fewestCalls): number {
	return (mostTries.read.always - 1) * Math.max(parallel, fewestCalls);
}

/** Over time, one retry is allowed for this many calls that work. */
const successesPerRetry = 5;

/**
 * How many retries all calls of an execution have together. Each retry takes one, and each call that
 * works puts a part back. The full allowance is enough for all calls that run at once, so a short fault
 * changes nothing. While nothing works, it is soon spent, and each call is then made once: a service
 * that is down gets hardly more calls than without retries.
 */
export class RetryBudget {
	/** Both are counted in what one call that works puts back. */
	private readonly allowance: number;

	private left: number;

	/** @param parallel How many calls may run at once. */
	constructor(parallel?: number) {
		this.allowance = retryAllowance(parallel) * successesPerRetry;
		this.left = this.allowance;
	}

	/** Takes one retry. Returns false, and takes nothing, if too little is left. */
	spend(): boolean {
		if (this.left < successesPerRetry) return false;
		this.left -= successesPerRetry;
		return true;
	}

	/** A call worked. No more than the allowance is kept for the next outage. */
	onSuccess(): void {
		this.left = Math.min(this.left + 1, this.allowance);
	}
}

/** For the error of a call that would have been retried. */
const budgetSpent = ' There was no further retry, because many calls of this execution failed.';
