import { delay } from '../util/async';

/** First pause (ms) after a 429 without Retry-After. */
export const firstPause = 250;
/** Consecutive refusals after which the pause doubles: most services count the calls of one second. */
export const refusalsToDouble = 4;
export const maxPause = 30_000;

/** The longest Retry-After that is obeyed (ms). */
export const maxRetryAfter = 60_000;

/**
 * Limits the rate at which a process calls an account. If the credential has a number of requests
 * per second, the calls are evenly spaced. If the service says "too many", the calls of all items pause
 * together, because items that wait separately only reach the limit again.
 */
export class RateLimiter {
	private nextSlot = 0;

	private pausedUntil = 0;

	/** Pauses without a success in between. */
	private consecutive = 0;

	/**
	 * Waits until this call may be sent.
	 * @param perSecond Calls per second; 0 means no spacing.
	 * @param maxWait Milliseconds after which it is sent in any case.
	 * @returns false if the execution was cancelled meanwhile.
	 */
	async acquire(perSecond: number, maxWait = Infinity, signal?: AbortSignal): Promise<boolean> {
		const latest = Date.now() + maxWait;
		do {
			const now = Date.now();
			const at = Math.max(now, this.pausedUntil, this.nextSlot);
			if (perSecond > 0) this.nextSlot = at + 1000 / perSecond;
			if (!(await delay(Math.min(at, latest) - now, signal))) return false;
		} while (Date.now() < Math.min(this.pausedUntil, latest));
		return true;
	}

	/**
	 * Pauses all calls after an answer of 429.
	 * @param retryAfter In ms. It is ignored if it is shorter than the first pause, because calls without
	 * a pause have reached the limit.
	 * @returns For how long (ms).
	 */
	pause(retryAfter = 0): number {
		const now = Date.now();
		// Refusals that arrive during a pause belong to the same limit.
		const isNew = now >= this.pausedUntil;
		if (isNew) this.consecutive++;
		// Whole milliseconds, as timers have: one that ends a fraction early would find calls still paused.
		if (retryAfter >= firstPause) {
			const asked = Math.ceil(Math.min(retryAfter, maxRetryAfter));
			this.pausedUntil = Math.max(this.pausedUntil, now + asked);
		} else if (isNew) {
			const doublings = Math.max(this.consecutive - refusalsToDouble, 0);
			const full = Math.min(firstPause * 2 ** doublings, maxPause);
			this.pausedUntil = now + Math.ceil(full * (0.5 + Math.random() / 2));
		}
		return this.pausedUntil - now;
	}

	/** A call succeeded. */
	onSuccess(): void {
		this.consecutive = 0;
	}
}

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now; undefined if it is missing, not readable, or over.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	const isNumber = text !== '' && Number.isFinite(seconds);
	const wait = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
	return wait > 0 ? wait : undefined;
}
