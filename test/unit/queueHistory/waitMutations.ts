import type { ContinuedEntry, Entry } from '../../queue/support/history/entries';
import {
	endOf,
	isInterrupted,
	reconnectMs,
	wasStarting,
	type Facts,
} from '../../queue/support/history/facts';
import { documentAt, limitOf, registrationsOf } from '../../queue/support/history/waitFacts';
import { replaced, without, type Mutation } from './mutation';

const far = 1e8;

/** What continued since its document was completed, and when its limit would have passed. */
function byEvent({
	waits,
}: Facts): Array<{ entry: ContinuedEntry; created: number; limit: number }> {
	return [...waits.items.values()].flatMap((item) =>
		item.continued.flatMap((entry) => {
			const document = documentAt(item, entry.at);
			if (entry.result !== 'completed' || !document) return [];
			return [{ entry, created: document.at, limit: limitOf(item, document) }];
		}),
	);
}

/** Mutations of what is sent, and of what continues. */
const ofItems: Mutation[] = [
	{
		name: 'a document is sent a second time while its execution waits',
		of: (history, { waits, executions }) =>
			waits.waiting.flatMap(({ execution, at }) => {
				const call = executions.get(execution)?.call;
				const sent = [...waits.items.values()]
					.filter((item) => item.call === call)
					.flatMap(({ documents }) => documents)
					.filter((each) => each.at < at);
				return sent.map((each): Entry[] => [
					...history,
					{ ...each, at: at + 1, document: `${each.document}-again` },
				]);
			}),
	},
	{
		name: 'an item continues twice',
		of: (history) =>
			history.flatMap((each) =>
				each.type === 'continued' ? [[...history, { ...each, at: each.at + 1 }]] : [],
			),
	},
	{
		name: 'an item continues with another document',
		of: (history) =>
			history.flatMap((each) =>
				each.type === 'continued'
					? [replaced(history, each, { ...each, document: 'another' })]
					: [],
			),
	},
	{
		name: 'an item continues before its document is signed',
		of: (history, facts) =>
			byEvent(facts)
				.filter(({ entry, limit, created }) => {
					const completed = facts.waits.completed.get(entry.document);
					return limit === Infinity && completed !== undefined && completed.at > created + 2;
				})
				.map(({ entry, created }) => replaced(history, entry, { ...entry, at: created + 1 })),
	},
	{
		name: 'an item times out before its limit',
		of: (history, facts) =>
			byEvent(facts)
				.filter(({ entry, limit }) => limit > entry.at + 2000)
				.map(({ entry }) => replaced(history, entry, { ...entry, result: 'timedOut' })),
	},
	{
		name: 'an execution ends well without one of its items',
		of: (history, { executions }) =>
			history.flatMap((each) => {
				if (each.type !== 'continued') return [];
				const own = executions.get(each.execution);
				return own && !isInterrupted(own) ? [without(history, each)] : [];
			}),
	},
	{
		name: 'an execution whose event was taken waits forever',
		of: (history, facts) =>
			byEvent(facts)
				.filter(({ entry, limit }) => entry.at < limit - 2000)
				.flatMap(({ entry }) => {
					const own = facts.executions.get(entry.execution);
					if (!own?.waiting.length || own.started.retryOf || !own.finished) return [];
					// n8n itself loses what comes while one of its processes is starting.
					if (wasStarting(facts, own.started.at, endOf(own))) return [];
					return [
						history.filter(
							(each) =>
								each !== own.finished &&
								!(each.type === 'continued' && each.execution === entry.execution),
						),
					];
				}),
	},
	{
		name: 'a limit ends a wait much later',
		of: (history) =>
			history.flatMap((each) =>
				each.type === 'continued' && each.result === 'timedOut'
					? [replaced(history, each, { ...each, at: each.at + far })]
					: [],
			),
	},
];

/** Mutations of the registrations at the service. */
const ofRegistrations: Mutation[] = [
	{
		name: 'an execution that waits has no registration',
		of: (history, { waits }) =>
			waits.waiting.map(({ execution }) =>
				history.filter((each) => each.type !== 'registered' || each.execution !== execution),
			),
	},
	{
		name: 'a registration is removed while its execution waits',
		of: (history, { waits, executions }) =>
			waits.waiting.flatMap(({ execution, at }): Entry[][] => {
				const own = executions.get(execution);
				const registration = registrationsOf(waits, execution)
					.filter(({ registered }) => registered.at < at)
					.at(-1);
				if (!own || !registration || endOf(own) <= at + 1 + reconnectMs) return [];
				// Nobody has signed yet.
				if (registration.deliveries.some((each) => each.at <= at + 1)) return [];
				const { registered, removed } = registration;
				const rest = removed ? without(history, removed) : history;
				return [[...rest, { type: 'removed', at: at + 1, registration: registered.registration }]];
			}),
	},
	{
		name: 'a registration stays though nothing has failed',
		of: (history, facts) =>
			history.flatMap((each): Entry[][] => {
				if (each.type !== 'removed' || facts.failures.length > 0) return [];
				return [[...without(history, each), { type: 'call', at: far, call: 'later' }]];
			}),
	},
];

/** Every mutation of waits. */
export const waitMutations = [...ofItems, ...ofRegistrations];
