import type { Entry } from './entries';
import { endOf, entriesOfExecution, isInterrupted, reconnectMs, type Facts } from './facts';
import type { Rule } from './rules';
import {
	documentAt,
	isTaken,
	limitOf,
	registrationsOf,
	timerToleranceMs,
	type WaitItem,
	type WaitRegistration,
} from './waitFacts';

/** An execution that failed was seen as failed so much later, at most. */
const seenLateMs = reconnectMs;
/** So long a removal may take, and so near a failure may have prevented it. */
const removalMs = 30_000;

/** Every registration that a call's execution has. */
function registrationRule(
	name: string,
	brokenBy: (registration: WaitRegistration, facts: Facts) => Entry[] | undefined,
): Rule {
	return {
		name,
		brokenBy(facts) {
			for (const each of facts.waits.registrations.values()) {
				const broken = brokenBy(each, facts);
				if (broken) return broken;
			}
			return undefined;
		},
	};
}

/** The items of the call that a registration belongs to. */
function itemsOf({ registered }: WaitRegistration, { executions, waits }: Facts): WaitItem[] {
	const call = executions.get(registered.execution)?.call;
	return [...waits.items.values()].filter((each) => each.call === call);
}

/** When the next wait of the same execution registered; Infinity where there is none. */
function nextOf({ registered }: WaitRegistration, { waits }: Facts): number {
	const later = registrationsOf(waits, registered.execution)
		.map((each) => each.registered.at)
		.filter((at) => at > registered.at);
	return Math.min(...later, Infinity);
}

/** Whether a registration was told of the document that its item waits for. */
function endedByEvent(registration: WaitRegistration, facts: Facts, at: number): boolean {
	return itemsOf(registration, facts).some((item) => {
		const own = documentAt(item, at)?.document;
		return registration.deliveries.some((each) => each.document === own && each.at <= at);
	});
}

/** Whether the limit of what a registration was for has passed, or nothing was sent for it. */
function endedByLimit(registration: WaitRegistration, facts: Facts, at: number): boolean {
	const { registered } = registration;
	const items = itemsOf(registration, facts);
	const sent = items.filter((item) => (documentAt(item, at)?.at ?? 0) >= registered.at);
	if (sent.length === 0) return true;
	return sent.some((item) => {
		const document = documentAt(item, at);
		return document !== undefined && limitOf(item, document) - timerToleranceMs <= at;
	});
}

/** What docs/waiting.md promises of the registrations at the service. */
export const registrationRules: Rule[] = [
	{
		name: 'an execution that waits has its registration',
		brokenBy({ waits, executions }) {
			for (const waiting of waits.waiting) {
				const own = registrationsOf(waits, waiting.execution);
				if (own.some(({ removed }) => !removed || removed.at >= waiting.at)) continue;
				const execution = executions.get(waiting.execution);
				return [
					...(execution ? entriesOfExecution(execution) : []),
					waiting,
					...own.flatMap(({ registered, removed }) => (removed ? [registered, removed] : [])),
				];
			}
			return undefined;
		},
	},
	registrationRule('no registration is removed while its wait lasts', (registration, facts) => {
		const { registered, removed } = registration;
		const execution = facts.executions.get(registered.execution);
		if (!removed || !execution) return undefined;
		const slack = isInterrupted(execution) ? seenLateMs : 0;
		if (endOf(execution) <= removed.at + slack) return undefined;
		if (endedByEvent(registration, facts, removed.at)) return undefined;
		if (endedByLimit(registration, facts, removed.at)) return undefined;
		return [registered, removed, ...entriesOfExecution(execution)];
	}),
	registrationRule(
		'a wait that an event continues removes its registration, unless something fails meanwhile',
		(registration, facts) => {
			const { registered, removed, deliveries } = registration;
			const next = nextOf(registration, facts);
			const continued = itemsOf(registration, facts)
				.flatMap((item) => item.continued)
				.filter(({ execution, at }) => execution === registered.execution && at < next)
				.filter(({ at, result }) => at >= registered.at && result === 'completed')
				.sort((a, b) => a.at - b.at)[0];
			if (!continued) return undefined;
			const until = continued.at + removalMs;
			if ((removed?.at ?? facts.waits.end) <= until) return undefined;
			const isNear = facts.failures.some(
				({ role, from, to }) =>
					role !== 'main' && from <= until && to + reconnectMs >= continued.at - removalMs,
			);
			// n8n continued, and could not say so: the event comes again, and finds that it is over.
			const isUnsaid = !deliveries.some(
				(each) => each.document === continued.document && isTaken(each) && each.at <= continued.at,
			);
			if (isNear || isUnsaid) return undefined;
			return [registered, continued, ...(removed ? [removed] : [])];
		},
	),
];
