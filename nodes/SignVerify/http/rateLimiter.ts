import { delay } from '../util/async';

/** First wait (ms) after a 429 without Retry-After. */
const firstBackOff = 250;
/** Consecutive limits after which the wait doubles: most services count the calls of one second. */
const limitsToDouble = 4;
const longestBackOff = 30_000;

/** The longest Retry-After that is obeyed (ms). */
const longestAsked = 60_000;

/**
 * From this many consecutive limits on, one call at a time is sent as a probe. After a single limit,
 * the calls mostly succeed, and then none should wait for another.
 */
const limitsToProbe = 2;

/** How long (ms) the other calls wait for the answer to a probe before the next one is sent. */
const probeInterval = 250;

/** How long (ms) calls are counted before the limiter learns from a limit. */
const period = 1000;
/** The most spacing (ms) after the first limit, and its growth at the next: one count may be wrong. */
const firstSpacing = 25;
const mostGrowth = 4 / 3;
/** How much faster the calls become each second, because other runs that share the limit end. */
const recovery = 1.05;

/**
 * Limits the rate at which an execution calls the service. If the user set a number of requests per
 * second, the calls are evenly spaced. If the service says "too many", the calls of all items stop
 * together, because items that wait separately only reach the limit again. While the service still
 * refuses, only probes are sent. After that, the calls are spaced as the service accepted them before,
 * unless it sends Retry-After.
 */
export class RateLimiter {
	private readonly spacing: number;

	/** Milliseconds between two calls, learned from the last limit. */
	private learned = 0;

	/** When that limit was; before the first one, when the execution began. */
	private since = Date.now();

	/** Calls that succeeded since then. */
	private passed = 0;

	/** How long (ms) the limits of the service have halted the calls. */
	halted = 0;

	private nextSlot = 0;

	private blockedUntil = 0;

	/** Limits without a success in between. */
	private consecutiveLimits = 0;

	/** @param perSecond Requests per second; 0 means no spacing. */
	constructor(perSecond = 0) {
		this.spacing = perSecond > 0 ? 1000 / perSecond : 0;
	}

	/**
	 * Waits until this call may be sent.
	 * @param until From when on (ms) the call does not wait for probes: it is then sent as its last try.
	 * @returns false if the execution was cancelled meanwhile.
	 */
	async acquire(signal?: AbortSignal, until = Infinity): Promise<boolean> {
		for (;;) {
			const now = Date.now();
			const at = Math.max(now, this.blockedUntil, this.nextSlot);
			const spacing = Math.max(this.spacing, this.learnedAt(now));
			const probing = this.consecutiveLimits >= limitsToProbe && at < until;
			// A call that waits for a probe reserves no slot: the first one to wake up is the next probe.
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
	 * Stops all calls after an answer of 429.
	 * @param asked Retry-After in ms. It is ignored if it is shorter than the first wait, because calls
	 * without a pause have reached the limit.
	 * @returns For how long (ms).
	 */
	backOff(asked?: number): number {
		const now = Date.now();
		// Refusals that arrive while all calls wait belong to the same limit.
		const before = Math.max(now, this.blockedUntil);
		const isNew = now >= this.blockedUntil;
		if (isNew) this.consecutiveLimits++;
		// Whole milliseconds, as timers have: one that ends a fraction early would find calls still blocked.
		if (asked !== undefined && asked >= firstBackOff) {
			const wait = Math.ceil(Math.min(asked, longestAsked));
			this.blockedUntil = Math.max(this.blockedUntil, now + wait);
		} else if (isNew) {
			this.learn(now);
			const doublings = Math.max(this.consecutiveLimits - limitsToDouble, 0);
			const full = Math.min(firstBackOff * 2 ** doublings, longestBackOff);
			this.blockedUntil = now + Math.ceil(full * (0.5 + Math.random() / 2));
		}
		this.halted += Math.max(this.blockedUntil - before, 0);
		return this.blockedUntil - now;
	}

	/** A call succeeded. */
	onSuccess(): void {
		this.consecutiveLimits = 0;
		this.passed++;
	}

	/** Learns how far apart the successful calls since the last limit were. */
	private learn(now: number): void {
		// Limits without calls in between are the same one.
		if (this.passed === 0 || now - this.since < period) return;
		const mean = (now - this.since) / this.passed;
		this.learned = Math.min(mean, Math.max(mostGrowth * this.learnedAt(now), firstSpacing));
		this.since = now;
		this.passed = 0;
	}

	private learnedAt(now: number): number {
		return this.learned / recovery ** ((now - this.since) / 1000);
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
