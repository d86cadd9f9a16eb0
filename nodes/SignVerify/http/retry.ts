import type { RetryOnFail } from '../n8nInternals';
import { absenceStatuses, type CallKind } from './request';
import { reservedMs } from './timeLimits';

/**
 * How a single attempt at a call failed, reduced to the facts that determine whether something may have been
 * created and whether to retry the call. The user-facing messages are in messages.ts.
 */
export type Failure =
	| NoResponse
	/** The call was not sent, because our own rate limiter would have held it past its time limit. */
	| { what: 'denied' }
	/**
	 * The call was rejected. `isFromService` is false if a gateway or a storage server may have responded
	 * instead of the service.
	 */
	| { what: 'refused'; status: number; isFromService: boolean }
	/**
	 * The call itself succeeded but a later step failed. For example, the document was sent, but n8n can't
	 * wait for it.
	 */
	| { what: 'succeeded' };

/** The failure of a call that got no usable response. */
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

/** The call was sent but got no usable response. Another attempt may get a usable response. */
export const lostForNow: NoResponse = { what: 'lost', isTemporary: true };
/**
 * The call was sent but got no usable response, and another attempt would fail the same way, for example
 * because a link has expired.
 */
export const lostForGood: NoResponse = { what: 'lost', isTemporary: false };
/** The call was not sent, and another attempt may succeed. */
export const unsentForNow: NoResponse = { what: 'unsent', isTemporary: true };
/** The call was not sent, and another attempt would fail the same way. */
export const unsentForGood: NoResponse = { what: 'unsent', isTemporary: false };

/** The call was not sent, because the rate limiter did not give it a turn. */
export const denied: Failure = { what: 'denied' };

/**
 * The kind of call that failed, and the maximum number of attempts allowed by the node's "Retry On Fail"
 * setting (0 if turned off).
 */
interface FailedCall {
	kind: CallKind;
	nodeTries?: number;
}

/** The consequences of a failed attempt. */
interface RetryVerdict {
	/**
	 * Whether the call may have created something that users asked for, such as a document. If so, the call
	 * is not retried (the "Never sent twice" guarantee in docs/dev/proof.md).
	 */
	mayHaveCreated: boolean;
	/**
	 * Whether the service may have acted on the call. If so, error messages must not claim that the call
	 * wasn't sent.
	 */
	mayHaveActed: boolean;
	/** The maximum number of attempts, including the first. */
	tries: number;
}

/**
 * The maximum number of attempts for each kind of call, including the first. `didNothing` applies after an
 * attempt that definitely had no effect, and `mayHaveWorked` after an attempt that may have succeeded. A
 * failed token exchange is treated as a failed attempt at the call that needs the token.
 */
export const maxTries: Record<CallKind, { didNothing: number; mayHaveWorked: number }> = {
	creating: { didNothing: 4, mayHaveWorked: 1 },
	registering: { didNothing: 4, mayHaveWorked: 1 },
	reading: { didNothing: 4, mayHaveWorked: 4 },
	deleting: { didNothing: 4, mayHaveWorked: 4 },
	file: { didNothing: 4, mayHaveWorked: 4 },
};

/** The maximum number of attempts that may fail with "too many requests" (429), for any kind of call. */
const maxLimitedTries = 60;

/**
 * Determines whether a failed attempt may have created something, and how many attempts the call gets. No
 * other code may decide this, because the "Never sent twice" guarantee (docs/dev/proof.md) depends on it. The
 * rules are in the same order as the fault matrix (docs/dev/responses.md#the-fault-matrix).
 */
export function verdictOn(failure: Failure, { kind, nodeTries = 0 }: FailedCall): RetryVerdict {
	const most = maxTries[kind];
	const verdictIfUndone = (tries: number): RetryVerdict => ({
		mayHaveCreated: false,
		mayHaveActed: false,
		tries: Math.max(tries, nodeTries),
	});
	const verdictIfMaybeDone = (tries: number): RetryVerdict =>
		kind === 'creating'
			? { mayHaveCreated: true, mayHaveActed: true, tries }
			: { mayHaveCreated: false, mayHaveActed: true, tries: Math.max(tries, nodeTries) };

	// A request that was never sent had no effect. A refused connection may be accepted a moment later, but a
	// wrong host name stays wrong.
	if (failure.what === 'unsent') return verdictIfUndone(failure.isTemporary ? most.didNothing : 1);

	// The rate limiter rejects a call only if it would have to wait past its time limit. Another attempt
	// would be rejected too, so don't retry, even if the node's "Retry On Fail" setting asks for more
	// attempts.
	if (failure.what === 'denied') return { ...verdictIfUndone(1), tries: 1 };

	// A request that was sent may have succeeded, so never retry a create call, because that could create a
	// duplicate. Reads and deletions may be retried, unless the next response would be just as unusable.
	if (failure.what === 'lost')
		return verdictIfMaybeDone(failure.isTemporary ? most.mayHaveWorked : 1);

	// The call succeeded, and repeating it wouldn't fix the later step that failed.
	if (failure.what === 'succeeded') return verdictIfMaybeDone(1);

	// Some servers respond with a 303 redirect to the object they have just created.
	if (failure.status === 303) return verdictIfMaybeDone(1);

	// The service itself reports that the object doesn't exist. Another attempt wouldn't find the object
	// either, so don't retry, even if the node's "Retry On Fail" setting asks for more attempts.
	const isAbsence = absenceStatuses.includes(failure.status);
	if (isAbsence && failure.isFromService) return { ...verdictIfUndone(1), tries: 1 };

	// While the service is down, its gateway may respond "not found" without forwarding the call. Nothing was
	// created, so reads and deletions are retried. A create call is retried only if "Retry On Fail" is on,
	// because the URL may simply be wrong, in which case every attempt would fail the same way.
	if (isAbsence) return { ...verdictIfUndone(most.mayHaveWorked), mayHaveActed: true };

	// "Too many requests" means that the service did not act on this call. All of the account's calls pause
	// together (rateLimit.ts), so allow many attempts. In practice, the call reaches its time limit first.
	if (isRateLimit(failure)) return verdictIfUndone(maxLimitedTries);

	// The service may have acted on the call before it failed.
	if (failure.status >= 500) return verdictIfMaybeDone(most.mayHaveWorked);

	// Any other rejection is about the request itself, so the same request would be rejected again.
	return verdictIfUndone(1);
}

/** Whether the rate limiter kept the call from being sent. */
export function isDenied(failure: Failure): boolean {
	return failure.what === 'denied';
}

/** Whether the service responded "too many requests", to the call or to its token exchange. */
export function isRateLimit(failure: Failure): boolean {
	return failure.what === 'refused' && failure.status === 429;
}

/** The pause (ms) before the first retry. The pause doubles with each further retry. */
export const firstRetryPauseMs = 300;
const maxRetryPauseMs = 15_000;

interface PolicyOptions {
	kind: CallKind;
	/** The time limit (ms) for the call. */
	maxTimeMs: number;
	/**
	 * The node's "Retry On Fail" setting. It can add attempts, but never after the call may have created
	 * something that users asked for.
	 */
	retryOnFail: RetryOnFail | undefined;
}

/**
 * Counts a single call's attempts, and determines the pause before each retry and the time limit of each
 * attempt.
 */
export class RetryPolicy {
	/**
	 * The number of attempts that failed because of the service's rate limit, because our rate limiter denied
	 * them a turn, and for other reasons.
	 */
	private readonly failedTries = { rateLimited: 0, denied: 0, other: 0 };

	private readonly startedAt = performance.now();

	/** The time (`performance.now()`) at which the call's time limit expires. */
	private readonly deadline: number;

	/** The time (`performance.now()`) after which no further attempt may begin. */
	private sendBy: number;

	constructor(private readonly options: PolicyOptions) {
		this.deadline = this.startedAt + options.maxTimeMs;
		this.sendBy = this.deadline;
	}

	/**
	 * Call this before each attempt at a call to the service. A create call must be sent early enough to end
	 * in time, because {@link limitTry} doesn't cut off its attempts.
	 * @param fullTimeMs How long the attempt may take, if the call's time limit allows it.
	 * @returns The time (`performance.now()`) after which the attempt must not be sent.
	 */
	planTry(fullTimeMs: number): number {
		const { kind, maxTimeMs } = this.options;
		if (kind === 'creating') this.sendBy = this.deadline - reservedMs(maxTimeMs, fullTimeMs);
		return this.sendBy;
	}

	/**
	 * Returns how long (ms) an attempt that begins now may take before the call's time limit cuts it off. A
	 * create call always gets its full time, because cutting it off would leave its outcome unknown.
	 */
	limitTry(fullTimeMs: number): number {
		if (this.options.kind === 'creating') return fullTimeMs;
		return Math.min(fullTimeMs, this.deadline - performance.now());
	}

	/** Whether an attempt got no response because the call's time limit cut it off ({@link limitTry}). */
	isCutOff(failure: Failure): boolean {
		const { kind } = this.options;
		return kind !== 'creating' && failure.what === 'lost' && performance.now() >= this.deadline;
	}

	/** Determines the consequences of a failed attempt at this call. */
	verdictOn(failure: Failure): RetryVerdict {
		const { kind, retryOnFail } = this.options;
		return verdictOn(failure, { kind, nodeTries: retryOnFail?.tries ?? 0 });
	}

	/**
	 * Counts a failed attempt.
	 * @param minPauseMs The shortest allowed pause. After "too many requests", the pause is exactly this
	 * long.
	 * @returns The pause (ms) before the next attempt; undefined if the call is not retried.
	 */
	pauseAfter(failure: Failure, minPauseMs: number): number | undefined {
		const isLimited = isRateLimit(failure);
		const reason = isDenied(failure) ? 'denied' : isLimited ? 'rateLimited' : 'other';
		const triesLeft = this.verdictOn(failure).tries - ++this.failedTries[reason];
		if (triesLeft <= 0) return undefined;
		// Shorten the pause if necessary so that all attempts fit into the time limit. Otherwise, the pauses
		// that "Retry On Fail" asks for could use up a short time limit.
		const remainingMs = Math.max(0, this.sendBy - performance.now());
		const backoffMs = Math.min(this.backoff(), remainingMs / (triesLeft + 1));
		const pauseMs = isLimited ? minPauseMs : Math.max(minPauseMs, backoffMs);
		const isInTime = performance.now() + pauseMs < this.sendBy;
		return isInTime ? pauseMs : undefined;
	}

	/**
	 * Returns the pause (ms) before the next attempt. The pause is randomized so that items don't all retry
	 * at the same time.
	 */
	backoff(): number {
		const fullMs = Math.min(firstRetryPauseMs * 2 ** (this.failedTries.other - 1), maxRetryPauseMs);
		return Math.max(fullMs * (0.5 + Math.random() / 2), this.options.retryOnFail?.pauseMs ?? 0);
	}

	/**
	 * A sentence for the error, with the number of attempts and their total duration; empty if there was only
	 * one attempt. Attempts that were denied a turn don't count, because they were never sent.
	 */
	get summary(): string {
		const seconds = Math.round((performance.now() - this.startedAt) / 1000);
		const tries = this.failedTries.rateLimited + this.failedTries.other;
		return tries > 1 ? ` The node tried ${tries} times in ${seconds} s.` : '';
	}
}
