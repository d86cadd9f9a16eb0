import type {
	AnswerEntry,
	CallEntry,
	FinishedEntry,
	OutputEntry,
	SendEntry,
	StartedEntry,
	WaitingEntry,
} from './entries';

/** A call, with all that the history says of it. */
export interface Call {
	begun: CallEntry;
	answer?: AnswerEntry;
	sends: SendEntry[];
	executions: Execution[];
}

/** An execution, with all that the history says of it. */
export interface Execution {
	started: StartedEntry;
	finished?: FinishedEntry;
	outputs: OutputEntry[];
	/** Undefined where it holds no call that was made. */
	call?: Call;
	/** When n8n showed that it waits. */
	waiting: WaitingEntry[];
}
