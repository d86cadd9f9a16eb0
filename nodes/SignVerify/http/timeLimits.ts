/*
 * The time limits (ms) for calls to the service. Each limit includes waiting for a turn, pauses, and all
 * attempts. Only a create call can exceed its limit, because cutting it off would leave its outcome unknown.
 */

/** The time limit for a call in an execution. */
export const executionCallMs = 5 * 60_000;

/** The time limit for a call that loads a list in the editor, where a user is waiting. */
export const listCallMs = 10_000;

/**
 * The time limit for a call that handles an event, because the event's sender is waiting for our response.
 */
export const eventCallMs = 5000;

/**
 * The longest time that a single attempt can take. The attempt may need a token exchange before the call
 * itself, and each can take as long as the credential's Timeout.
 */
export function longestTryMs(timeoutMs: number): number {
	return 2 * timeoutMs;
}

/**
 * How much of a create call's time limit is reserved for its last attempt. No attempt begins during this
 * time, so the call ends within the limit even though its attempts are never cut off. A create call also
 * needs time to wait for its turn, so at most half of the limit is reserved. If an attempt takes longer than
 * that, the call can exceed the limit.
 * @param tryMs How long an attempt may take.
 */
export function reservedMs(limitMs: number, tryMs: number): number {
	return Math.min(tryMs, limitMs / 2);
}

/**
 * The longest time that a create call in an execution can take. This is {@link executionCallMs}, unless the
 * credential's Timeout is longer than 75 seconds.
 */
export function longestCreationMs(timeoutMs: number): number {
	const tryMs = longestTryMs(timeoutMs);
	return executionCallMs - reservedMs(executionCallMs, tryMs) + tryMs;
}

/** How much the service's clock and n8n's clock may differ. */
export const clockToleranceMs = 5 * 60_000;

/**
 * The minimum time between the starts of two waits. With less time in between, the dates of their documents
 * don't show which document belongs to which wait (wait/outcome.ts). Registering the earlier wait's webhook
 * and creating its document take time, so the document can be dated long after the wait began. In addition,
 * the clocks may differ, so the dates of both documents can be off. With a Timeout of 75 seconds or less, the
 * total is 5 + 5 + 5 + 5 = 20 minutes.
 * @param creationMs The longest time that creating the earlier wait's document can take
 * ({@link longestCreationMs}).
 */
export function minGapMs(creationMs: number): number {
	return executionCallMs + creationMs + 2 * clockToleranceMs;
}
