import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	DescribedError,
	describeError,
	mayHaveCreated,
	ServiceError,
	toNodeError,
} from '../http/errors';
import { callProblems } from '../http/problems';
import { InputError, problemsOf } from '../input/inputError';
import type { ItemOutput } from '../input/item';
import { outputsOfEarlierRuns } from '../n8nInternals';
import type { Settled } from '../util/async';
import { plainText, quoted } from '../util/redact';
import { cutText, isObject } from '../util/values';

/**
 * Returns a failed item's output if the node continues on error. Its only key is `error`, because every
 * version of n8n routes an item with only this key to the error output.
 */
export function errorItem(error: unknown, itemIndex: number): INodeExecutionData {
	const details: IDataObject = { ...describeError(error) };
	// Workflows use this status to find out what happened to the item, so include it only if the service
	// returned it.
	if (error instanceof ServiceError && error.serviceStatus !== undefined) {
		details.httpStatus = error.serviceStatus;
	}
	// List the invalid fields so that a workflow can distinguish a wrong value from a service failure without
	// parsing the message.
	if (error instanceof InputError) {
		details.invalidFields = [...new Set(error.parts.map(({ field }) => field))];
	}
	if (mayHaveCreated(error)) details.mayHaveBeenCreated = true;
	return { json: { error: { ...details, itemIndex } }, pairedItem: { item: itemIndex } };
}

/** The maximum length, in characters, of a report: the list of items in an error's description. */
const maxReport = 10_000;

/** The maximum lengths, in characters, of a report's lists of item numbers and IDs. */
const maxNumbers = 1500;
const maxIds = 6000;

interface FailedItem {
	error: unknown;
	index: number;
}

type NamesByIndex = Readonly<Record<number, ItemName | undefined>>;

/** How users recognize an item in a report. */
export interface ItemName {
	key?: string | undefined;
	/** The people who would get the item. */
	person?: string | undefined;
	/** The item's row in its spreadsheet, if that is known. */
	row?: string | undefined;
}

function failedItemsIn(settled: Array<Settled<unknown> | undefined>): FailedItem[] {
	return settled.flatMap((result, index) =>
		result && !result.ok ? [{ error: result.error, index }] : [],
	);
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

/** Whether an output shows an item that was sent, or that may have been. */
function mayBeSent(output: IDataObject): boolean {
	const { error, skipped, nothingSent, mayHaveBeenCreated } = output;
	if (isObject(error)) return error.mayHaveBeenCreated === true;
	return mayHaveBeenCreated === true || (skipped !== true && nothingSent !== true);
}

/**
 * Returns the error for a run that stopped after checking its items, before sending anything.
 * @param settled The result of each item's check; undefined for an item that wasn't checked, because the
 * checks had already stopped.
 * @param names The names of the items with errors.
 * @returns undefined if every item is valid. Otherwise, the first error that is not about an item's values,
 * or if there is none, an error that lists all items with wrong values.
 */
export function errorOfChecks(
	context: IExecuteFunctions,
	settled: Array<Settled<unknown> | undefined>,
	names: Array<ItemName | undefined> = [],
): Error | undefined {
	const node = context.getNode();
	const isCanceled = context.getExecutionCancelSignal()?.aborted;
	const failedItems = failedItemsIn(settled);
	if (!isCanceled && failedItems.length === 0) return undefined;
	const note = noteOnEarlierRuns(context);
	if (isCanceled) {
		const remedy = "Don't run those items again unless each of them has a Send Once Key.";
		const canceled = new ServiceError(callProblems.canceledWhileChecking);
		return toNodeError(node, canceled, undefined, note && `${note} ${remedy}`);
	}
	const count = settled.length;
	const otherItem = failedItems.find(({ error }) => !(error instanceof InputError));
	const shownAlone = otherItem ?? (count === 1 ? failedItems[0] : undefined);
	if (shownAlone) {
		const place = placeOf(shownAlone.index, count, names);
		const unsent = note ? `Nothing was sent this time. ${note}` : 'Nothing was sent.';
		return toNodeError(node, shownAlone.error, place, unsent);
	}
	const wrongCount = failedItems.length;
	const summary = new DescribedError(
		`Nothing was sent, because ${wrongCount} of these ${count} items ${wrongCount === 1 ? 'is' : 'are'} invalid.`,
		'',
		'a-list-failed',
	);
	const lines = linesOfWrongItems(failedItems, count, names);
	const shownLines = fitting(lines, '\n', maxReport, (unshown) => `And ${unshown} more.`);
	return toNodeError(node, summary, undefined, note ? [...shownLines, note] : shownLines);
}

/**
 * Creates the lines of a report on items with wrong values. Each line contains the items, and their problems in
 * form order, each followed by its remedy. A remedy isn't repeated if it is already in an earlier line.
 */
function linesOfWrongItems(
	failedItems: FailedItem[],
	count: number,
	names: Array<ItemName | undefined>,
): string[] {
	const givenRemedies = new Set<string>();
	return sharedMistakes(failedItems).map(({ indexes, parts }) => {
		const partsByRemedy = new Map<string, InputError[]>();
		for (const part of parts) {
			const withSameRemedy = partsByRemedy.get(part.description) ?? [];
			partsByRemedy.set(part.description, [...withSameRemedy, part]);
		}
		const sentences = [...partsByRemedy].flatMap(([remedy, sameParts]) => {
			const problems = `${problemsOf(sameParts).join('; ')}.`;
			if (givenRemedies.has(remedy)) return [problems];
			givenRemedies.add(remedy);
			return [problems, remedy];
		});
		const items = indexes.length === count ? `All ${count} items` : namesOfItems(indexes, names);
		return `${items}: ${sentences.join(' ')}`;
	});
}

/** Mistakes that affect exactly the same items. */
interface SharedMistakes {
	/** The items, in input order. */
	indexes: number[];
	/** One error per mistake. */
	parts: InputError[];
}

/**
 * Groups mistakes by the items that they affect. Groups with more items come first. Groups of the same size
 * are sorted by their first item.
 */
function sharedMistakes(failedItems: FailedItem[]): SharedMistakes[] {
	const mistakesByMessage = new Map<string, { part: InputError; indexes: Set<number> }>();
	for (const { error, index } of failedItems) {
		for (const part of error instanceof InputError ? error.parts : []) {
			const mistake = mistakesByMessage.get(part.message) ?? { part, indexes: new Set() };
			mistake.indexes.add(index);
			mistakesByMessage.set(part.message, mistake);
		}
	}
	const groups = new Map<string, SharedMistakes>();
	for (const { part, indexes } of mistakesByMessage.values()) {
		const key = [...indexes].join();
		const group = groups.get(key) ?? { indexes: [...indexes], parts: [] };
		group.parts.push(part);
		groups.set(key, group);
	}
	const firstOf = ({ indexes }: SharedMistakes) => indexes[0] ?? 0;
	return [...groups.values()].sort(
		(left, right) => right.indexes.length - left.indexes.length || firstOf(left) - firstOf(right),
	);
}

/**
 * Returns the error that ends a run, or undefined if no item failed.
 * - Without recorded Send Once Keys: the first failed item's error, with what was created.
 * - With keys: the error of the first item that definitely wasn't sent, if there is one, with the items that
 *   may have been sent. A run with keys continues after a lost response.
 * @param settled The result for each item; undefined for an item that did not start.
 * @param names The names of all items; empty unless every item has a key that is recorded.
 */
export function errorOfRun(
	context: IExecuteFunctions,
	settled: Array<Settled<ItemOutput[]> | undefined>,
	names: ItemName[] = [],
): Error | undefined {
	const failedItems = failedItemsIn(settled);
	const hasKeys = names.length > 0;
	// With keys, the report already lists the items that may have been sent, so the error itself can be about
	// a different item.
	const unsent = hasKeys ? failedItems.find(({ error }) => !mayHaveCreated(error)) : undefined;
	const shown = unsent ?? failedItems[0];
	if (!shown) return undefined;
	const lines = hasKeys ? reportWithKeys(settled, names) : reportWithoutKeys(settled, shown);
	const place = placeOf(shown.index, settled.length, names);
	return toNodeError(context.getNode(), withoutReported(shown.error, lines), place, lines);
}

/** The beginning of the line about items that may have been sent, in the report for a run with keys. */
const maybeSent = 'These items may have been sent: ';

/** Removes the remedy of an error about an item that may have been sent, if the report contains this remedy. */
function withoutReported(error: unknown, lines: string[]): unknown {
	const isReported = error instanceof ServiceError && error.mayHaveCreated;
	return isReported && lines[0]?.startsWith(maybeSent) ? error.withRemedy('') : error;
}

type SettledItems = Array<Settled<ItemOutput[]> | undefined>;

function createdIn(settled: SettledItems): Array<{ index: number; what: string }> {
	return settled.flatMap((result, index) =>
		(result?.ok ? result.value : []).flatMap((output) =>
			output.created ? [{ index, what: output.created }] : [],
		),
	);
}

function notStartedIn(settled: SettledItems): string {
	const count = settled.filter((result) => result === undefined).length;
	if (count === 0) return '';
	return `${count} of ${settled.length} items ${count === 1 ? "wasn't" : "weren't"} started.`;
}

/**
 * The report for a run without recorded Send Once Keys. It lists what was sent, because running the items
 * again would send everything again.
 */
function reportWithoutKeys(settled: SettledItems, shown: FailedItem): string[] {
	const created = createdIn(settled);
	const unsure = failedItemsIn(settled).filter(
		({ error, index }) => index !== shown.index && mayHaveCreated(error),
	);
	// If the error itself is about such an item, it already contains what to do.
	const whatToDo = mayHaveCreated(shown.error)
		? 'The same applies to the following, which may have been sent as well'
		: "Check your provider's account first, because the following may have been sent";
	return [
		unsure.length > 0 ? `${whatToDo}: ${numbersOf(unsure)}.` : '',
		created.length > 0 ? `${alreadySent(created.length)} again: ${numbersOf(created)}.` : '',
		notStartedIn(settled),
		// The IDs come last, because they are the longest part.
		idsIn(settled),
	].filter(Boolean);
}

function idsIn(settled: SettledItems): string {
	const ids = createdIn(settled).map(({ index, what }) => `${what} (item ${index + 1})`);
	const shown = joinFitting(ids, ', ', maxIds, (unshown) => `and ${unshown} more`);
	return shown && `Created: ${shown}.`;
}

/**
 * The line for n8n's log about an execution that was stopped while the node was sending. n8n discards the output and
 * the error of such a node, so the log is the only place that still shows what was created.
 * @returns '' if nothing was created, and nothing may have been.
 */
export function reportOfStoppedRun(context: IExecuteFunctions, settled: SettledItems): string {
	const unsure = failedItemsIn(settled).filter(({ error }) => mayHaveCreated(error));
	const mayBe = unsure.length > 0 ? `May have been created: ${numbersOf(unsure)}.` : '';
	const lines = [idsIn(settled), mayBe].filter(Boolean).join(' ');
	const execution = `execution ${context.getExecutionId()} was stopped while ${quoted(context.getNode().name)} was sending`;
	return lines && `SignVerify: ${execution}. ${lines}`;
}

function alreadySent(count: number): string {
	return count === 1
		? "1 other item was already sent, so don't send it"
		: `${count} other items were already sent, so don't send these`;
}

/** The maximum length of a Send Once Key in a report, in characters. */
const maxKey = 60;

/**
 * The report for a run with recorded Send Once Keys. The user can run the entire list again, because the node
 * skips items that have already been sent.
 */
function reportWithKeys(settled: SettledItems, names: ItemName[]): string[] {
	if (settled.length === 1) return [];
	const unsureNames = new Map<string, string>();
	for (const [index, result] of settled.entries()) {
		const isUnsure = result?.ok
			? result.value.some((output) => output.isUnsure)
			: result && mayHaveCreated(result.error);
		const name = names[index];
		const shown = nameOfItem(name, index);
		// Items with the same key represent the same document, so list the key once.
		if (isUnsure && name?.key && shown !== undefined && !unsureNames.has(name.key)) {
			unsureNames.set(name.key, shown);
		}
	}
	const created = createdIn(settled);
	const moreNames = (unshown: number) => `and ${unshown} more`;
	const unsure = joinFitting([...unsureNames.values()], ', ', maxIds, moreNames);
	const skips = 'The node skips the items that were already sent.';
	const whatToDo = `${maybeSent}${unsure}. Check your provider's account for them. If you find one, leave the item as it is. If you don't, give the item a different Send Once Key, because the old one counts as used`;
	const isAnyLeft = settled.some(
		(result) => !result || (!result.ok && !mayHaveCreated(result.error)),
	);
	const remedies = isAnyLeft
		? [`${whatToDo}.`, `Then run the whole list again. ${skips}`]
		: [`${whatToDo}, and run the whole list again. ${skips}`];
	return [
		...(unsureNames.size > 0 ? remedies : [`Run the whole list again. ${skips}`]),
		created.length > 0
			? `This time, the node sent ${created.length} ${created.length === 1 ? 'item' : 'items'}: ${numbersOf(created, names)}.`
			: '',
		notStartedIn(settled),
	].filter(Boolean);
}

/** The maximum number of items listed by name. Longer lists use numbers, which take less space. */
const maxNamed = 20;

/**
 * Names items at the start of a line. If each item has a key or a row, and there are at most {@link maxNamed}
 * items, they are named one by one ("C-2, Ana Gil (row 3), C-4, Ben Ray (row 5)"). Otherwise, they are named
 * by number ("Items 2 and 4").
 */
function namesOfItems(indexes: number[], names: Array<ItemName | undefined>): string {
	const shown = indexes.map((index) => nameOfItem(names[index], index));
	if (shown.length <= maxNamed && shown.every((name) => name !== undefined)) {
		return shown.join(', ');
	}
	const numbers = numbersOf(
		indexes.map((index) => ({ index })),
		names,
	);
	return numbers.charAt(0).toUpperCase() + numbers.slice(1);
}

/**
 * Names an item by its key, its people and its row, because users recognize these, but not the item numbers,
 * which don't count a spreadsheet's header and its empty rows. Returns undefined for an item without a key and
 * without a row.
 */
function nameOfItem(name: ItemName | undefined, index: number): string | undefined {
	const { key, person, row } = name ?? {};
	if (!key && !row) return undefined;
	// Sanitize a text before shortening it, because a login in a URL can no longer be detected if the URL has
	// been cut off.
	const parts = [key, person].flatMap((text) => (text ? [cutText(plainText(text), maxKey)] : []));
	const place = row ? `row ${row}` : `item ${index + 1}`;
	return parts.length > 0 ? `${parts.join(', ')} (${place})` : `Row ${row}`;
}

/** Returns how an error's message names the item that it is about. */
function placeOf(index: number, count: number, names: Array<ItemName | undefined>) {
	return { index, count, name: nameOfItem(names[index], index) };
}

/**
 * Names items by number, in the given order: "items 1 and 2", "items 1 to 1200, 1204".
 * @param names The items' names. If the rows of all these items are known, they take the place of the item
 * numbers: "rows 2 and 3".
 */
export function numbersOf(items: Array<{ index: number }>, names: NamesByIndex = []): string {
	const rows = items.map(({ index }) => Number(names[index]?.row));
	const isByRow = rows.every(Number.isSafeInteger);
	const noun = isByRow ? 'row' : 'item';
	const ranges: Array<{ first: number; last: number }> = [];
	// Item numbers in messages start at 1.
	for (const number of isByRow ? rows : items.map(({ index }) => index + 1)) {
		const range = ranges.at(-1);
		if (range && number >= range.last && number <= range.last + 1) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	const numbers = ranges.flatMap(({ first, last }) => {
		if (last === first) return [String(first)];
		return last === first + 1 ? [String(first), String(last)] : [`${first} to ${last}`];
	});
	if (items.length === 2) return `${noun}s ${numbers.join(' and ')}`;
	const list = joinFitting(numbers, ', ', maxNumbers, () => 'and others');
	return `${noun}${items.length === 1 ? '' : 's'} ${list}`;
}

/** Joins the parts that fit ({@link fitting}). */
function joinFitting(
	parts: string[],
	separator: string,
	maxLength: number,
	textForUnshown: (count: number) => string,
): string {
	return fitting(parts, separator, maxLength, textForUnshown).join(separator);
}

/**
 * Returns as many parts as fit into `maxLength` characters, and then a note that says how many aren't shown.
 */
function fitting(
	parts: string[],
	separator: string,
	maxLength: number,
	textForUnshown: (count: number) => string,
): string[] {
	const shown: string[] = [];
	let length = 0;
	for (const part of parts) {
		length += part.length + separator.length;
		// Show the first part even if it is too long.
		if (length > maxLength && shown.length > 0) break;
		shown.push(part);
	}
	const unshownCount = parts.length - shown.length;
	if (unshownCount > 0) shown.push(textForUnshown(unshownCount));
	return shown;
}
