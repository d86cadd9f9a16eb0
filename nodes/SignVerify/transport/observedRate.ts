/** What is counted to learn a rate (ms). */
const period = 1000;
/** How much of what was seen to pass is asked for: the rest is room for calls that bunch up. */
const share = 0.9;
/** By how much the rate grows each second, at first and once it has held for so many seconds. */
const growth = { first: 1.005, later: 1.05, from: 20 };
/** How much of a rate is left at the least when it is learned again: one count may be a bad one. */
const floor = 0.75;
/** A slower rate (calls per second) than this is left to the service's refusals. */
const slowest = 1;

/**
 * The rate that a service turned out to allow: as many calls as passed in a second before it said
 * "too many". Calls spaced so keep just below the limit, where calls made as fast as they come run
 * into it again and again and wait longer than they need.
 */
export class ObservedRate {
	/** When calls passed within the last period, oldest first. */
	private passes: number[] = [];

	private firstPass = Infinity;

	private observed: { rate: number; at: number } | undefined;

	/** A call got through. */
	onSuccess(now: number): void {
		this.firstPass = Math.min(this.firstPass, now);
		this.passes.push(now);
		// Counted back from the last pass, not from now: a refusal may be read late.
		const kept = this.passes.findIndex((at) => at > now - period);
		if (kept > 0) this.passes.splice(0, kept);
	}

	/** The service began to say "too many". */
	onLimit(now: number): void {
		// Before a whole period is over, another run may have used up most of what is allowed.
		if (!(now - this.firstPass >= period)) return;
		// Refusals that follow each other tell of the same limit.
		if (this.observed && now - this.observed.at < period) return;
		const least = this.observed ? this.rate(now) * floor : slowest;
		this.observed = { rate: Math.max(this.passes.length * share, least), at: now };
	}

	/** Milliseconds to leave between two calls; 0 where no limit was met. */
	spacing(now: number): number {
		return 1000 / this.rate(now);
	}

	/** Calls per second now. It grows: other runs that took a part of what is allowed come to an end. */
	private rate(now: number): number {
		if (!this.observed) return Infinity;
		const seconds = (now - this.observed.at) / 1000;
		const late = Math.max(seconds - growth.from, 0);
		return this.observed.rate * growth.first ** (seconds - late) * growth.later ** late;
	}
}
