/** A seed that once found a fault in the nodes. */
export interface Regression {
	seed: number;
	/** What went wrong. */
	fault: string;
}

/**
 * Replayed by `npm run simulate -- --regressions`. A seed stands for the same run only as long as the
 * simulation draws the same things from it: so each fault has a test of its own. Those that a search of
 * 10,000 seeds finds are planted, too (planted.ts).
 */
export const regressions: Regression[] = [
	{
		seed: 178,
		fault:
			'A trigger believed in an identity registration that it had deleted, since the list that follows failed.',
	},
	{
		seed: 2227,
		fault: 'The secret of a wait stood among the items that n8n passes on when a wait is retried.',
	},
	{
		seed: 440_367_862,
		fault: 'A wait that was stopped and retried registered for no event.',
	},
	{
		seed: 263,
		fault:
			'A loop that was stopped while it waited, and retried with the saved workflow, passed on its items unsent.',
	},
	{
		seed: 452_309_669,
		fault:
			'Of several items that waited for one verification, one whose look-up failed was left out, and the event was not asked for again.',
	},
	{
		seed: 414_939_388,
		fault:
			'After another process had stored an older state over noted events, a process refused the same events for ever.',
	},
];
