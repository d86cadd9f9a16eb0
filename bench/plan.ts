/** Creating so many documents at a service that takes so long for one. */
export interface CreateCell {
	latencyMs: number;
	items: number;
	/** Numbers of parallel requests to try; 1 stands for nodes that send one after another. */
	parallel: number[];
	/** Whether both nodes also do it with fixed values in place of expressions. */
	fixed?: true;
	/** How often each side does it, in turns; the median counts. */
	rounds: number;
}

/** How much is measured; what is absent is left out. */
export interface Plan {
	quick: boolean;
	/**
	 * Documents that each of both nodes creates before anything is measured. A fresh n8n takes half as
	 * much time again for its first few thousand expressions as later on.
	 */
	warmUp: number;
	create: CreateCell[];
	/** Many documents beside few, where the service itself costs little. */
	scale: { latencyMs: number; parallel: number; few: number; many: number; rounds: number };
	rateLimit: { perSecond: number; items: number; latencyMs: number };
	tokens?: { requests: number; parallel: number; latencyMs: number };
	/** `events` in each of the rounds, so many in parallel; `single` ones, one after another. */
	trigger: { rounds: number; events: number; parallel: number; single: number };
	/** Calls with a wrong secret in each of the rounds. */
	refused?: { rounds: number; calls: number; parallel: number };
	/** Lists of so many templates, each asked for so often. */
	editor?: { templates: number[]; rounds: number };
	package?: { rounds: number };
}

/** The whole comparison. */
export const fullPlan: Plan = {
	quick: false,
	warmUp: 2000,
	create: [
		{ latencyMs: 20, items: 100, parallel: [1, 10, 50], rounds: 3 },
		{ latencyMs: 20, items: 1000, parallel: [10, 50], rounds: 3 },
		{ latencyMs: 100, items: 100, parallel: [1, 10, 50], rounds: 1 },
		{ latencyMs: 100, items: 1000, parallel: [10, 50], fixed: true, rounds: 3 },
		{ latencyMs: 100, items: 10_000, parallel: [50], rounds: 1 },
		{ latencyMs: 500, items: 100, parallel: [10, 50], rounds: 1 },
		{ latencyMs: 500, items: 1000, parallel: [50], rounds: 1 },
	],
	scale: { latencyMs: 20, parallel: 50, few: 1000, many: 10_000, rounds: 3 },
	rateLimit: { perSecond: 50, items: 500, latencyMs: 20 },
	tokens: { requests: 1000, parallel: 10, latencyMs: 100 },
	trigger: { rounds: 11, events: 100, parallel: 20, single: 40 },
	refused: { rounds: 5, calls: 200, parallel: 20 },
	editor: { templates: [10, 1000, 5000], rounds: 5 },
	package: { rounds: 9 },
};

/** What the floors need, and no more. */
export const quickPlan: Plan = {
	quick: true,
	warmUp: 2000,
	create: [
		{ latencyMs: 100, items: 500, parallel: [10, 50], fixed: true, rounds: 3 },
		{ latencyMs: 100, items: 40, parallel: [1], rounds: 1 },
	],
	scale: { latencyMs: 20, parallel: 50, few: 1000, many: 10_000, rounds: 1 },
	rateLimit: { perSecond: 50, items: 200, latencyMs: 20 },
	trigger: { rounds: 11, events: 100, parallel: 20, single: 10 },
};
