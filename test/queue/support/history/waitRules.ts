import type { DocumentEntry, Entry } from './entries';
import {
	endOf,
	entriesOfExecution,
	isInterrupted,
	reconnectMs,
	wasStarting,
	type Facts,
} from './facts';
import type { Rule } from './rules';
import {
	documentAt,
	isTaken,
	lastExecution,
	limitOf,
	ownDeliveries,
	timerToleranceMs,
	type WaitFacts,
	type WaitItem,
} from './waitFacts';
import { type Execution } from './factTypes';

/** n8n looks for limits that have passed once a minute (docs/waiting.md); and it needs a moment. */
const limitDelayMs = 60_000 + 15_000;

/** A rule about each item for itself. */
function itemRule(
	name: string,
	brokenBy: (item: WaitItem, waits: WaitFacts, facts: Facts) => Entry[] | undefined,
): Rule {
	return {
		name,
		brokenBy(facts) {
			for (const item of facts.waits.items.values()) {
				const broken = brokenBy(item, facts.waits, facts);
				if (broken) return broken;
			}
			return undefined;
		},
	};
}

/** The first own delivery of a document to its wait, as far as there was one until a moment. */
function deliveredUntil(waits: WaitFacts, item: WaitItem, document: DocumentEntry, at: number) {
	return ownDeliveries(waits, item, document).find((each) => each.at <= at);
}

/** Whether an execution continued with an item, or one that it is a "Retry" of did. */
function hasContinued(facts: Facts, { started }: Execution, item: WaitItem): boolean {
	if (item.continued.some(({ execution }) => execution === started.execution)) return true;
	const before = facts.executions.get(started.retryOf ?? '');
	return before !== undefined && hasContinued(facts, before, item);
}

/** Until when a wait whose limit passed at a moment may last, given what failed meanwhile. */
function latestEnd({ failures }: Facts, passed: number): number {
	let due = passed + limitDelayMs;
	for (const { from, to } of [...failures].sort((a, b) => a.from - b.from)) {
		if (from <= due && to + reconnectMs >= passed) due = Math.max(due, to + limitDelayMs);
	}
	return due;
}

/** What docs/waiting.md promises of what is sent, and of what goes on when. */
export const waitRules: Rule[] = [
	itemRule(
		'a wait sends its document once, and again only if somebody retries an execution that did not wait yet',
		({ begun, call, documents }, { waiting }) => {
			const own = new Set(call.executions.map(({ started }) => started.execution));
			for (const [index, second] of documents.entries()) {
				const first = documents[index - 1];
				if (!first) continue;
				const isRetried = call.executions.some(
					({ started: { retryOf, at } }) => retryOf && at >= first.at && at <= second.at,
				);
				const waited = waiting.find(
					({ execution, at }) => own.has(execution) && at > first.at && at < second.at,
				);
				if (isRetried && !waited) continue;
				return [begun, first, ...(waited ? [waited] : []), second];
			}
			return undefined;
		},
	),
	{
		name: 'a wait continues with its own document',
		brokenBy({ waits }) {
			const [stranger] = waits.strangers;
			if (stranger) return [stranger];
			for (const item of waits.items.values()) {
				for (const each of item.continued) {
					const own = documentAt(item, each.at);
					const isOfCall = item.call.executions.some(
						({ started }) => started.execution === each.execution,
					);
					if (own?.document === each.document && isOfCall) continue;
					return [item.begun, ...(own ? [own] : []), each];
				}
			}
			return undefined;
		},
	},
	itemRule(
		'a wait continues as completed only after everybody has signed and it received the event',
		(item, waits) => {
			for (const each of item.continued) {
				const document = documentAt(item, each.at);
				if (each.result !== 'completed' || !document) continue;
				const completed = waits.completed.get(document.document);
				const told = deliveredUntil(waits, item, document, each.at);
				if (completed && completed.at <= each.at && told) continue;
				return [item.begun, document, ...(completed ? [completed] : []), each];
			}
			return undefined;
		},
	),
	itemRule(
		'a wait times out only when its limit has passed, or by "Retry"',
		(item, _waits, facts) => {
			for (const each of item.continued) {
				const document = documentAt(item, each.at);
				if (each.result !== 'timedOut' || !document) continue;
				if (limitOf(item, document) - timerToleranceMs <= each.at) continue;
				// It passes on what leaves at the limit.
				if (facts.executions.get(each.execution)?.started.retryOf) continue;
				return [item.begun, document, each];
			}
			return undefined;
		},
	),
	itemRule(
		'a wait continues once, and again only by "Retry" after a crash',
		({ begun, continued }, _waits, facts) => {
			for (const [index, second] of continued.entries()) {
				const first = continued[index - 1];
				if (!first) continue;
				const execution = facts.executions.get(first.execution);
				const isAgain = second.execution !== first.execution;
				if (isAgain && execution && isInterrupted(execution)) continue;
				return [begun, first, second];
			}
			return undefined;
		},
	),
	itemRule(
		'an accepted event (2xx) of a wait continues it, by itself or by "Retry" after a crash, unless a process of n8n was starting',
		(item, waits, facts) => {
			const last = lastExecution(item.call);
			const document = item.documents.at(-1);
			if (!last || !document || isInterrupted(last)) return undefined;
			if (item.continued.some(({ result }) => result === 'completed')) return undefined;
			const taken = ownDeliveries(waits, item, document).find(
				(each) => isTaken(each) && each.answeredAt < limitOf(item, document) - timerToleranceMs,
			);
			if (!taken) return undefined;
			// n8n writes the wait back as it was before the event.
			const accepted = ownDeliveries(waits, item, document).filter(isTaken);
			if (accepted.some(({ at, answeredAt }) => wasStarting(facts, at, answeredAt)))
				return undefined;
			return [item.begun, document, taken, ...item.continued, ...entriesOfExecution(last)];
		},
	),
	itemRule(
		'a limit ends its wait within a minute, or when what failed is back',
		(item, waits, facts) => {
			const last = lastExecution(item.call);
			if (!last || isInterrupted(last)) return undefined;
			const document = item.documents.at(-1);
			if (!document) return undefined;
			const passed = Math.max(limitOf(item, document), last.started.at);
			const due = latestEnd(facts, passed);
			const ended = item.continued.at(-1)?.at ?? waits.end;
			if (ended <= due) return undefined;
			return [item.begun, document, ...item.continued, ...entriesOfExecution(last)];
		},
	),
	{
		name: 'an execution that succeeds has continued with each of its items',
		brokenBy(facts) {
			for (const execution of facts.executions.values()) {
				if (isInterrupted(execution) || endOf(execution) === Infinity) continue;
				const missing = [...facts.waits.items.values()].find(
					(item) => item.call === execution.call && !hasContinued(facts, execution, item),
				);
				if (missing) return [missing.begun, ...entriesOfExecution(execution)];
			}
			return undefined;
		},
	},
];
