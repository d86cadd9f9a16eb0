/** How much of n8n's deadline each step of publishing a trigger gets. */
export interface PublishingBudget {
	/** The time (ms) for looking up the filter's templates. */
	lookUpMs: number;
	/** The time (ms) for listing the webhooks and registering the missing ones. */
	registrationMs: number;
	/** The time (ms) for deleting webhooks, either obsolete ones or those of a failed try. */
	cleanUpMs: number;
	/** The lowest limit of Requests per Second with which all calls fit. */
	minRequestsPerSecond: number;
}

/** n8n gives up on publishing a workflow after this time (docs/dev/decisions.md, "n8n's deadline"). @n8n */
export const n8nDeadlineMs = 85_000;

/** The part of n8n's deadline that is left for n8n itself. */
const reserveMs = 5000;

/** How long the service may take to respond. Calls that are made at the same time take only one response. */
export const responseMs = 5000;

/** Other calls to the account may take every fifth turn. */
const turnsPerCall = 5 / 4;

/**
 * Divides n8n's deadline among the steps of publishing a trigger. Each step gets the time for its responses, and at
 * the lowest limit of Requests per Second, the turns of all steps fill the rest of the deadline.
 */
export function publishingBudget(eventCount: number): PublishingBudget {
	const steps = {
		/** The two lists of templates. */
		lookUp: { calls: 2, responses: 1 },
		/** A removal that is still running ends, then the list of webhooks, then one call for each event. */
		registration: { calls: 1 + eventCount, responses: 3 },
		/** The list of webhooks, then one deletion for each event. */
		cleanUp: { calls: 1 + eventCount, responses: 2 },
	};
	const turnsOf = ({ calls }: { calls: number }) => Math.ceil(calls * turnsPerCall);
	const all = Object.values(steps);
	const turns = all.reduce((sum, step) => sum + turnsOf(step), 0);
	const responses = all.reduce((sum, step) => sum + step.responses, 0);
	const turnsMs = n8nDeadlineMs - reserveMs - responses * responseMs;
	const minRequestsPerSecond = Math.ceil((turns / turnsMs) * 100_000) / 100;
	const timeOf = (step: { calls: number; responses: number }) =>
		step.responses * responseMs + Math.floor((turnsOf(step) * 1000) / minRequestsPerSecond);
	return {
		lookUpMs: timeOf(steps.lookUp),
		registrationMs: timeOf(steps.registration),
		cleanUpMs: timeOf(steps.cleanUp),
		minRequestsPerSecond,
	};
}
