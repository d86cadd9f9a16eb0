import { absenceStatuses, type CallPurpose } from './request';

/**
 * How a single try at a call failed, reduced to the facts that determine whether something may have been
 * created and whether to retry the call. Which problem proves what is in the tables of problems, such as callProblems.ts.
 */
export type Failure =
	| NoResponse
	/** The call was not sent, because our own rate limiter would have held it past its time limit. */
	| { what: 'denied' }
	/**
	 * The call was refused. `isFromService` is false if a gateway or a storage server may have responded
	 * instead of the service.
	 */
	| { what: 'refused'; status: number; isFromService: boolean }
	/** A server that stores files doesn't give out a file, which it may not have yet. */
	| { what: 'noFile' }
	/**
	 * The call itself succeeded but a later step failed. For example, the document was sent, but n8n can't
	 * wait for it.
	 */
	| { what: 'succeeded' };

export type NoResponse =
	/**
	 * The request definitely did not reach the service. `isTemporary` is true if the same call may succeed a
	 * moment later.
	 */
	| { what: 'unsent'; isTemporary: boolean }
	/**
	 * The request may have reached the service, but there was no usable response. `isTemporary` is true if
	 * the same call may succeed a moment later.
	 */
	| { what: 'lost'; isTemporary: boolean };

export const lostForNow: NoResponse = { what: 'lost', isTemporary: true };
export const lostForGood: NoResponse = { what: 'lost', isTemporary: false };
export const unsentForNow: NoResponse = { what: 'unsent', isTemporary: true };
export const unsentForGood: NoResponse = { what: 'unsent', isTemporary: false };

export const denied: Failure = { what: 'denied' };
export const noFile: Failure = { what: 'noFile' };

interface RetryVerdict {
	/**
	 * Whether the call may have created something that users asked for, such as a document. If so, the call
	 * is not retried (the "Never sent twice" guarantee in docs/dev/behavior.md).
	 */
	mayHaveCreated: boolean;
	/**
	 * Whether the service may have acted on the call. If so, error messages must not claim that the call
	 * wasn't sent.
	 */
	mayHaveActed: boolean;
	/** The maximum number of tries, including the first. */
	tries: number;
}

/**
 * The maximum number of tries for each purpose, including the first. `didNothing` applies after a
 * try that definitely had no effect, and `mayHaveWorked` after one that may have succeeded. A failed token
 * exchange is treated as a failed try at the call that needs the token.
 */
export const maxTries: Record<CallPurpose, { didNothing: number; mayHaveWorked: number }> = {
	creating: { didNothing: 4, mayHaveWorked: 1 },
	registering: { didNothing: 4, mayHaveWorked: 1 },
	reading: { didNothing: 4, mayHaveWorked: 4 },
	deleting: { didNothing: 4, mayHaveWorked: 4 },
	file: { didNothing: 4, mayHaveWorked: 4 },
};

/** The maximum number of tries that may fail with "too many requests" (429), whatever the purpose of the call. */
const maxLimitedTries = 60;

/**
 * Determines whether a failed try may have created something, and how many tries the call gets. No other code
 * may decide this, because the "Never sent twice" guarantee (docs/dev/behavior.md) depends on it.
 */
export function verdictOn(failure: Failure, { purpose }: { purpose: CallPurpose }): RetryVerdict {
	const most = maxTries[purpose];
	const verdictIfUndone = (tries: number): RetryVerdict => ({
		mayHaveCreated: false,
		mayHaveActed: false,
		tries,
	});
	const verdictIfMaybeDone = (tries: number): RetryVerdict => ({
		mayHaveCreated: purpose === 'creating',
		mayHaveActed: true,
		tries,
	});

	// A request that was never sent had no effect. A refused connection may be accepted a moment later, but a
	// wrong host name stays wrong.
	if (failure.what === 'unsent') return verdictIfUndone(failure.isTemporary ? most.didNothing : 1);

	// The rate limiter denies a call its turn only if the turn would come after the call's time limit, so the
	// next turn would come too late as well.
	if (failure.what === 'denied') return verdictIfUndone(1);

	// A request that was sent may have succeeded, so never retry a create call, because that could create a
	// duplicate. Reads and deletions may be retried, unless the next response would be just as unusable.
	if (failure.what === 'lost')
		return verdictIfMaybeDone(failure.isTemporary ? most.mayHaveWorked : 1);

	// The event can arrive before the file is stored. A link that has expired gets the same response, so one more
	// try is enough.
	if (failure.what === 'noFile') return verdictIfUndone(2);

	// The call succeeded, and repeating it wouldn't fix the later step that failed.
	if (failure.what === 'succeeded') return verdictIfMaybeDone(1);

	// Some servers respond with a 303 redirect to the object they have just created.
	if (failure.status === 303) return verdictIfMaybeDone(1);

	// The service itself reports that the object doesn't exist, and the next try wouldn't find it either.
	const isAbsence = absenceStatuses.includes(failure.status);
	if (isAbsence && failure.isFromService) return verdictIfUndone(1);

	// While the service is down, its gateway may respond "not found" without forwarding the call. Nothing was
	// created, so reads and deletions are retried. A create call isn't, because the URL may simply be wrong,
	// in which case every try would fail the same way.
	if (isAbsence) return { ...verdictIfUndone(most.mayHaveWorked), mayHaveActed: true };

	// "Too many requests" means that the service did not act on this call. All of the account's calls pause
	// together (rateLimit.ts), so allow many tries. In practice, the call reaches its time limit first.
	if (isRateLimit(failure)) return verdictIfUndone(maxLimitedTries);

	// The service may have acted on the call before it failed.
	if (failure.status >= 500) return verdictIfMaybeDone(most.mayHaveWorked);

	// Any other refusal is about the request itself, so the same request would be refused again.
	return verdictIfUndone(1);
}

export function isDenied(failure: Failure): boolean {
	return failure.what === 'denied';
}

export function isRateLimit(failure: Failure): boolean {
	return failure.what === 'refused' && failure.status === 429;
}

/** The pause (ms) before the first retry. The pause doubles with each further retry. */
export const firstRetryPauseMs = 300;

/** The pause (ms) before another try at a file that may not be stored yet. */
export const noFilePauseMs = 3000;

/**
 * Counts a single call's tries, and determines the pause before each retry and the time limit of each try.
 */
export class RetryPolicy {
	/**
	 * The number of tries that failed because of the service's rate limit, because our rate limiter denied
	 * them a turn, because there was no file, and for other reasons.
	 */
	private readonly failedTries = { rateLimited: 0, denied: 0, noFile: 0, other: 0 };

	private readonly startedAt = performance.now();

	/**
	 * The time (`performance.now()`) at which the call's time limit expires. No try begins after this time.
	 */
	readonly deadline: number;

	private readonly purpose: CallPurpose;

	constructor({ purpose, maxTimeMs }: { purpose: CallPurpose; maxTimeMs: number }) {
		this.purpose = purpose;
		this.deadline = this.startedAt + maxTimeMs;
	}

	/**
	 * Returns how long (ms) a try that begins now may take before the call's time limit cuts it off. A create
	 * call always gets its full time, because cutting it off would leave its outcome unknown.
	 */
	limitTry(fullTimeMs: number): number {
		if (this.purpose === 'creating') return fullTimeMs;
		return Math.min(fullTimeMs, this.deadline - performance.now());
	}

	/** Whether a try got no response because the call's time limit cut it off ({@link limitTry}). */
	isCutOff(failure: Failure): boolean {
		const isLost = this.purpose !== 'creating' && failure.what === 'lost';
		return isLost && performance.now() >= this.deadline;
	}

	verdictOn(failure: Failure): RetryVerdict {
		return verdictOn(failure, { purpose: this.purpose });
	}

	/**
	 * Counts a failed try.
	 * @param minPauseMs The shortest allowed pause. After "too many requests", the pause is exactly this
	 * long.
	 * @returns The pause (ms) before the next try; undefined if the call is not retried.
	 */
	pauseAfter(failure: Failure, minPauseMs: number): number | undefined {
		const isRateLimited = isRateLimit(failure);
		const { what } = failure;
		const ownReason = what === 'denied' || what === 'noFile' ? what : 'other';
		const reason = isRateLimited ? 'rateLimited' : ownReason;
		if (++this.failedTries[reason] >= this.verdictOn(failure).tries) return undefined;
		const leastPauseMs = what === 'noFile' ? noFilePauseMs : minPauseMs;
		const pauseMs = isRateLimited ? minPauseMs : Math.max(leastPauseMs, this.backoff());
		return performance.now() + pauseMs < this.deadline ? pauseMs : undefined;
	}

	/**
	 * Returns the pause (ms) before the next try. The pause is randomized so that items don't all retry at
	 * the same time.
	 */
	backoff(): number {
		const fullMs = firstRetryPauseMs * 2 ** (this.failedTries.other - 1);
		return fullMs * (0.5 + Math.random() / 2);
	}

	/**
	 * A sentence for the error, with the number of tries and their total duration; empty if there was only
	 * one try. Tries that were denied a turn don't count, because they were never sent.
	 */
	get summary(): string {
		const seconds = Math.round((performance.now() - this.startedAt) / 1000);
		const { rateLimited, noFile: missing, other } = this.failedTries;
		const tries = rateLimited + missing + other;
		return tries > 1 ? ` The node tried ${tries} times in ${seconds} s.` : '';
	}
}
