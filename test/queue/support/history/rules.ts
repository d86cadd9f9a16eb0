import type { Entry } from './entries';
import {
	endOf,
	entriesOfCall,
	entriesOfExecution,
	isAccepted,
	isInterrupted,
	isOriginal,
	wasInterruptible,
	type Facts,
} from './facts';

/** Something that every history has to keep to. */
export interface Rule {
	name: string;
	/** The entries that do not fit together; undefined where the history keeps to the rule. */
	brokenBy: (facts: Facts) => Entry[] | undefined;
}

/** What n8n promises for every call and every execution (docs/trigger.md, docs/scaling.md). */
export const n8nRules: Rule[] = [
	{
		name: 'an execution comes from a call that was made before',
		brokenBy({ executions, calls }) {
			for (const { started, call } of executions.values()) {
				// n8n can lose what an execution was started with; whether it may is another rule's.
				if (started.call === '') continue;
				if (!call) return [started];
				const original = executions.get(started.retryOf ?? started.execution)?.started;
				if (call.begun.at > started.at || original?.call !== started.call) {
					return [...entriesOfCall(calls.get(started.call) ?? call), started];
				}
			}
			return undefined;
		},
	},
	{
		name: 'a call starts one execution at most',
		brokenBy({ calls }) {
			for (const call of calls.values()) {
				const originals = call.executions.filter(isOriginal);
				if (originals.length > 1) {
					return [...entriesOfCall(call), ...originals.slice(0, 2).flatMap(entriesOfExecution)];
				}
			}
			return undefined;
		},
	},
	{
		name: 'a call that was answered 4xx starts nothing',
		brokenBy({ calls }) {
			for (const call of calls.values()) {
				const status = call.answer?.status;
				const isRefused = typeof status === 'number' && status >= 400 && status < 500;
				const [execution] = call.executions;
				if (isRefused && execution) {
					return [...entriesOfCall(call), ...entriesOfExecution(execution)];
				}
			}
			return undefined;
		},
	},
	{
		name: 'an accepted call (2xx) is executed at least once',
		brokenBy({ calls }) {
			for (const call of calls.values()) {
				// A repeated event is accepted without an execution of its own: see the event's rule.
				if (call.begun.event !== undefined || !isAccepted(call)) continue;
				if (call.executions.length === 0) return entriesOfCall(call);
			}
			return undefined;
		},
	},
	{
		name: 'an execution is interrupted only by a worker that ends or a store that is away',
		brokenBy(facts) {
			for (const execution of facts.executions.values()) {
				if (!isInterrupted(execution) || wasInterruptible(facts, execution)) continue;
				const end = endOf(execution);
				const near = facts.failures.filter(({ from }) => from <= end).slice(-1);
				return [
					...entriesOfExecution(execution),
					...near.flatMap(({ entries }): Entry[] => entries),
				];
			}
			return undefined;
		},
	},
	{
		name: '"Retry" runs an execution, and only once',
		brokenBy(facts) {
			for (const retry of facts.retries) {
				const made = [...facts.executions.values()].filter(
					({ started }) => started.retryOf === retry.execution && started.at >= retry.at,
				);
				const [again] = made;
				if (!again) return [retry];
				if (made.length > 1) return [retry, ...made.slice(0, 2).flatMap(entriesOfExecution)];
			}
			return undefined;
		},
	},
];
