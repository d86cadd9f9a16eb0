/** The limit of a ratio. */
export interface Floor {
	/** The two things that the ratio compares. */
	what: string;
	atMost?: number;
	atLeast?: number;
}

/** The limits of all ratios, by the names that the measurements use. */
export const floors = {
	create10: {
		what: 'Creating, 100 ms, 10 in parallel: time of this node / of a bare keep-alive client',
		// The time of 500 documents includes the check of all 500 items, because no document is sent before.
		atMost: 1.25,
	},
	// With 50 calls in parallel, the processor is the limit, so the processor time is compared with that of
	// n8n's own node.
	processorExpressions: {
		what: "Creating, three expressions: n8n's processor time with this node / the HTTP Request node",
		atMost: 1.15,
	},
	processorFixed: {
		what: "Creating, fixed values: n8n's processor time with this node / the HTTP Request node",
		atMost: 1.5,
	},
	sequential: {
		what: 'Creating, 100 ms: time for one document, one after another / 10 in parallel',
		atLeast: 8,
	},
	scale: {
		what: 'Time for one document among 10,000 / among 1,000 (20 ms, 50 in parallel)',
		atMost: 1.2,
	},
	memory: {
		what: "n8n's peak memory with 10,000 documents in one execution / with 1,000",
		// This limit is provisional, until a measurement on an idle machine.
		atMost: 1.5,
	},
	rateLimitCreated: { what: 'Rate limit: documents created / asked for, this node', atLeast: 1 },
	rateLimitTwice: { what: 'Rate limit: documents created twice, this node', atMost: 0 },
	tokens: {
		what: 'Token exchanges, however many documents, as long as the token lives: this node',
		atMost: 1,
	},
	trigger: {
		what: 'Genuine events a second: this trigger / the Webhook node, n8n making isolates lazily',
		atLeast: 0.95,
	},
} satisfies Record<string, Floor>;

type FloorName = keyof typeof floors;

/** The measured ratios, by name. */
export type Ratios = Partial<Record<FloorName, number>>;

/** A measured ratio and its limit. */
export interface Verdict {
	what: string;
	value: number;
	/** The limit in words: `≤ 1.25`. */
	floor: string;
	holds: boolean;
}

/** Compares the measured ratios with their limits. */
export function judge(ratios: Ratios): Verdict[] {
	return Object.entries(ratios).map(([name, value]) => {
		const { what, atMost, atLeast }: Floor = floors[name as FloorName];
		const floor = atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
		const holds = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
		return { what, value, floor, holds };
	});
}
