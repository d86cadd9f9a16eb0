import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemFate, mayBeSent, noteOfFailedWait, outcomeFields } from '../item/outcome';
import { DescribedError } from '../errors/describedError';
import { describeError, toNodeError } from '../errors/nodeError';
import { mayHaveCreated, ServiceError } from '../http/serviceError';
import { callProblems } from '../http/callProblems';
import type { ItemOutput } from '../item/item';
import { outputsOfEarlierRuns } from '../n8nInternals';
import { adviceIfRight, InputError, ListError, problemsOf } from '../errors/inputError';
import type { Settled } from '../util/async';
import { quoted } from '../util/redact';
import { groupBy } from '../util/values';
import {
	capitalized,
	fitting,
	type ItemName,
	listOfItems,
	maxListedItems,
	type NamesByIndex,
	numbersOf,
	placeInRun,
} from './itemNames';
import type { Operation } from './operationTypes';

/** Whether an operation sends, or only waits. An operation that sends nothing doesn't speak of sending. */
type Effect = Pick<Operation, 'sends' | 'about'>;

/**
 * Returns a failed item's output if the node continues on error. Its only key is `error`, because every
 * version of n8n routes an item with only this key to the error output.
 * @param effect If the operation sends or waits, the error contains the item's outcome.
 * @n8n
 */
export function errorItem(
	error: unknown,
	itemIndex: number,
	{ sends, about }: Effect = {},
	key?: string,
): INodeExecutionData {
	const details: IDataObject = { ...describeError(error) };
	// Workflows use this status to find out what happened to the item, so include it only if the service
	// returned it.
	if (error instanceof ServiceError && error.serviceStatus !== undefined) {
		details.httpStatus = error.serviceStatus;
	}
	// List the invalid fields so that a workflow can distinguish a wrong value from a service failure without
	// parsing the message.
	if (error instanceof InputError) {
		details.invalidFields = error.fields;
	}
	const failed = sends ? causeOf(error) : 'waiting';
	const mayHaveBeenCreated = mayHaveCreated(error);
	if (about) Object.assign(details, outcomeFields({ about, key, failed, mayHaveBeenCreated }));
	else if (mayHaveBeenCreated) details.mayHaveBeenCreated = true;
	return {
		json: { error: { ...details, itemIndex } },
		pairedItem: { item: itemIndex },
	};
}

function causeOf(error: unknown): ItemFate['failed'] {
	if (error instanceof ListError) return 'file';
	if (error instanceof InputError) return 'value';
	const isSent = error instanceof ServiceError && error.failure.what === 'succeeded';
	return isSent ? 'afterSending' : 'otherwise';
}

/** The result for each item; undefined for an item that did not start. */
type SettledItems = ReadonlyArray<Settled<ItemOutput[]> | undefined>;

/** The maximum lengths, in characters, of a report's lists of mistakes and IDs. */
const maxMistakes = 10_000;
const maxIds = 6000;

interface FailedItem {
	error: unknown;
	index: number;
}

function failedItemsIn(settled: ReadonlyArray<Settled<unknown> | undefined>): FailedItem[] {
	return settled.flatMap((result, index) =>
		result && !result.ok ? [{ error: result.error, index }] : [],
	);
}

/**
 * Sorts a run's items by what happened to them. An item that was skipped is in none of the lists, unless an earlier
 * run may have sent it.
 */
export function itemsByResult(settled: SettledItems) {
	const created: Array<{ index: number; what: string }> = [];
	/** The items that may have been sent. */
	const unsure: number[] = [];
	const notStarted: number[] = [];
	for (const [index, result] of settled.entries()) {
		if (!result) notStarted.push(index);
		else if (!result.ok && mayHaveCreated(result.error)) unsure.push(index);
		for (const output of result?.ok ? result.value : []) {
			if (output.created) created.push({ index, what: output.created });
			if (output.isUnsure) unsure.push(index);
		}
	}
	const failed = failedItemsIn(settled).filter(({ error }) => !mayHaveCreated(error));
	return { failed, created, unsure, notStarted };
}

/** Returns the error for a run that stopped before its first item, because of something that concerns all items. */
export function errorBeforeItems(
	context: IExecuteFunctions,
	error: unknown,
	{ sends, about }: Effect,
): Error {
	const ofWait = about ? noteOfFailedWait(about) : '';
	const more = sends ? sentNothing(noteOnEarlierRuns(context)) : ofWait;
	return toNodeError(context.getNode(), error, undefined, { more });
}

/** @param note The {@link noteOnEarlierRuns}. */
function sentNothing(note: string): string {
	return note ? `Nothing was sent this time. ${note}` : 'Nothing was sent.';
}

/**
 * Returns the error for a run that stopped after checking its items, before sending anything.
 * @param settled The result of each item's check; undefined for an item that wasn't checked, because the checks had
 * already stopped.
 * @returns undefined if every item is valid. Otherwise, the first error that is not about an item's values, or if
 * there is none, an error that lists all items with wrong values.
 */
export function errorOfChecks(
	context: IExecuteFunctions,
	settled: ReadonlyArray<Settled<unknown> | undefined>,
	names: NamesByIndex = [],
	leftOutCount = 0,
): Error | undefined {
	const node = context.getNode();
	const isCanceled = context.getExecutionCancelSignal()?.aborted;
	const failedItems = failedItemsIn(settled);
	if (!isCanceled && failedItems.length === 0) return undefined;
	const note = noteOnEarlierRuns(context);
	if (isCanceled) {
		const remedy = "Don't run those items again unless each of them has a Send Once Key.";
		const canceled = new ServiceError(callProblems.canceledWhileChecking);
		return toNodeError(node, canceled, undefined, { more: note && `${note} ${remedy}` });
	}
	const count = settled.length - leftOutCount;
	const otherItem = failedItems.find(
		({ error }) => !(error instanceof InputError) || error instanceof ListError,
	);
	const shownAlone = otherItem ?? (count === 1 ? failedItems[0] : undefined);
	if (shownAlone) {
		const place = placeInRun(shownAlone.index, count, names);
		const { message, description } = describeError(shownAlone.error);
		const isSaid = `${message} ${description}`.includes('Nothing was sent');
		const more = isSaid ? note : sentNothing(note);
		return toNodeError(node, shownAlone.error, place, { more });
	}
	const summary = new DescribedError(
		`Nothing was sent, because ${shareOf(failedItems.length, count)} ${failedItems.length === 1 ? 'has' : 'have'} a problem.`,
		'',
		'a-list-failed',
	);
	const more = [...linesOfMistakes(failedItems, count, names), note].filter(Boolean);
	return toNodeError(node, summary, undefined, { more });
}

interface RunFacts {
	/** The names of all items; empty unless every item has a Send Once Key that is recorded. */
	names?: ItemName[];
	/** The empty rows of the list. */
	leftOut?: Set<number> | undefined;
	sends?: boolean | undefined;
}

/**
 * Returns the error that ends a run, or undefined if no item failed. What may have been sent comes first, because
 * the user has to check it before anything else. With keys, a run continues after a lost response, so its error is about
 * the first item that definitely wasn't sent, if there is one.
 */
export function errorOfRun(
	context: IExecuteFunctions,
	settled: SettledItems,
	{ names = [], leftOut = new Set(), sends = false }: RunFacts = {},
): Error | undefined {
	const result = itemsByResult(settled);
	const notStarted = result.notStarted.filter((index) => !leftOut.has(index));
	const [firstFailed] = failedItemsIn(settled);
	const shown = names.length > 0 ? (result.failed[0] ?? firstFailed) : firstFailed;
	if (!shown) return undefined;
	const count = settled.length - leftOut.size;
	const place = placeInRun(shown.index, count, names);
	if (count === 1) return toNodeError(context.getNode(), shown.error, place);
	const done = sends ? 'sent' : 'created';
	const above = lineOfUnsure(result.unsure, names, done);
	const more = linesOnOthers({ ...result, notStarted }, { shown, count, names, done });
	return toNodeError(context.getNode(), withoutRemedyIfUnsure(shown.error), place, { above, more });
}

/** Returns what a run's error says below its first item: about the other mistakes, and what was created. */
function linesOnOthers(
	{ failed, created, notStarted }: ReturnType<typeof itemsByResult>,
	{
		shown,
		count,
		names,
		done,
	}: { shown: FailedItem; count: number; names: ItemName[]; done: string },
): string[] {
	const hasKeys = names.length > 0;
	const otherItems = failed.filter(({ index }) => index !== shown.index);
	const share = ({ length }: unknown[]) =>
		`${length} of ${count} items ${length === 1 ? 'was' : 'were'}`;
	const createdIndexes = created.map(({ index }) => index);
	return [
		hasKeys ? 'Run the whole list again. The node skips the items that were already sent.' : '',
		...linesOfMistakes(
			otherItems,
			count,
			names,
			new Set(mistakesIn(shown).map(({ remedy }) => remedy)),
		),
		created.length > 0
			? `${share(created)} ${done} this time${hasKeys ? '' : " and shouldn't be run again"}: ${numbersOf(createdIndexes, names)}.`
			: '',
		notStarted.length > 0 ? `${share(notStarted)}n't started.` : '',
		// The IDs come last, because they are the longest part.
		hasKeys ? '' : lineOfIds(created),
	].filter(Boolean);
}

/** Removes a remedy that {@link lineOfUnsure} gives for all such items together. */
function withoutRemedyIfUnsure(error: unknown): unknown {
	return error instanceof ServiceError && error.mayHaveCreated ? error.withRemedy('') : error;
}

function lineOfUnsure(unsure: number[], names: ItemName[], done: string): string {
	if (unsure.length === 0) return '';
	const remedy =
		names.length > 0
			? "leave it as it is. If it isn't, give it a different Send Once Key, because the old one counts as used"
			: "don't run it again. If it isn't, run it again";
	return `The following may have been ${done}: ${listOfItems(unsure, names)}. Check your provider's account. If an item is there, ${remedy}.`;
}

function lineOfIds(created: Array<{ index: number; what: string }>): string {
	const ids = created.map(({ index, what }) => `${what} (item ${index + 1})`);
	return ids.length > 0 ? `Created: ${fitting(ids, maxIds).join(', ')}.` : '';
}

/**
 * The line for n8n's log about an execution that was stopped while the node was running. n8n discards the output and
 * the error of such a node, so the log is the only place that still shows what was created.
 * @returns '' if nothing was created, and nothing may have been.
 */
export function reportOfStoppedRun(context: IExecuteFunctions, settled: SettledItems): string {
	const { created, unsure } = itemsByResult(settled);
	const mayBe = unsure.length > 0 ? `May have been created: ${numbersOf(unsure)}.` : '';
	const lines = [mayBe, lineOfIds(created)].filter(Boolean).join(' ');
	const execution = `execution ${context.getExecutionId()} was stopped while ${quoted(context.getNode().name)} was running`;
	return lines && `SignVerify: ${execution}. ${lines}`;
}

/**
 * Returns a sentence for errors that say that items weren't sent, because that is true only of the current
 * run. In a loop, earlier runs of the node may have sent other items.
 * @returns '' if no earlier run of the node in this execution sent anything.
 */
function noteOnEarlierRuns(context: IExecuteFunctions): string {
	const outputs = outputsOfEarlierRuns(context);
	return !outputs || outputs.some(mayBeSent)
		? 'Earlier iterations may have sent other items. You can see what they sent in the execution.'
		: '';
}

/** What is wrong with an item. Fields with the same mistake share one. */
interface Mistake {
	index: number;
	fields: string;
	message: string;
	remedy: string;
}

function mistakesIn({ error, index }: FailedItem): Mistake[] {
	if (!(error instanceof InputError)) {
		const remedy = error instanceof DescribedError ? error.description : '';
		return [{ index, fields: '', message: describeError(error).message, remedy }];
	}
	const groups = groupBy(error.parts, ({ problem, description }) => `${problem}\n${description}`);
	return [...groups.values()].map((parts) => ({
		index,
		fields: parts.map(({ field }) => field).join(),
		message: problemsOf(parts).join('; '),
		remedy: parts[0]?.remedy ?? '',
	}));
}

/**
 * Returns one line for each mistake, with all items that have it, and with its remedy unless that has been given
 * already. Mistakes that more items have come first. In a long report, one value is an example for all that are
 * wrong in the same field and need the same remedy. The last line is the advice for a value that is right.
 */
function linesOfMistakes(
	failedItems: FailedItem[],
	count: number,
	names: NamesByIndex,
	givenRemedies = new Set<string>(),
): string[] {
	const mistakes = failedItems.flatMap(mistakesIn);
	const byMessage = groupBy(mistakes, ({ message, remedy }) => `${message}\n${remedy}`);
	const groups =
		byMessage.size > maxListedItems
			? groupBy(mistakes, ({ fields, remedy }) => `${fields}\n${remedy}`)
			: byMessage;
	const lines = [...groups.values()]
		.sort((left, right) => right.length - left.length)
		.flatMap((group) => {
			const [first] = group;
			if (!first) return [];
			const { message, remedy } = first;
			const isExample = group.some((other) => other.message !== message);
			const indexes = group.map(({ index }) => index);
			const items =
				group.length === count
					? capitalized(shareOf(count, count))
					: listOfItems(indexes, names, capitalized);
			const given = givenRemedies.has(remedy) ? '' : remedy;
			givenRemedies.add(remedy);
			return [`${items}: ${message}${isExample ? ', for example' : ''}. ${given}`];
		});
	const parts = failedItems.flatMap(({ error }) =>
		error instanceof InputError ? error.parts : [],
	);
	return [
		...fitting(lines, maxMistakes, 'Other items have other problems.'),
		...adviceIfRight(parts),
	];
}

/** Names several of a run's items: "both items", "all 12 items", "3 of 12 items". */
function shareOf(count: number, all: number): string {
	if (count < all) return `${count} of ${all} items`;
	return all === 2 ? 'both items' : `all ${all} items`;
}
