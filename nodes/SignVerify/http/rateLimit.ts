import { delay } from '../util/async';

/** The first pause (ms) after a 429 without Retry-After. */
export const firstPauseMs = 250;
/** The pause doubles after this many refusals in a row, because most services count the calls of one second. */
export const refusalsToDouble = 4;
export const maxPauseMs = 30_000;

/**
 * The longest Retry-After that calls respect (ms). After that, one call tries again, because a service can lift its limit
 * before the time that it announced.
 */
export const maxRetryAfterMs = 3_600_000;

/** How long (ms) the other calls wait for the response to the first call after a pause. */
const maxProbeMs = 5000;

/** How many calls in a row may overtake the call that has waited longest, because they must be sent sooner. */
const maxOvertakes = 4;

/** A call that may be sent. */
export interface Turn {
	/** The number of pauses before this turn. */
	readonly pauseCount: number;
	/** Aborted when the call has ended. */
	readonly ended: AbortController;
}

/** A call that waits for its turn. */
interface WaitingCall {
	readonly perSecond: number;
	readonly deadline: number;
	/** Ends the waiting, with a turn or without one. */
	readonly endWaiting: (turn: Turn | undefined) => void;
}

/**
 * Limits the rate at which this process calls an account. If the credential sets a number of requests per second, the
 * calls are evenly spaced. If the service says "too many", the calls of all items pause together, because items that wait
 * separately would only reach the limit again. After the pause, one call goes first, and the response to it decides about
 * the others.
 *
 * All moments are times of `performance.now()`, because the clock of a machine can be set back.
 */
export class RateLimiter {
	/** The waiting calls, in the order in which they came. */
	private readonly waiting: WaitingCall[] = [];

	private isServing = false;

	/** Aborted when the last waiting call has left. */
	private idle = new AbortController();

	/** How many calls have overtaken the call that has waited longest. */
	private overtakes = 0;

	/** The moment until which "Requests per Second" holds up the next call. */
	private spacedUntil = 0;

	/** The moment until which all calls pause after "too many requests". */
	private pausedUntil = 0;

	/** The moment at which the service wants to be called again. */
	private askedUntil = 0;

	/** The number of pauses so far. */
	private pauseCount = 0;

	/** The number of pauses in a row, without another response in between. */
	private pausesInARow = 0;

	/** Whether the last response was "too many requests". */
	get isLimited(): boolean {
		return this.pausesInARow > 0;
	}

	/** How long (ms) the calls of the account still pause. */
	get remainingPauseMs(): number {
		return Math.max(0, this.pausedUntil - performance.now());
	}

	/** How long (ms) the service still accepts no calls, as it said. This can be longer than the pause of the calls. */
	get askedPauseMs(): number {
		return Math.max(0, this.askedUntil - performance.now());
	}

	/**
	 * Waits until this call may be sent. The caller must report the end of the call to {@link end}. Of several waiting
	 * calls, the one with the earliest deadline goes first, because the sender of an event waits for seconds, and an
	 * execution for minutes. At least every fifth turn goes to the call that has waited longest.
	 * @param perSecond Calls per second; 0 means no spacing.
	 * @param deadline The moment after which the call must not be sent.
	 * @returns undefined if the call must not be sent, because the deadline has passed or the execution was cancelled.
	 */
	async acquire(
		perSecond: number,
		deadline: number,
		cancel?: AbortSignal,
	): Promise<Turn | undefined> {
		const late = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())));
		// Listen to a derived signal, for the reason given in delay().
		const signal = AbortSignal.any(cancel ? [cancel, late] : [late]);
		if (cancel?.aborted || !this.canBeInTime({ deadline })) return undefined;
		return await new Promise((resolve) => {
			const leave = () => call.endWaiting(undefined);
			const call: WaitingCall = {
				perSecond,
				deadline,
				endWaiting: (turn) => {
					signal.removeEventListener('abort', leave);
					this.remove(call);
					resolve(turn);
				},
			};
			signal.addEventListener('abort', leave);
			this.waiting.push(call);
			if (!this.isServing) void this.serve();
		});
	}

	/**
	 * Notes how a call ended. After a 429, all calls pause.
	 * @param status The status of the response; undefined without a response, which says nothing about the limit.
	 * @param retryAfterMs The pause that the service asks for, in ms. A pause shorter than the first pause is ignored,
	 * because calls without a pause have just reached the limit.
	 */
	end(turn: Turn, status: number | undefined, retryAfterMs = 0): void {
		// A call that was sent before the last pause met the limit that caused this pause.
		const isNew = turn.pauseCount === this.pauseCount;
		if (status === 429) this.pause(isNew, retryAfterMs);
		else if (status !== undefined && isNew) this.pausesInARow = 0;
		turn.ended.abort();
	}

	/** Gives the waiting calls their turns, one after another, until no call is waiting. */
	private async serve(): Promise<void> {
		this.isServing = true;
		while (this.waiting.length > 0) {
			this.idle = new AbortController();
			const now = performance.now();
			const turnAt = Math.max(now, this.nextTurn);
			const isAnyoneWaiting = await delay(Math.ceil(turnAt - now), this.idle.signal);
			// A new pause may have begun meanwhile. A timer can end a fraction of a millisecond early, so ignore less than 1 ms.
			const isPaused = this.remainingPauseMs >= 1;
			const call = isAnyoneWaiting && !isPaused ? this.takeNext() : undefined;
			if (!call) continue;
			if (call.perSecond > 0) this.spacedUntil = turnAt + 1000 / call.perSecond;
			const turn = { pauseCount: this.pauseCount, ended: new AbortController() };
			call.endWaiting(turn);
			if (this.isLimited) await delay(maxProbeMs, turn.ended.signal);
		}
		this.isServing = false;
	}

	/** Takes the next call: the one with the earliest deadline, unless too many calls have overtaken the oldest one. */
	private takeNext(): WaitingCall | undefined {
		const [oldest] = this.waiting;
		if (!oldest) return undefined;
		const mostUrgent = this.waiting.reduce((one, other) =>
			other.deadline < one.deadline ? other : one,
		);
		const next = this.overtakes < maxOvertakes ? mostUrgent : oldest;
		this.overtakes = next === oldest ? 0 : this.overtakes + 1;
		return next;
	}

	/** The earliest moment of the next turn, as far as it is known. */
	private get nextTurn(): number {
		return Math.max(this.pausedUntil, this.spacedUntil);
	}

	private canBeInTime({ deadline }: Pick<WaitingCall, 'deadline'>): boolean {
		return this.nextTurn <= Math.max(performance.now(), deadline);
	}

	private remove(call: WaitingCall): void {
		const index = this.waiting.indexOf(call);
		if (index === -1) return;
		this.waiting.splice(index, 1);
		// The next call is now the oldest one, and no other call has overtaken it yet.
		if (index === 0) this.overtakes = 0;
		if (this.waiting.length === 0) this.idle.abort();
	}

	private pause(isNew: boolean, retryAfterMs: number): void {
		const now = performance.now();
		if (isNew) {
			this.pauseCount++;
			this.pausesInARow++;
		}
		if (retryAfterMs >= firstPauseMs) {
			this.askedUntil = Math.max(this.askedUntil, now + retryAfterMs);
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(retryAfterMs, maxRetryAfterMs));
		} else if (isNew) {
			const doublings = Math.max(this.pausesInARow - refusalsToDouble, 0);
			const fullPauseMs = Math.min(firstPauseMs * 2 ** doublings, maxPauseMs);
			this.pausedUntil = now + fullPauseMs * (0.5 + Math.random() / 2);
		}
		for (const call of [...this.waiting]) if (!this.canBeInTime(call)) call.endWaiting(undefined);
	}
}
