import type { StoredExecution } from './database';

/** What became of events that were answered 2xx. */
export interface Fates {
	/** No execution holds them any more. */
	lost: string[];
	/** Held by an execution, but none that succeeded. */
	unfinished: string[];
	/** Held by two executions or more: sent again after an answer that was lost. */
	twice: string[];
	/** Of these, those with two that succeeded. */
	doneTwice: string[];
}

/** Holds the events that were answered 2xx against the executions that there are. */
export function fatesOf(answered: Iterable<string>, executions: StoredExecution[]): Fates {
	const successes = new Map<string, boolean[]>();
	for (const { event, status } of executions) {
		successes.set(event, [...(successes.get(event) ?? []), status === 'success']);
	}
	const done = (event: string): number => (successes.get(event) ?? []).filter(Boolean).length;
	const all = [...answered];
	return {
		lost: all.filter((event) => !successes.has(event)),
		unfinished: all.filter((event) => successes.has(event) && done(event) === 0),
		twice: all.filter((event) => (successes.get(event)?.length ?? 0) > 1),
		doneTwice: all.filter((event) => done(event) > 1),
	};
}
