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
