/** Repetitions of one call, besides its first try, after any fault but a rate limit. */
export const mostRepetitions = 3;

/** Calls at once for which the allowance lasts at the least, however few the user lets run. */
const fewestCalls = 10;

/** In the long run one repetition for so many calls that work. */
const successesPerRepetition = 5;

/**
 * How many repetitions all calls of an execution may make together. Each repetition takes one, each
 * call that works puts a part back. A short fault is ridden out as if there were no budget: the full
 * allowance lasts for every call that is under way at once. While nothing works it is soon spent, and
 * each call is then made once: a service that is down gets hardly more calls than without repetitions.
 */
export class RetryBudget {
	/** Both in what one call that works puts back. */
	private readonly allowance: number;

	private left: number;

	/** @param parallel How many calls may be under way at once. */
	constructor(parallel = fewestCalls) {
		const repetitions = mostRepetitions * Math.max(parallel, fewestCalls);
		this.allowance = repetitions * successesPerRepetition;
		this.left = this.allowance;
	}

	/** Takes one repetition out of it. Returns false, and takes nothing, when too little is left. */
	spend(): boolean {
		if (this.left < successesPerRepetition) return false;
		this.left -= successesPerRepetition;
		return true;
	}

	/** A call worked. Never more than the allowance is saved up for the next outage. */
	onSuccess(): void {
		this.left = Math.min(this.left + 1, this.allowance);
	}
}

/** For the error of a call that would have been repeated. */
export const budgetSpent =
	' There was no further retry, because many calls of this execution failed.';
