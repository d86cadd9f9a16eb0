import type { RetryOnFail } from '../n8nInternals';
import { absenceStatuses, type CallKind } from './request';

/**
 * How one try of a call failed, as far as it decides what may exist at the service now and whether the call may be
 * made again. The words for a person are made elsewhere (messages.ts).
 */
export type Failure =
	| NoResponse
	/** There is a response, and it says no. `isFromService` is false if a gateway or a storage may have sent it. */
	| { what: 'refused'; status: number; isFromService: boolean }
	/** The call itself succeeded, and a later step failed: n8n cannot wait for what was sent, for example. */
	| { what: 'succeeded' };

/** How a call failed that has no response, or none that says anything. */
export type NoResponse =
	/** The request certainly did not reach the service. `mayPass`: the same call may succeed a moment later. */
	| { what: 'unsent'; mayPass: boolean }
	/** The request may have reached the service, and its response is missing or says nothing. `mayPass`: as above. */
	| { what: 'lost'; mayPass: boolean };

/** Sent, and only the response is missing: another try may get one. */
export const lostForNow: NoResponse = { what: 'lost', mayPass: true };
/** Sent, and the response to another try would be missing or unreadable as well. */
export const lostForGood: NoResponse = { what: 'lost', mayPass: false };
/** Not sent, and another try may succeed. */
export const unsentForNow: NoResponse = { what: 'unsent', mayPass: true };
/** Not sent, and another try would fail in the same way. */
export const unsentForGood: NoResponse = { what: 'unsent', mayPass: false };

/** The kind of a call, and the tries that its node asks for with Retry On Fail (0 without it). */
interface FailedCall {
	kind: CallKind;
	nodeTries?: number;
}

/** What follows from a failed try of a call. */
export interface RetryVerdict {
	/** Whether the call may have created something for people ("Never sent twice"). The call is then not made again. */
	mayHaveCreated: boolean;
	/** Whether the service may have done what it was asked, so nobody may say that the call was not sent. */
	mayHaveActed: boolean;
	/** How often the call is made at most, the first try included. */
	tries: number;
}

/**
 * How often a call is made at most, the first try included: after tries that certainly did nothing, and after tries
 * that may have worked ("Never sent twice"). An exchange of the token counts as a try of the call that needs it.
 */
export const maxTries: Record<CallKind, { didNothing: number; mayHaveWorked: number }> = {
	creating: { didNothing: 4, mayHaveWorked: 1 },
	registering: { didNothing: 4, mayHaveWorked: 1 },
	reading: { didNothing: 4, mayHaveWorked: 4 },
	deleting: { didNothing: 4, mayHaveWorked: 4 },
	file: { didNothing: 4, mayHaveWorked: 4 },
};

/** How often a call of any kind is made if each response is "too many requests" (429). */
const maxLimitedTries = 60;

/**
 * Decides what a failed try means: whether something may exist, and how often the call may be made. Nothing else
 * decides it ("Never sent twice"). The rules are in the order of the fault matrix (docs/dev/proof.md#the-fault-matrix).
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

	// A request that did not leave did nothing. A refused connection may be accepted a moment later, but a wrong host
	// name stays wrong.
	if (failure.what === 'unsent') return verdictIfUndone(failure.mayPass ? most.didNothing : 1);

	// A request that left may have worked, so a creation is not sent again: people would get it twice. A read or a
	// deletion may be repeated, unless the next response would be as unreadable as this one.
	if (failure.what === 'lost') return verdictIfMaybeDone(failure.mayPass ? most.mayHaveWorked : 1);

	// A later step has failed, and another call would not repair that step.
	if (failure.what === 'succeeded') return verdictIfMaybeDone(1);

	// Some servers redirect with 303 to the thing that they have just created.
	if (failure.status === 303) return verdictIfMaybeDone(1);

	// The service itself says that the thing does not exist, so another try would not find it either, not even a try
	// that the node asks for with Retry On Fail.
	const isAbsence = absenceStatuses.includes(failure.status);
	if (isAbsence && failure.isFromService) return { ...verdictIfUndone(1), tries: 1 };

	// While the service is down, its gateway may respond "not found". The gateway did not pass the call on, so nothing
	// was created. But we can only guess that a gateway has responded, so a creation is not made again.
	if (isAbsence) return { ...verdictIfUndone(most.mayHaveWorked), mayHaveActed: true };

	// "Too many requests" means that the service did not do what this call asked for. All calls of the account pause
	// together (rateLimit.ts), so the time limits the tries.
	if (isRateLimit(failure)) return verdictIfUndone(maxLimitedTries);

	// A service that fails may have failed after it had acted.
	if (failure.status >= 500) return verdictIfMaybeDone(most.mayHaveWorked);

	// Any other refusal is about the request itself, so the same request would be refused again.
	return verdictIfUndone(1);
}

/** Whether the service said "too many requests", to the call or to the exchange of its token. */
export function isRateLimit(failure: Failure): boolean {
	return failure.what === 'refused' && failure.status === 429;
}

/** The pause (ms) before the first retry. It is doubled for each further one. */
export const firstRetryPauseMs = 300;
const maxRetryPauseMs = 15_000;

/** What a policy is for. */
interface PolicyOptions {
	kind: CallKind;
	/** How long the call may be retried. */
	maxRetryTimeMs: number;
	/** The setting of the node, which adds tries to a call that creates nothing for people. */
	retryOnFail: RetryOnFail | undefined;
}

/** The tries of one call: counts them, and says how long to wait before the next one. */
export class RetryPolicy {
	/** Failed tries: against a rate limit, and against anything else. */
	private readonly failedTries = { rateLimited: 0, other: 0 };

	private readonly startedAt = performance.now();

	/** After this moment (`performance.now()`), the call is not retried. */
	readonly deadline: number;

	constructor(private readonly options: PolicyOptions) {
		this.deadline = this.startedAt + options.maxRetryTimeMs;
	}

	/** What a failed try of this call means. */
	verdictOn(failure: Failure): RetryVerdict {
		const { kind, retryOnFail } = this.options;
		return verdictOn(failure, { kind, nodeTries: retryOnFail?.tries ?? 0 });
	}

	/**
	 * Counts a failed try.
	 * @param minPauseMs The shortest pause that is allowed. After "too many requests", this is the whole pause.
	 * @returns How long (ms) to wait before the next try; undefined if the call is not made again.
	 */
	pauseAfter(failure: Failure, minPauseMs: number): number | undefined {
		const isLimited = isRateLimit(failure);
		const tries = ++this.failedTries[isLimited ? 'rateLimited' : 'other'];
		const pauseMs = isLimited ? minPauseMs : Math.max(minPauseMs, this.backoff());
		const isInTime = performance.now() + pauseMs <= this.deadline;
		return tries < this.verdictOn(failure).tries && isInTime ? pauseMs : undefined;
	}

	/** How long (ms) to wait before the next try. It is random, because all items would otherwise retry at once. */
	backoff(): number {
		const fullMs = Math.min(firstRetryPauseMs * 2 ** (this.failedTries.other - 1), maxRetryPauseMs);
		return Math.max(fullMs * (0.5 + Math.random() / 2), this.options.retryOnFail?.pauseMs ?? 0);
	}

	/** A sentence for the error that says how often the call was made; empty if it was made once. */
	get summary(): string {
		const seconds = Math.round((performance.now() - this.startedAt) / 1000);
		const tries = this.failedTries.rateLimited + this.failedTries.other;
		return tries > 1 ? ` It was tried ${tries} times in ${seconds} s.` : '';
	}
}
