/*
 * The time limits (ms) for calls to the service. Each limit includes waiting for a turn, pauses, and all
 * tries. Only a create call can exceed its limit, because cutting it off would leave its outcome unknown.
 */

export const executionCallMs = 5 * 60_000;

/** The time limit for downloading a file in an execution. */
export const executionFileMs = 10 * 60_000;

/** The time limit for a call that loads a list in the editor, where a user is waiting, or before a wait begins. */
export const listCallMs = 10_000;

/**
 * The time limit for a call that handles an event, because the event's sender is waiting for our response.
 */
export const eventCallMs = 5000;
