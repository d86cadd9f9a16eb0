import { delay, derivedSignal } from '../util/async';

/** The first pause (ms) after a 429 without a Retry-After header. */
export const firstPauseMs = 250;
/**
 * The pause doubles only after this many refusals in a row. Before that, a short pause is usually enough,
 * because most services count calls per second.
 */
export const refusalsToDouble = 4;
/** The longest pause (ms) after a 429 without a Retry-After header. */
export const maxPauseMs = 30_000;

/**
 * The longest Retry-After (ms) that calls honor. After that time, a single call tries again, because the
 * service may have lifted its limit earlier than announced.
 */
export const maxRetryAfterMs = 3_600_000;

/**
 * After a pause, a single call is sent first. The others wait for its response, but no longer than this (ms).
 */
const maxProbeMs = 5000;

/** Why nothing has to wait any longer. Without a reason, each abort would create an error with a stack. */
const turnIsOver = 'The wait is over';

export interface Turn {
	/** The number of pauses that had begun by the time the call was sent. */
	readonly pauseCount: number;
	/** Aborted when the call ends; undefined if no other call waits for that. */
	readonly callEnd?: AbortController;
}

interface WaitingCall {
	readonly maxRequestsPerSecond: number;
	readonly deadline: number;
	readonly endWaiting: (turn: Turn | undefined) => void;
}

/**
 * Limits the rate at which this process calls an account. If the credential limits the requests per second,
 * the calls are evenly spaced. If the service responds "too many requests", the calls for all items pause
 * together, because items that pause independently would just hit the limit again. After the pause, a single
 * call is sent first. Its response determines whether the other calls follow or pause again.
 *
 * All times are values of `performance.now()`, because the system clock can be set back.
 */
export class RateLimiter {
	private readonly waiting: WaitingCall[] = [];

	private isServing = false;

	/** Aborted when the queue becomes empty. */
	private idle = new AbortController();

	/** The earliest time for the next call according to "Requests per Second". */
	private spacedUntil = 0;

	/** When the pause after "too many requests" ends for all calls. */
	private pausedUntil = 0;

	/** The end of the pause that the service asked for. */
	private askedUntil = 0;

	private pauseCount = 0;

	/** The number of pauses since the last response other than "too many requests". */
	private pausesInARow = 0;

	get isRateLimited(): boolean {
		return this.pausesInARow > 0;
	}

	get remainingPauseMs(): number {
		return Math.max(0, this.pausedUntil - performance.now());
	}

	/**
	 * How much longer (ms) the service says that it won't accept calls. This can be longer than
	 * {@link remainingPauseMs}, because calls pause for at most an hour.
	 */
	get askedPauseMs(): number {
		return Math.max(0, this.askedUntil - performance.now());
	}

	/**
	 * Waits until this call may be sent. The caller must call {@link end} when the call is over.
	 *
	 * The waiting call with the earliest deadline goes first, because an event's sender waits only a few
	 * seconds for our response, whereas an execution can wait for minutes.
	 * @param maxRequestsPerSecond 0 means no spacing.
	 * @param deadline The time after which the call must not be sent.
	 * @returns undefined if the call must not be sent, because the deadline has passed or the execution was
	 * canceled.
	 */
	async acquire(
		maxRequestsPerSecond: number,
		deadline: number,
		cancel?: AbortSignal,
	): Promise<Turn | undefined> {
		if (cancel?.aborted) return undefined;
		// Most calls don't have to wait, and signals take a good part of the time that a call takes.
		if (this.isFree) return this.takeTurn(performance.now(), maxRequestsPerSecond);
		const deadlineSignal = AbortSignal.timeout(
			Math.max(0, Math.ceil(deadline - performance.now())),
		);
		// Listen to the deadline's signal directly, because Node 20 garbage-collects a timeout signal that is
		// referenced only by a derived signal, and the call would wait past its deadline.
		const signals = [deadlineSignal, derivedSignal(cancel)].filter(
			(signal) => signal !== undefined,
		);
		if (!this.canBeInTime({ deadline })) return undefined;
		return await new Promise((resolve) => {
			const leave = () => call.endWaiting(undefined);
			const call: WaitingCall = {
				maxRequestsPerSecond,
				deadline,
				endWaiting: (turn) => {
					for (const signal of signals) signal.removeEventListener('abort', leave);
					this.remove(call);
					resolve(turn);
				},
			};
			for (const signal of signals) signal.addEventListener('abort', leave);
			this.waiting.push(call);
			if (!this.isServing) void this.serve();
		});
	}

	/**
	 * Records the end of a call. After a 429, all calls pause.
	 * @param status The response's status; undefined if there was no response, in which case the call reveals
	 * nothing about the limit.
	 * @param retryAfterMs The pause that the service asks for, in ms. A value below {@link firstPauseMs} is
	 * ignored, because calls that hardly pause would immediately hit the limit again.
	 */
	end(turn: Turn, status: number | undefined, retryAfterMs = 0): void {
		// If this call was sent before the last pause began, it hit the limit that caused that pause, so
		// don't count its refusal as a new one.
		const isNew = turn.pauseCount === this.pauseCount;
		if (status === 429) this.pause(isNew, retryAfterMs);
		else if (status !== undefined && isNew) this.endPauses();
		turn.callEnd?.abort(turnIsOver);
	}

	/** Whether a call gets its turn without waiting. While any call waits, {@link serve} decides whose turn it is. */
	private get isFree(): boolean {
		return !this.isServing && !this.isRateLimited && this.nextTurn <= performance.now();
	}

	private takeTurn(at: number, maxRequestsPerSecond: number): Turn {
		if (maxRequestsPerSecond > 0) this.spacedUntil = at + 1000 / maxRequestsPerSecond;
		return {
			pauseCount: this.pauseCount,
			...(this.isRateLimited ? { callEnd: new AbortController() } : {}),
		};
	}

	private async serve(): Promise<void> {
		this.isServing = true;
		while (this.waiting.length > 0) {
			this.idle = new AbortController();
			const now = performance.now();
			const turnAt = Math.max(now, this.nextTurn);
			const isAnyoneWaiting = await delay(Math.ceil(turnAt - now), this.idle.signal);
			// A new pause may have begun during the delay. A remainder of less than 1 ms doesn't count as a
			// pause, because timers can fire slightly early.
			const isPaused = this.remainingPauseMs >= 1;
			const call = isAnyoneWaiting && !isPaused ? this.mostUrgent : undefined;
			if (!call) continue;
			const turn = this.takeTurn(turnAt, call.maxRequestsPerSecond);
			call.endWaiting(turn);
			if (turn.callEnd) await delay(maxProbeMs, turn.callEnd.signal);
		}
		this.isServing = false;
	}

	private get mostUrgent(): WaitingCall | undefined {
		const [oldest] = this.waiting;
		return (
			oldest && this.waiting.reduce((one, other) => (other.deadline < one.deadline ? other : one))
		);
	}

	/** The earliest time at which the next call may be sent, unless a new pause begins. */
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
		if (this.waiting.length === 0) this.idle.abort(turnIsOver);
	}

	/** Records that the service accepts calls again, perhaps earlier than it had announced. */
	private endPauses(): void {
		this.pausesInARow = 0;
		this.askedUntil = 0;
	}

	private pause(isNew: boolean, retryAfterMs: number): void {
		const now = performance.now();
		const isAsked = retryAfterMs >= firstPauseMs;
		// Always count a pause requested by the service as a new one. Otherwise, responses to calls already
		// in flight could end or shorten it.
		if (isNew || isAsked) this.pauseCount++;
		// Refusals in a row belong together only if little time passes between them.
		if (now - this.pausedUntil > maxPauseMs) this.pausesInARow = 0;
		if (isNew) this.pausesInARow++;
		else if (isAsked) this.pausesInARow = Math.max(this.pausesInARow, 1);
		if (isAsked) {
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
