/** A seed that once found a fault in the nodes. */
export interface Regression {
	seed: number;
	/** What went wrong. */
	fault: string;
}

/**
 * Replayed by `npm run simulate -- --regressions`. A seed stands for the same run only as long as the
 * simulation draws the same things from it, so each fault has a test of its own.
 */
export const regressions: Regression[] = [];
