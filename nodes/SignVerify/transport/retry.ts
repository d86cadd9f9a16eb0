import type { Repeat, ServiceError } from './errors';

/** What a call does at the service. */
export type CallKind = 'read' | 'delete' | 'create';

/**
 * Tries of one call at the most, the first one included: against a rate limit (429), and by what the
 * other failures left behind ({@link Repeat}). A creation that may have happened is never repeated
 * (design rule 1).
 */
export const mostTries: Record<CallKind, Record<Repeat | 'limited', number>> = {
	read: { limited: 60, always: 4, ifIdempotent: 4, never: 1 },
	delete: { limited: 60, always: 4, ifIdempotent: 4, never: 1 },
	create: { limited: 60, always: 4, ifIdempotent: 1, never: 1 },
};

/** First wait (ms) before a repetition, doubled each time. */
const firstDelay = 300;
const longestDelay = 15_000;

/**
 * Decides whether a failed call is tried again (design rule 1), within a bounded number of tries
 * and of total time. All calls of an execution together have a bound of their own ({@link RetryBudget}).
 */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly tries = { limited: 0, other: 0 };

	private readonly start = Date.now();

	/**
	 * @param kind A call of which a second one cannot be understood counts as one that creates.
	 * @param maxRetryTime Milliseconds after which it is not tried again.
	 */
	constructor(
		private readonly kind: CallKind,
		private readonly maxRetryTime: number,
	) {}

	/** Whether a call that failed so may be made again. Counts the tries. */
	shouldRetry({ repeat, limited }: Pick<ServiceError, 'repeat' | 'limited'>): boolean {
		const tries = ++this.tries[limited ? 'limited' : 'other'];
		return tries < mostTries[this.kind][limited ? 'limited' : repeat];
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

/** Calls at once for which the allowance lasts at the least, however few the user lets run. */
const fewestCalls = 10;

/** Repetitions that the calls of an execution may make together while nothing works. */
export function retryAllowance(parallel = fewestCalls): number {
	return (mostTries.read.always - 1) * Math.max(parallel, fewestCalls);
}

/** In the long run one repetition for so many calls that work. */
const successesPerRepetition = 5;

/**
 * How many repetitions all calls of an execution may make together. Each repetition takes one, each
 * call that works puts a part back. A short fault is ridden out as if there were no budget: the full
 * allowance lasts for every call that is under way at once. While nothing works it is soon spent, and
 * each call is then made once: a service that is down gets hardly more calls than without repetitions.
 */
export class RetryBudget {
	/** Both in what one call that works puts back. */
	private readonly allowance: number;

	private left: number;

	/** @param parallel How many calls may be under way at once. */
	constructor(parallel?: number) {
		this.allowance = retryAllowance(parallel) * successesPerRepetition;
		this.left = this.allowance;
	}

	/** Takes one repetition out of it. Returns false, and takes nothing, when too little is left. */
	spend(): boolean {
		if (this.left < successesPerRepetition) return false;
		this.left -= successesPerRepetition;
		return true;
	}

	/** A call worked. Never more than the allowance is saved up for the next outage. */
	onSuccess(): void {
		this.left = Math.min(this.left + 1, this.allowance);
	}
}

/** For the error of a call that would have been repeated. */
export const budgetSpent =
	' There was no further retry, because many calls of this execution failed.';
