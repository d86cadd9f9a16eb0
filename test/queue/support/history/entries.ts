/**
 * What a history of queue mode consists of. Every entry is something that somebody outside n8n has
 * done or seen, with the moment in epoch milliseconds.
 */
export type Entry =
	| PlanEntry
	| CallEntry
	| SendEntry
	| AnswerEntry
	| RetryEntry
	| StartedEntry
	| FinishedEntry
	| OutputEntry
	| KillEntry
	| DownEntry
	| UpEntry
	| DocumentEntry
	| WaitEntry
	| WaitingEntry
	| CompletedEntry
	| DeliveryEntry
	| ContinuedEntry
	| RegisteredEntry
	| RemovedEntry;

interface Timed {
	at: number;
}

/** How the history can be made again. */
export interface PlanEntry extends Timed {
	type: 'plan';
	seed: number;
}

/** Invocation: n8n is called over HTTP. An event that is delivered again is another call. */
export interface CallEntry extends Timed {
	type: 'call';
	/** Different for every call, and part of what the execution gets. */
	call: string;
	/** The event that is delivered, where it is one. */
	event?: string;
	/** Whether the event lacks the secret. */
	forged?: true;
}

/** Invocation: a call asks for a document to be sent, under a Send Once Key. */
export interface SendEntry extends Timed {
	type: 'send';
	call: string;
	key: string;
}

/** Result: what the caller was answered. */
export interface AnswerEntry extends Timed {
	type: 'answer';
	call: string;
	/** The HTTP status, or why there was none. */
	status: number | string;
}

/** Invocation: "Retry" in the list of executions. */
export interface RetryEntry extends Timed {
	type: 'retry';
	execution: string;
}

/** Result: n8n has an execution. */
export interface StartedEntry extends Timed {
	type: 'started';
	execution: string;
	/** The call whose data it holds; empty when it holds none any more. */
	call: string;
	/** The execution that it is a "Retry" of. */
	retryOf?: string;
}

/** Result: an execution has ended; where it failed, `at` is when that was seen. */
export interface FinishedEntry extends Timed {
	type: 'finished';
	execution: string;
	/** n8n's own word. */
	status: string;
}

/** Result: what the sending node gave out for a key. */
export interface OutputEntry extends Timed {
	type: 'output';
	execution: string;
	key: string;
	result: 'created' | 'skipped' | 'mayHaveBeenCreated' | 'failed';
	/** The document, where the output names one. */
	document?: string;
	/** The words of an error. */
	message?: string;
}

/** Crash: the plan ends a part of n8n. */
export interface KillEntry extends Timed {
	type: 'kill';
	target: string;
	downMs: number;
}

/** What a part of n8n is for. */
export type Role = 'main' | 'webhook' | 'worker' | 'store';

/** Crash: a part of n8n has ended, by a kill or by itself. */
export interface DownEntry extends Timed {
	type: 'down';
	target: string;
	role: Role;
}

/** Restart: it is ready again. */
export interface UpEntry extends Timed {
	type: 'up';
	target: string;
}

/** What the service holds at the end; `at` is when it was created. */
export interface DocumentEntry extends Timed {
	type: 'document';
	document: string;
	key: string;
}

/** Invocation: a call asks for a document to be sent, and for its execution to wait for it. */
export interface WaitEntry extends Timed {
	type: 'wait';
	call: string;
	/** Different for every item of every call. */
	key: string;
	/** Absent where it waits forever. */
	limitMs?: number;
}

/** Result: n8n shows that an execution waits. Noted when it begins, as far as that was seen. */
export interface WaitingEntry extends Timed {
	type: 'waiting';
	execution: string;
}

/** Invocation: the last signatory signs a document. */
export interface CompletedEntry extends Timed {
	type: 'completed';
	document: string;
}

/** The service delivers the event of a completed document to a registration, and is answered. */
export interface DeliveryEntry extends Timed {
	type: 'delivery';
	registration: string;
	document: string;
	answeredAt: number;
	/** The HTTP status, or why there was none. */
	status: number | string;
}

/** Result: the node behind the waiting node gets an item, and says so. */
export interface ContinuedEntry extends Timed {
	type: 'continued';
	execution: string;
	key: string;
	/** The document that the item names. */
	document: string;
	result: 'completed' | 'timedOut';
}

/** Result: the service has the registration of a wait. */
export interface RegisteredEntry extends Timed {
	type: 'registered';
	registration: string;
	/** The execution whose URL it is. */
	execution: string;
}

/** Result: the service has it no longer; `at` is when that was seen. */
export interface RemovedEntry extends Timed {
	type: 'removed';
	registration: string;
}
