import type { Entry, OutputEntry } from '../../queue/support/history/entries';
import {
	factsOf,
	isAccepted,
	isInterrupted,
	isOriginal,
	processEnded,
	storeFailed,
	wasInterruptible,
} from '../../queue/support/history/facts';
import { replaced, without, type Mutation } from './mutation';
import { waitMutations } from './waitMutations';

const outputs = (history: Entry[], result: OutputEntry['result']): OutputEntry[] =>
	history.filter((each): each is OutputEntry => each.type === 'output' && each.result === result);

/** Mutations of documents. */
const ofSends: Mutation[] = [
	{
		name: 'a document is created a second time',
		of: (history, { documents }) =>
			documents.map((each) => [...history, { ...each, document: `${each.document}-2` }]),
	},
	{
		name: 'a document that was output is not at the service',
		of: (history, { documents }) =>
			outputs(history, 'created').flatMap((output) =>
				documents
					.filter(({ document }) => document === output.document)
					.map((each) => without(history, each)),
			),
	},
	{
		name: 'an output names another document',
		of: (history) =>
			outputs(history, 'created').map((each) =>
				replaced(history, each, { ...each, document: 'another' }),
			),
	},
	{
		name: 'an execution that ended well does not speak of a key',
		of: (history) =>
			history.filter(({ type }) => type === 'output').map((each) => without(history, each)),
	},
	{
		name: 'a key that nobody recorded is skipped as unknown',
		of: (history, { calls }) =>
			outputs(history, 'created')
				.filter(({ key }) => {
					const asking = [...calls.values()].filter(({ sends }) =>
						sends.some((each) => each.key === key),
					);
					return asking.length === 1;
				})
				.filter((each) => history.every(({ type }) => type !== 'down') || each.at < 0)
				.map((each) => replaced(history, each, { ...each, result: 'mayHaveBeenCreated' })),
	},
	{
		name: 'an item fails for no reason',
		of: (history, facts) =>
			outputs(history, 'created')
				.filter(({ execution, at }) => {
					const begun = facts.executions.get(execution)?.started.at ?? at;
					return !storeFailed(facts, begun, at);
				})
				.map((each) => replaced(history, each, { ...each, result: 'failed' })),
	},
	{
		name: 'a document that nobody asked for',
		of: (history) => [[...history, { type: 'document', at: 1, document: 'd', key: 'nobody' }]],
	},
];

/** Mutations of events. */
const ofEvents: Mutation[] = [
	{
		name: 'all executions of an accepted event are lost',
		of: (history, { calls }) => {
			const accepted = [...calls.values()].filter(
				(call) => call.begun.event !== undefined && isAccepted(call),
			);
			return accepted.map(({ begun: { event } }) => {
				const names = new Set(
					[...calls.values()]
						.filter(({ begun }) => begun.event === event)
						.map(({ begun }) => begun.call),
				);
				return history.filter((each) => each.type !== 'started' || !names.has(each.call));
			});
		},
	},
	{
		name: 'a repeat that was dropped is executed after all',
		of: (history, facts) =>
			[...facts.calls.values()].flatMap((repeat) => {
				const { call, event, at } = repeat.begun;
				const first = [...facts.calls.values()].find(
					(each) =>
						event !== undefined &&
						each.begun.event === event &&
						isAccepted(each) &&
						each.executions.some(isOriginal) &&
						each.begun.at < at,
				);
				if (!first || repeat.executions.length > 0) return [];
				if (processEnded(facts, 'webhook', first.begun.at, at + 10)) return [];
				const fresh = { execution: 'fresh', call, at: at + 10 };
				return [
					[
						...history,
						{ type: 'started' as const, ...fresh },
						{ type: 'finished' as const, ...fresh, status: 'success' },
					],
				];
			}),
	},
	{
		name: 'a forged event is accepted',
		of: (history, { calls }) =>
			[...calls.values()].flatMap(({ begun, answer }) =>
				begun.forged && answer ? [replaced(history, answer, { ...answer, status: 200 })] : [],
			),
	},
	{
		name: 'the execution of a "Retry" fails, too',
		of: (history, { executions }) =>
			[...executions.values()].flatMap(({ started, finished }) =>
				started.retryOf && finished
					? [replaced(history, finished, { ...finished, status: 'error' })]
					: [],
			),
	},
];

/** Mutations of any execution. */
const ofExecutions: Mutation[] = [
	{
		name: 'a call starts two executions',
		of: (history, { executions }) =>
			[...executions.values()].map(({ started }) => [
				...history,
				{ type: 'started', at: started.at, execution: 'second', call: started.call },
				{ type: 'finished', at: started.at + 1, execution: 'second', status: 'success' },
			]),
	},
	{
		name: 'an execution fails though nothing was down',
		of: (history, facts) =>
			[...facts.executions.values()].flatMap((execution) => {
				const { finished } = execution;
				if (!finished || isInterrupted(execution) || wasInterruptible(facts, execution)) return [];
				return [replaced(history, finished, { ...finished, status: 'crashed' })];
			}),
	},
	{
		name: 'an execution begins before its call',
		of: (history, { executions }) =>
			[...executions.values()].flatMap(({ started, call }) =>
				call ? [replaced(history, started, { ...started, at: call.begun.at - 1 })] : [],
			),
	},
	{
		name: 'a call that started an execution is answered 404',
		of: (history, { calls }) =>
			[...calls.values()].flatMap(({ answer, executions }) =>
				answer && executions.length > 0
					? [replaced(history, answer, { ...answer, status: 404 })]
					: [],
			),
	},
	{
		name: 'a call that was accepted has no execution',
		of: (history, { calls }) =>
			[...calls.values()].flatMap((call) =>
				call.begun.event === undefined
					? call.executions.map(({ started }) => without(history, started))
					: [],
			),
	},
];

/** Every mutation. */
export const mutations = [...ofSends, ...ofEvents, ...ofExecutions, ...waitMutations];

/** Every history that such a mutation makes of one. */
export function mutated(mutation: Mutation, history: Entry[]): Entry[][] {
	return mutation.of(history, factsOf(history));
}
