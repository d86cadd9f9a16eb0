/** How much is measured. */
export interface Plan {
	quick: boolean;
	/**
	 * `warmUp`: documents that each of both nodes creates before anything is measured, because a fresh
	 * n8n takes half as much time again for its first few thousand expressions as later on. `items`:
	 * documents that each side creates in each of the rounds. `sequential`: those one after another.
	 */
	create: { warmUp: number; items: number; sequential: number; rounds: number };
	/** Many documents beside few. */
	scale: { few: number; many: number; rounds: number };
	/** Documents to create at a service that accepts so many calls a second. */
	rateLimit: { perSecond: number; items: number };
	/** Documents to create while access tokens are exchanged. */
	tokens: { items: number };
	/** Events in each of the rounds. */
	trigger: { rounds: number; events: number };
}

/** The whole comparison. */
export const fullPlan: Plan = {
	quick: false,
	create: { warmUp: 2000, items: 1000, sequential: 100, rounds: 3 },
	scale: { few: 1000, many: 10_000, rounds: 3 },
	rateLimit: { perSecond: 50, items: 500 },
	tokens: { items: 1000 },
	trigger: { rounds: 11, events: 100 },
};

/** What the floors need, and no more. */
export const quickPlan: Plan = {
	quick: true,
	create: { warmUp: 2000, items: 500, sequential: 40, rounds: 3 },
	scale: { few: 1000, many: 10_000, rounds: 1 },
	rateLimit: { perSecond: 50, items: 200 },
	tokens: { items: 200 },
	trigger: { rounds: 11, events: 100 },
};
