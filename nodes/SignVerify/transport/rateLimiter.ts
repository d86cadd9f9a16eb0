import { delay } from '../util/async';

/** First wait (ms) after a 429 that does not say how long. */
const firstBackOff = 250;
/** Limits in a row after which the wait doubles: most services count the calls of one second. */
const limitsToDouble = 4;
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

/** How long (ms) calls are counted before a limit teaches anything. */
const period = 1000;
/** Spacing (ms) that the first limit teaches at the most, and by how much the next one adds: one count may be bad. */
const firstSpacing = 25;
const mostGrowth = 4 / 3;
/** By how much the calls become faster each second: other runs that took a part come to an end. */
const recovery = 1.05;

/**
 * Limits the rate at which an execution calls the service: evenly spaced where the user set a number of
 * requests per second, and halted for all items together when the service says "too many", since
 * ten items that wait each for itself only run into the limit again. While the service goes on to
 * refuse, one call goes ahead as a probe, since all of them together would only be refused together.
 * After that the calls are spaced as the service had let them through, unless it says with Retry-After
 * when to come back.
 */
export class RateLimiter {
	private readonly spacing: number;

	/** Milliseconds between two calls, as the last limit taught. */
	private learned = 0;

	/** When that was, or the beginning. */
	private since = Date.now();

	/** Calls that got through since then. */
	private passed = 0;

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
			const spacing = Math.max(this.spacing, this.learnedAt(now));
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
		if (isNew) this.consecutiveLimits++;
		// Whole milliseconds, as timers count: one that rings a fraction early would find calls still blocked.
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

	/** A call got through. */
	onSuccess(): void {
		this.consecutiveLimits = 0;
		this.passed++;
	}

	/** Learns how far apart the calls since the last limit got through. */
	private learn(now: number): void {
		// Limits that follow each other tell of the same one.
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
