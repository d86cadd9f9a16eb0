/** How many documents, events and rounds each measurement uses. */
export interface Plan {
	quick: boolean;
	/**
	 * `warmUp`: how many documents each node creates before the measurement, because a fresh n8n takes 50%
	 * longer to evaluate its first few thousand expressions than later ones. `items`: how many documents each
	 * client creates per round. `sequential`: how many documents are created one after another.
	 */
	create: { warmUp: number; items: number; sequential: number; rounds: number };
	/**
	 * How many documents each node creates as a warm-up and in each round, while n8n's processor time is
	 * measured. `instantItems` are those at the service that repeats a response, where a document takes less time.
	 */
	processor: { warmUp: number; items: number; instantItems: number; rounds: number };
	/** How many documents each of the lists has that are checked at the same time. */
	lists: { items: number };
	/** How many documents to create in the small and in the large execution. */
	scale: { few: number; many: number; rounds: number };
	/** How many rows the list has that was sent before. */
	repeats: { rows: number; rounds: number };
	/** How many documents to create while the service limits the calls per second. */
	rateLimit: { perSecond: number; items: number };
	/** How many documents to create while counting token exchanges. */
	tokens: { items: number };
	/** How many events to send in each round. */
	trigger: { rounds: number; events: number };
}

export const fullPlan: Plan = {
	quick: false,
	create: { warmUp: 2000, items: 500, sequential: 40, rounds: 3 },
	processor: { warmUp: 2000, items: 600, instantItems: 2000, rounds: 5 },
	lists: { items: 500 },
	scale: { few: 1000, many: 10_000, rounds: 3 },
	repeats: { rows: 600, rounds: 5 },
	rateLimit: { perSecond: 50, items: 500 },
	tokens: { items: 1000 },
	trigger: { rounds: 11, events: 100 },
};

/** The plan that measures only the ratios with a threshold. */
export const quickPlan: Plan = {
	quick: true,
	create: { warmUp: 2000, items: 500, sequential: 40, rounds: 3 },
	processor: { warmUp: 2000, items: 600, instantItems: 2000, rounds: 5 },
	lists: { items: 500 },
	scale: { few: 1000, many: 10_000, rounds: 1 },
	repeats: { rows: 600, rounds: 5 },
	rateLimit: { perSecond: 50, items: 200 },
	tokens: { items: 200 },
	trigger: { rounds: 11, events: 100 },
};
