/*
 * The time limits (ms) for calls to the service. Each limit includes waiting for a turn, pauses, and all
 * attempts. Only a create call can exceed its limit, because cutting it off would leave its outcome unknown.
 */

/** The time limit for a call in an execution. */
export const executionCallMs = 5 * 60_000;

/**
 * The time limit for a call that registers or removes a trigger's webhooks. With the lowest allowed Requests
 * per Second, the last call waits half a minute for its turn.
 */
export const publishingCallMs = 45_000;

/** The time limit for a call that loads a list in the editor, where a user is waiting. */
export const listCallMs = 10_000;

/**
 * The time limit for a call that handles an event, because the event's sender is waiting for our response.
 */
export const eventCallMs = 5000;

/**
 * The time limit for looking up the roles for an event. Delivering an event without roles is better than
 * losing it.
 */
export const eventRolesMs = 3000;

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
