import {
	entriesOfCall,
	entriesOfExecution,
	isAccepted,
	isInterrupted,
	isOriginal,
	processEnded,
	storeFailed,
	type Facts,
} from './facts';
import type { Rule } from './rules';
import { type Call, type Execution } from './factTypes';

/** So many accepted events a process remembers, in order to drop repeats (docs/trigger.md). */
const remembered = 10_000;

/** The calls that delivered each event. */
function deliveries({ calls }: Facts): Map<string, Call[]> {
	const found = new Map<string, Call[]>();
	for (const call of calls.values()) {
		const { event } = call.begun;
		if (event === undefined) continue;
		const list = found.get(event);
		if (list) list.push(call);
		else found.set(event, [call]);
	}
	return found;
}

/** Whether an event may have a second execution, made by a call after that of the first. */
function mayComeTwice(facts: Facts, first: Execution, second: Execution): boolean {
	const call = first.call;
	// Two executions of one call break another rule.
	if (!call || call === second.call) return true;
	const from = call.begun.at;
	const to = second.started.at;
	// What the process remembered went with it.
	if (processEnded(facts, 'webhook', from, to)) return true;
	if (isAccepted(call)) {
		const others = [...facts.calls.values()].filter(
			(each) => each.begun.at >= from && each.begun.at <= to && isAccepted(each),
		);
		return others.length > remembered;
	}
	// It was stored, but could not be answered; so the service was right to send it again.
	return storeFailed(facts, from, to);
}

/** What docs/trigger.md promises for events. */
export const eventRules: Rule[] = [
	{
		name: 'a forged event is refused',
		brokenBy({ calls }) {
			for (const call of calls.values()) {
				if (!call.begun.forged) continue;
				const [execution] = call.executions;
				if (execution) return [...entriesOfCall(call), ...entriesOfExecution(execution)];
				if (isAccepted(call)) return entriesOfCall(call);
			}
			return undefined;
		},
	},
	{
		name: 'an accepted event (2xx) is executed at least once',
		brokenBy(facts) {
			for (const calls of deliveries(facts).values()) {
				const accepted = calls.find(isAccepted);
				if (accepted && calls.every(({ executions }) => executions.length === 0)) {
					return entriesOfCall(accepted);
				}
			}
			return undefined;
		},
	},
	{
		name: 'an event is executed once, unless a crash lies between its acceptance and its repetition',
		brokenBy(facts) {
			for (const calls of deliveries(facts).values()) {
				const originals = calls
					.flatMap(({ executions }) => executions.filter(isOriginal))
					.sort((a, b) => a.started.at - b.started.at);
				for (const [index, second] of originals.entries()) {
					const first = originals[index - 1];
					if (!first || mayComeTwice(facts, first, second)) continue;
					return [first, second].flatMap((each) => [
						...(each.call ? entriesOfCall(each.call) : []),
						...entriesOfExecution(each),
					]);
				}
			}
			return undefined;
		},
	},
	{
		name: 'an accepted event is done at the end, by itself or by "Retry"',
		brokenBy(facts) {
			const retried = new Set(facts.retries.map(({ execution }) => execution));
			for (const calls of deliveries(facts).values()) {
				const executions = calls.flatMap((each) => each.executions);
				if (!calls.some(isAccepted) || executions.some((each) => !isInterrupted(each))) continue;
				// Nobody has asked for a "Retry" yet.
				if (!executions.some(({ started }) => retried.has(started.execution))) continue;
				return [...calls.flatMap(entriesOfCall), ...executions.flatMap(entriesOfExecution)];
			}
			return undefined;
		},
	},
];
