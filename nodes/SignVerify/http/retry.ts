import type { RetryOnFail } from '../n8nInternals';
import { absenceStatuses, type CallKind } from './request';
import { reservedMs } from './timeLimits';

/**
 * How a single try of a call failed, reduced to the facts that determine what may have been created and whether to
 * retry the call. The messages for people are in messages.ts.
 */
export type Failure =
	| NoResponse
	/** Our own rate limiter did not let the call be sent before its time limit. */
	| { what: 'denied' }
	/**
	 * The call was rejected. `isFromService` is false if a gateway or a storage server may have responded instead of the
	 * service.
	 */
	| { what: 'refused'; status: number; isFromService: boolean }
	/** The call itself succeeded but a later step failed. For example, n8n can't wait for the document that was sent. */
	| { what: 'succeeded' };

/** How a call without a response, or with a meaningless response, failed. */
export type NoResponse =
	/**
	 * The request definitely did not reach the service. `isTemporary`: whether the same call may succeed a moment later.
	 */
	| { what: 'unsent'; isTemporary: boolean }
	/**
	 * The request may have reached the service, but its response is missing or meaningless. `isTemporary`: whether the
	 * same call may succeed a moment later.
	 */
	| { what: 'lost'; isTemporary: boolean };

/** The call was sent, and only its response is missing. Another try may get a response. */
export const lostForNow: NoResponse = { what: 'lost', isTemporary: true };
/** The call was sent, but another try would not get a usable response either, for example because a link has expired. */
export const lostForGood: NoResponse = { what: 'lost', isTemporary: false };
/** The call was not sent, and another try may succeed. */
export const unsentForNow: NoResponse = { what: 'unsent', isTemporary: true };
/** The call was not sent, and another try would fail in the same way. */
export const unsentForGood: NoResponse = { what: 'unsent', isTemporary: false };

/** The call was not sent, because the rate limiter did not give it a turn. */
export const denied: Failure = { what: 'denied' };

/** The kind of call that failed, and the number of tries in the node's "Retry On Fail" setting (0 if turned off). */
interface FailedCall {
	kind: CallKind;
	nodeTries?: number;
}

/** The consequences of a failed try. */
interface RetryVerdict {
	/**
	 * Whether the call may have created something that users asked for, such as a document. If so, it is not retried (the
	 * "Never sent twice" guarantee in docs/dev/proof.md).
	 */
	mayHaveCreated: boolean;
	/** Whether the service may have acted on the call. If so, no message may claim that the call wasn't sent. */
	mayHaveActed: boolean;
	/** The maximum number of tries, including the first. */
	tries: number;
}

/**
 * The maximum number of tries for each kind of call, including the first. `didNothing` applies after a try that
 * definitely did nothing, and `mayHaveWorked` after a try that may have succeeded. A token exchange counts as a try of
 * the call that needs the token.
 */
export const maxTries: Record<CallKind, { didNothing: number; mayHaveWorked: number }> = {
	creating: { didNothing: 4, mayHaveWorked: 1 },
	registering: { didNothing: 4, mayHaveWorked: 1 },
	reading: { didNothing: 4, mayHaveWorked: 4 },
	deleting: { didNothing: 4, mayHaveWorked: 4 },
	file: { didNothing: 4, mayHaveWorked: 4 },
};

/** The maximum number of tries, for any kind of call, while every response is "too many requests" (429). */
const maxLimitedTries = 60;

/**
 * Decides what a failed try means: whether anything may have been created, and how many tries the call gets. This
 * decision is made nowhere else, because the guarantee "Never sent twice" (docs/dev/proof.md) depends on it. The rules
 * follow the order of the fault matrix (docs/dev/responses.md#the-fault-matrix).
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

	// A request that never left did nothing. A refused connection may be accepted a moment later, but a wrong host name
	// stays wrong.
	if (failure.what === 'unsent') return verdictIfUndone(failure.isTemporary ? most.didNothing : 1);

	// The rate limiter denies a turn only if the call's time limit comes first, so it would deny the next one as well, even
	// if the node's "Retry On Fail" setting asks for more tries.
	if (failure.what === 'denied') return { ...verdictIfUndone(1), tries: 1 };

	// A request that left may have succeeded, so never retry a creation: people could receive it twice. Reads and
	// deletions may be retried, unless the next response would be just as unreadable.
	if (failure.what === 'lost')
		return verdictIfMaybeDone(failure.isTemporary ? most.mayHaveWorked : 1);

	// A later step failed, and another call wouldn't fix that step.
	if (failure.what === 'succeeded') return verdictIfMaybeDone(1);

	// Some servers respond with a 303 redirect to the object they have just created.
	if (failure.status === 303) return verdictIfMaybeDone(1);

	// The service itself reports that the object doesn't exist. Another try wouldn't find it either, even if the node's
	// "Retry On Fail" setting asks for more tries.
	const isAbsence = absenceStatuses.includes(failure.status);
	if (isAbsence && failure.isFromService) return { ...verdictIfUndone(1), tries: 1 };

	// While the service is down, its gateway may respond "not found" without forwarding the call. Nothing was created, so
	// a read or a deletion is retried. A creation gets only the tries that Retry On Fail adds, because the URL may simply
	// be wrong, and then every try fails in the same way.
	if (isAbsence) return { ...verdictIfUndone(most.mayHaveWorked), mayHaveActed: true };

	// "Too many requests" means that the service did not act on this call. The account's calls all pause together
	// (rateLimit.ts), so allow many tries: in practice, the call's time limit ends them.
	if (isRateLimit(failure)) return verdictIfUndone(maxLimitedTries);

	// A failing service may have failed after acting on the call.
	if (failure.status >= 500) return verdictIfMaybeDone(most.mayHaveWorked);

	// Any other rejection is about the request itself, so the same request would be rejected again.
	return verdictIfUndone(1);
}

/** Whether the rate limiter did not let the call be sent. */
export function isDenied(failure: Failure): boolean {
	return failure.what === 'denied';
}

/** Whether the service responded "too many requests", to the call or to its token exchange. */
export function isRateLimit(failure: Failure): boolean {
	return failure.what === 'refused' && failure.status === 429;
}

/** The pause (ms) before the first retry. Doubles with every retry. */
export const firstRetryPauseMs = 300;
const maxRetryPauseMs = 15_000;

interface PolicyOptions {
	kind: CallKind;
	/** The time limit (ms) for the call. */
	maxTimeMs: number;
	/** The node's Retry On Fail setting, which adds tries to a call that doesn't create anything users asked for. */
	retryOnFail: RetryOnFail | undefined;
}

/** Counts the tries of a single call, and determines the pause before each retry and the time for each try. */
export class RetryPolicy {
	/** How many tries failed because of the service's rate limit, for lack of a turn, and for any other reason. */
	private readonly failedTries = { rateLimited: 0, denied: 0, other: 0 };

	private readonly startedAt = performance.now();

	/** The time (`performance.now()`) at which the call's time limit ends. */
	private readonly deadline: number;

	/** The time (`performance.now()`) after which no further try begins. */
	private sendBy: number;

	constructor(private readonly options: PolicyOptions) {
		this.deadline = this.startedAt + options.maxTimeMs;
		this.sendBy = this.deadline;
	}

	/**
	 * Call this before each try of a call to the service. A creation must be sent early enough, because
	 * {@link limitTry} doesn't cut off its tries.
	 * @param fullTimeMs How long the try may take, if the call's time limit allows it.
	 * @returns The time (`performance.now()`) after which the try must not be sent.
	 */
	planTry(fullTimeMs: number): number {
		const { kind, maxTimeMs } = this.options;
		if (kind === 'creating') this.sendBy = this.deadline - reservedMs(maxTimeMs, fullTimeMs);
		return this.sendBy;
	}

	/**
	 * Returns how long (ms) a try that begins now may take: at most until the call's time limit. A creation always gets
	 * its full time, because after a response that was cut off, no one knows whether its document exists.
	 */
	limitTry(fullTimeMs: number): number {
		if (this.options.kind === 'creating') return fullTimeMs;
		return Math.min(fullTimeMs, this.deadline - performance.now());
	}

	/** Whether a try got no response because the call's time limit cut it off ({@link limitTry}). */
	isCutOff(failure: Failure): boolean {
		const { kind } = this.options;
		return kind !== 'creating' && failure.what === 'lost' && performance.now() >= this.deadline;
	}

	/** Decides what a failed try of this call means. */
	verdictOn(failure: Failure): RetryVerdict {
		const { kind, retryOnFail } = this.options;
		return verdictOn(failure, { kind, nodeTries: retryOnFail?.tries ?? 0 });
	}

	/**
	 * Counts a failed try.
	 * @param minPauseMs The shortest allowed pause. After "too many requests", this is the entire pause.
	 * @returns The pause (ms) before the next try; undefined if the call is not retried.
	 */
	pauseAfter(failure: Failure, minPauseMs: number): number | undefined {
		const isLimited = isRateLimit(failure);
		const reason = isDenied(failure) ? 'denied' : isLimited ? 'rateLimited' : 'other';
		const triesLeft = this.verdictOn(failure).tries - ++this.failedTries[reason];
		if (triesLeft <= 0) return undefined;
		// Leave enough time for all tries. Otherwise, the pauses that Retry On Fail asks for would take tries away from a call
		// with a short time limit.
		const remainingMs = Math.max(0, this.sendBy - performance.now());
		const backoffMs = Math.min(this.backoff(), remainingMs / (triesLeft + 1));
		const pauseMs = isLimited ? minPauseMs : Math.max(minPauseMs, backoffMs);
		const isInTime = performance.now() + pauseMs < this.sendBy;
		return isInTime ? pauseMs : undefined;
	}

	/** Returns the pause (ms) before the next try. The pause is random so that items don't all retry at once. */
	backoff(): number {
		const fullMs = Math.min(firstRetryPauseMs * 2 ** (this.failedTries.other - 1), maxRetryPauseMs);
		return Math.max(fullMs * (0.5 + Math.random() / 2), this.options.retryOnFail?.pauseMs ?? 0);
	}

	/**
	 * A sentence for the error, with the number of tries and their duration; empty after a single try. A call that was
	 * denied its turn was not sent, so this does not count as a try.
	 */
	get summary(): string {
		const seconds = Math.round((performance.now() - this.startedAt) / 1000);
		const tries = this.failedTries.rateLimited + this.failedTries.other;
		return tries > 1 ? ` The node tried ${tries} times in ${seconds} s.` : '';
	}
}
