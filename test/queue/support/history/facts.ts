import type { DocumentEntry, DownEntry, Entry, RetryEntry, Role, UpEntry } from './entries';
import { waitFactsOf, type WaitFacts } from './waitFacts';
import { type Call, type Execution } from './factTypes';

/** A time in which a part of n8n was not there. */
export interface Failure {
	target: string;
	role: Role;
	from: number;
	/** Infinity where it never came back. */
	to: number;
	entries: Array<DownEntry | UpEntry>;
}

/** A history, arranged so that rules can be written down. */
export interface Facts {
	calls: Map<string, Call>;
	executions: Map<string, Execution>;
	/** Of Send Once Keys; those of waits are in `waits`. */
	documents: DocumentEntry[];
	waits: WaitFacts;
	failures: Failure[];
	retries: RetryEntry[];
}

/** Arranges a history; the order of its entries does not matter. */
export function factsOf(entries: Entry[]): Facts {
	const of = <Type extends Entry['type']>(type: Type) =>
		entries
			.filter((each): each is Extract<Entry, { type: Type }> => each.type === type)
			.sort((a, b) => a.at - b.at);
	const calls = new Map<string, Call>();
	for (const begun of of('call')) calls.set(begun.call, { begun, sends: [], executions: [] });
	for (const send of of('send')) calls.get(send.call)?.sends.push(send);
	for (const answer of of('answer')) {
		const call = calls.get(answer.call);
		if (call) call.answer = answer;
	}
	const executions = new Map<string, Execution>();
	for (const started of of('started')) {
		const call = calls.get(started.call);
		const execution: Execution = { started, outputs: [], call, waiting: [] };
		executions.set(started.execution, execution);
		call?.executions.push(execution);
	}
	for (const finished of of('finished')) {
		const execution = executions.get(finished.execution);
		if (execution) execution.finished = finished;
	}
	for (const output of of('output')) executions.get(output.execution)?.outputs.push(output);
	for (const waiting of of('waiting')) executions.get(waiting.execution)?.waiting.push(waiting);
	const end = entries.reduce((last, { at }) => Math.max(last, at), 0);
	const waits = waitFactsOf(of, calls, end);
	return {
		...{ calls, executions, waits },
		documents: of('document').filter(({ key }) => !waits.items.has(key)),
		failures: failuresOf(of('down'), of('up')),
		retries: of('retry'),
	};
}

function failuresOf(downs: DownEntry[], ups: UpEntry[]): Failure[] {
	return downs.map((down) => {
		const { target, role, at } = down;
		const up = ups.find((each) => each.target === target && each.at >= at);
		return { target, role, from: at, to: up?.at ?? Infinity, entries: up ? [down, up] : [down] };
	});
}

/** Whether n8n took a call: after that it may not lose it. */
export function isAccepted({ answer }: Call): boolean {
	return typeof answer?.status === 'number' && answer.status >= 200 && answer.status < 300;
}

/** What the history says of a call itself. */
export function entriesOfCall({ begun, answer }: Call): Entry[] {
	return answer ? [begun, answer] : [begun];
}

/** What the history says of an execution's beginning and end. */
export function entriesOfExecution({ started, finished }: Execution): Entry[] {
	return finished ? [started, finished] : [started];
}

/** An execution that a call made, not somebody's "Retry". */
export function isOriginal({ started }: Execution): boolean {
	return started.retryOf === undefined;
}

/** When an execution was over; Infinity where that never happened. */
export function endOf({ finished }: Execution): number {
	return finished?.at ?? Infinity;
}

/**
 * For so long after a store came back its users may still fail: they have to notice, and to
 * connect again.
 */
export const reconnectMs = 30_000;

/** Whether a store was away, or had just come back, at a moment between two. */
export function storeFailed({ failures }: Facts, from: number, to: number): boolean {
	return failures.some(
		(each) => each.role === 'store' && each.from <= to && each.to + reconnectMs >= from,
	);
}

/** Whether a process of such a role ended between two moments. */
export function processEnded({ failures }: Facts, role: Role, from: number, to: number): boolean {
	return failures.some((each) => each.role === role && each.from >= from && each.from <= to);
}

/**
 * Whether a process of n8n was down, or on its way up, between two moments. On its way up it reads the
 * executions that its own log shows as unfinished, those that wait among them, and writes each back as
 * it was: what another process has written to one of them in between is gone.
 */
export function wasStarting({ failures }: Facts, from: number, to: number): boolean {
	return failures.some((each) => each.role !== 'store' && each.from <= to && each.to >= from);
}

/** Whether something happened during an execution that may end it half way. */
export function wasInterruptible(facts: Facts, execution: Execution): boolean {
	const { at } = execution.started;
	const end = endOf(execution);
	return processEnded(facts, 'worker', at, end) || storeFailed(facts, at, end);
}

/** Whether an execution did not end as its workflow says. One that waits has yet to end. */
export function isInterrupted({ finished, waiting }: Execution): boolean {
	return finished ? finished.status !== 'success' : waiting.length === 0;
}
