/** The threshold for a measured value: either a maximum or a minimum. */
export interface Threshold {
	what: string;
	atMost?: number;
	atLeast?: number;
	/** Whether the value depends on the machine. It's then judged only if the machine wasn't busy. */
	isAbsolute?: boolean;
}

/**
 * How long the service takes to create a document, in milliseconds. For `scale` that is little, so that the node's own
 * work takes up most of the measured time.
 */
export const latencyMs = { create: 400, scale: 20 };

/** The thresholds, keyed by the names that the measurements use for their values. */
export const thresholds = {
	create10: {
		what: `Time to create a document, 10 in parallel, ${latencyMs.create} ms each: this node / the bare client`,
		// The measured time includes checking all items, because the node checks every item before it sends
		// the first document.
		atMost: 1.25,
	},
	// With 50 calls in parallel and a service that responds at once, the processor is the bottleneck, so the
	// next two ratios compare how much processor time n8n uses with this node and with the HTTP Request node.
	// The thresholds allow for the spread between rounds. test/integration/documentCost.test.ts counts what a document
	// costs on any machine.
	processorExpressions: {
		what: "n8n's processor time for a document with three expressions: this node / the HTTP Request node",
		atMost: 1.1,
	},
	processorFixed: {
		what: "n8n's processor time for a document with fixed values: this node / the HTTP Request node",
		atMost: 1.2,
	},
	// The goals at this service are 1.05 and 1.1.
	processorExpressionsInstant: {
		what: "n8n's processor time for a document with three expressions, at a service that repeats a response: this node / the HTTP Request node",
		atMost: 1.1,
	},
	processorFixedInstant: {
		what: "n8n's processor time for a document with fixed values, at a service that repeats a response: this node / the HTTP Request node",
		atMost: 1.2,
	},
	lists: {
		what: 'Milliseconds until n8n responds to a plain call while it checks ten lists (median)',
		atMost: 50,
		isAbsolute: true,
	},
	repeats: {
		what: 'Milliseconds for a row whose Send Once Key was used before',
		atMost: 5,
		isAbsolute: true,
	},
	sequential: {
		what: `Time to create a document, ${latencyMs.create} ms each: one after another / 10 in parallel`,
		atLeast: 8,
	},
	scale: {
		what: `Time to create a document, 50 in parallel, ${latencyMs.scale} ms each: in a list of 10,000 / of 1,000`,
		atMost: 1.2,
	},
	memory: {
		what: "n8n's peak memory during one execution: 10,000 documents / 1,000 documents",
		// This limit is provisional until the ratio has been measured on an idle machine.
		atMost: 1.5,
	},
	rateLimitCreated: {
		what: 'Documents with a rate-limited service: created / in the list',
		atLeast: 1,
	},
	rateLimitTwice: { what: 'Documents created twice with a rate-limited service', atMost: 0 },
	tokens: {
		what: 'Token exchanges for 1,000 documents, while the token is valid',
		atMost: 1,
	},
	trigger: {
		what: "n8n's processor time for an event, with isolates created lazily: this trigger / the Webhook node",
		atMost: 1.2,
	},
	largestList: {
		what: 'Processor seconds for reading a list of 8 MB',
		atMost: 2,
		isAbsolute: true,
	},
	// n8n has to respond to an event within ten seconds.
	largestEvent: {
		what: 'Processor seconds for the output of an event of 2 MB',
		atMost: 3,
		isAbsolute: true,
	},
	longestNames: {
		what: 'Processor seconds for comparing two names of 300 characters',
		atMost: 0.25,
		isAbsolute: true,
	},
	longestText: {
		what: 'Processor seconds for removing logins from a text of 10,000 characters',
		atMost: 0.25,
		isAbsolute: true,
	},
} satisfies Record<string, Threshold>;

type ThresholdName = keyof typeof thresholds;

export type Ratios = Partial<Record<ThresholdName, number>>;

export interface Measured {
	/** The values that have a threshold. */
	ratios: Ratios;
	/** Whether other programs kept the machine busy while absolute values were measured. */
	isBusy?: boolean;
}

export interface Verdict {
	what: string;
	value: number;
	/** The threshold as text, for example `≤ 1.25` or `≤ 2 (not judged)`. */
	threshold: string;
	/** Whether the value meets its threshold, or isn't judged. */
	holds: boolean;
}

export function judge({ ratios, isBusy = false }: Measured): Verdict[] {
	return Object.entries(ratios).map(([name, value]) => {
		const { what, atMost, atLeast, isAbsolute }: Threshold = thresholds[name as ThresholdName];
		const limit = atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
		if (isAbsolute && isBusy)
			return { what, value, threshold: `${limit} (not judged)`, holds: true };
		const holds = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
		return { what, value, threshold: limit, holds };
	});
}
