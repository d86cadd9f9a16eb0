/** How many documents, events and rounds each measurement covers. */
export interface Plan {
	quick: boolean;
	/**
	 * `warmUp`: the documents that both nodes create before the measurement, because the first few thousand
	 * expressions of a fresh n8n take 50% longer than later ones. `items`: the documents that each client
	 * creates in each round. `sequential`: the documents that are created one after another.
	 */
	create: { warmUp: number; items: number; sequential: number; rounds: number };
	/** The numbers of documents to compare. */
	scale: { few: number; many: number; rounds: number };
	/** The documents to create while the service limits the calls per second. */
	rateLimit: { perSecond: number; items: number };
	/** The documents to create while the number of token exchanges is counted. */
	tokens: { items: number };
	/** The number of events in each round. */
	trigger: { rounds: number; events: number };
}

/** The plan that measures everything. */
export const fullPlan: Plan = {
	quick: false,
	create: { warmUp: 2000, items: 1000, sequential: 100, rounds: 3 },
	scale: { few: 1000, many: 10_000, rounds: 3 },
	rateLimit: { perSecond: 50, items: 500 },
	tokens: { items: 1000 },
	trigger: { rounds: 11, events: 100 },
};

/** The plan that measures only the ratios with a limit. */
export const quickPlan: Plan = {
	quick: true,
	create: { warmUp: 2000, items: 500, sequential: 40, rounds: 3 },
	scale: { few: 1000, many: 10_000, rounds: 1 },
	rateLimit: { perSecond: 50, items: 200 },
	tokens: { items: 200 },
	trigger: { rounds: 11, events: 100 },
};
