import { delay } from '../util/async';
import { ObservedRate } from './observedRate';

/** First wait (ms) after a 429 that does not say how long; doubled while nothing gets through. */
const firstBackOff = 250;
const longestBackOff = 30_000;

/** What a service may ask for with Retry-After at the most (ms). */
const longestAsked = 60_000;

/**
 * From this many limits in a row on, one call at a time goes ahead as a probe. The first one often is
 * all that it takes, and then nobody should wait for anybody.
 */
const limitsToProbe = 2;

/** How long (ms) the others wait for the answer to a probe before the next one goes ahead. */
const probeInterval = 250;

/**
 * Limits the rate at which an execution calls the service: evenly spaced where the user set a number of
 * requests per second, and halted for all items together when the service says "too many", since
 * ten items that wait each for itself only run into the limit again. While the service goes on to
 * refuse, one call goes ahead as a probe, since all of them together would only be refused together.
 * After that it keeps just below what the service had let through.
 */
export class RateLimiter {
	private readonly spacing: number;

	private readonly rate = new ObservedRate();

	/** How long (ms) the limits of the service have halted the calls. */
	halted = 0;

	private nextSlot = 0;

	private blockedUntil = 0;

	/** Holds in a row after which nothing got through. */
	private consecutiveLimits = 0;

	/** @param perSecond Requests per second; absent or 0 means no spacing. */
	constructor(perSecond = 0) {
		this.spacing = perSecond > 0 ? 1000 / perSecond : 0;
	}

	/**
	 * Waits until this call may go out.
	 * @param until When (ms) the call no longer waits for probes: then it goes out as its last try.
	 * @returns false when the execution was cancelled meanwhile.
	 */
	async acquire(signal?: AbortSignal, until = Infinity): Promise<boolean> {
		for (;;) {
			const now = Date.now();
			const at = Math.max(now, this.blockedUntil, this.nextSlot);
			const spacing = Math.max(this.spacing, this.rate.spacing(now));
			const probing = this.consecutiveLimits >= limitsToProbe && at < until;
			// Who waits for a probe takes no slot: the next one to go ahead is the first to wake up.
			if (spacing && !probing) this.nextSlot = at + spacing;
			if (!(await delay(at - now, signal))) return false;
			if (Date.now() < this.blockedUntil) continue;
			if (!probing) return true;
			const isOver = this.consecutiveLimits < limitsToProbe;
			const isTaken = this.nextSlot > at;
			if (isOver || isTaken) continue;
			this.nextSlot = Date.now() + Math.max(spacing, probeInterval);
			return true;
		}
	}

	/**
	 * Halts all calls after an answer of 429.
	 * @param asked What Retry-After asks for, in ms. Less than the first wait counts as nothing: to
	 * come back at once is what ran into the limit.
	 * @returns How long (ms) from now.
	 */
	backOff(asked?: number): number {
		const now = Date.now();
		// Refusals that come in while all wait belong to the same storm.
		const before = Math.max(now, this.blockedUntil);
		const isNew = now >= this.blockedUntil;
		if (isNew) {
			this.rate.onLimit(now);
			this.consecutiveLimits++;
		}
		// Whole milliseconds, as timers count: one that rings a fraction early would find calls still blocked.
		if (asked !== undefined && asked >= firstBackOff) {
			const wait = Math.ceil(Math.min(asked, longestAsked));
			this.blockedUntil = Math.max(this.blockedUntil, now + wait);
		} else if (isNew) {
			const full = Math.min(firstBackOff * 2 ** (this.consecutiveLimits - 1), longestBackOff);
			this.blockedUntil = now + Math.ceil(full * (0.5 + Math.random() / 2));
		}
		this.halted += Math.max(this.blockedUntil - before, 0);
		return this.blockedUntil - now;
	}

	/** A call got through. */
	onSuccess(): void {
		this.consecutiveLimits = 0;
		this.rate.onSuccess(Date.now());
	}
}

/**
 * Reads a Retry-After header: seconds, or a date.
 * @returns Milliseconds from now, undefined where there is none, it cannot be read, or it is over.
 */
export function readRetryAfter(value: unknown): number | undefined {
	const text: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof text !== 'string' && typeof text !== 'number') return undefined;
	const seconds = Number(text);
	const isNumber = text !== '' && Number.isFinite(seconds);
	const wait = isNumber ? seconds * 1000 : Date.parse(String(text)) - Date.now();
	return wait > 0 ? wait : undefined;
}
