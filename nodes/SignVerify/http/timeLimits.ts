/*
 * How long calls to the service may take (ms). Everything counts: waiting for a turn, pauses, and all tries. Only a
 * creation can take longer, because cutting it off would make its document uncertain.
 */

/** The time limit for a call in an execution. */
export const executionCallMs = 5 * 60_000;

/**
 * The time limit for a call that registers or removes a trigger's webhooks. With the lowest Requests per Second, the
 * last call waits half a minute for its turn.
 */
export const publishingCallMs = 45_000;

/** The time limit for a call that loads a list in the editor, where a person is waiting. */
export const listCallMs = 10_000;

/** The time limit for a call that handles an event, because the event's sender is waiting for our response. */
export const eventCallMs = 5000;

/** The time limit for looking up the roles for an event. An event without roles is better than a lost event. */
export const eventRolesMs = 3000;

/**
 * The longest time that a single try can take: an exchange of the token, and then the call. Each of them can take as
 * long as the credential's Timeout.
 */
export function longestTryMs(timeoutMs: number): number {
	return 2 * timeoutMs;
}

/**
 * How much of a creation's time limit is reserved for its last try. No try begins during this time, so the creation ends
 * within the limit although no try is cut off. Create calls also need time to wait for their turn, so at most half of the
 * limit is reserved. If a try takes longer than that, the creation can end after the limit.
 * @param tryMs How long a try may take.
 */
export function reservedMs(limitMs: number, tryMs: number): number {
	return Math.min(tryMs, limitMs / 2);
}

/**
 * The longest time that a creation in an execution can take. This is {@link executionCallMs}, unless the credential's
 * Timeout is longer than 75 seconds.
 */
export function longestCreationMs(timeoutMs: number): number {
	const tryMs = longestTryMs(timeoutMs);
	return executionCallMs - reservedMs(executionCallMs, tryMs) + tryMs;
}

/** How much the service's clock and n8n's clock may differ. */
export const clockToleranceMs = 5 * 60_000;

/**
 * How far apart two waits must begin so that the dates of their documents show which document belongs to which wait.
 * Registering a wait's webhook and creating its document take time, and clocks differ, so a document with any date from
 * this period may belong to the wait (wait/outcome.ts). The date of the other wait's document can be off as well. With a
 * Timeout of up to 75 seconds, all of this adds up to 5 + 5 + 5 + 5 = 20 minutes.
 * @param creationMs The longest time that creating the earlier wait's document could take ({@link longestCreationMs}).
 */
export function minGapMs(creationMs: number): number {
	return executionCallMs + creationMs + 2 * clockToleranceMs;
}
