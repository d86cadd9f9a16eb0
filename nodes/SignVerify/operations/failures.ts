import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	DescribedError,
	describeError,
	mayHaveCreated,
	ServiceError,
	toNodeError,
} from '../http/errors';
import { InputError, problemsOf } from '../input/inputError';
import type { ItemOutput } from '../input/item';
import type { Settled } from '../util/async';
import { plainText } from '../util/redact';
import { cutText } from '../util/values';

/**
 * The output for an item that failed, if the node continues on errors. The only key is `error`, because every version
 * of n8n sends such an item to the error output.
 */
export function errorItem(error: unknown, itemIndex: number): INodeExecutionData {
	const details: IDataObject = { ...describeError(error) };
	// Workflows use this status to decide what became of the item, so only a status that the service returned counts.
	if (error instanceof ServiceError && error.serviceStatus !== undefined) {
		details.httpStatus = error.serviceStatus;
	}
	// Workflows can distinguish a wrong value from a failure of the service without parsing the message.
	if (error instanceof InputError) {
		details.invalidFields = [...new Set(error.parts.map(({ field }) => field))];
	}
	if (mayHaveCreated(error)) details.mayHaveBeenCreated = true;
	return { json: { error: { ...details, itemIndex } }, pairedItem: { item: itemIndex } };
}

/** The maximum length of a report, in characters. */
const maxReport = 10_000;

/** The maximum length of a list of item numbers in a report, and of a list of IDs, in characters. */
const maxNumbers = 1500;
const maxIds = 6000;

/** An item that failed. */
interface Failure {
	error: unknown;
	index: number;
}

function failuresIn(settled: Array<Settled<unknown> | undefined>): Failure[] {
	return settled.flatMap((ended, index) =>
		ended && !ended.ok ? [{ error: ended.error, index }] : [],
	);
}

/** In a loop or a sub-workflow, the node runs several times, and each run knows only its own items. */
const earlierRuns =
	'If this node is in a loop or a sub-workflow, earlier rounds may have sent other items. You can see their output in the execution.';

/**
 * The error of a run that stopped after checking its items, before anything was sent.
 * @param settled How the check of each item ended; undefined if the checks stopped before the item.
 * @param keys The Send Once Keys of the wrong items. People find a row by its key, because item numbers skip the
 * heading and the empty rows of a list.
 * @returns The first error that is not about an item's values, with its own message; otherwise a list of all wrong
 * items, or undefined if every item is right.
 */
export function failureOfChecks(
	context: IExecuteFunctions,
	settled: Array<Settled<unknown> | undefined>,
	keys: Array<string | undefined> = [],
): Error | undefined {
	const node = context.getNode();
	if (context.getExecutionCancelSignal()?.aborted) {
		return toNodeError(node, cancelledWhileChecking);
	}
	const count = settled.length;
	const failures = failuresIn(settled);
	const failed =
		failures.find(({ error }) => !(error instanceof InputError)) ?? (count === 1 && failures[0]);
	if (failed) {
		const unsent = count === 1 ? 'Nothing was sent.' : `None of these ${count} items was sent.`;
		return toNodeError(node, failed.error, { index: failed.index, count }, unsent);
	}
	if (failures.length === 0) return undefined;
	const { length } = failures;
	const summary = new DescribedError(
		`None of these ${count} items was sent, because ${length} of them ${length === 1 ? 'is' : 'are'} wrong.`,
		'',
		'nothing-was-sent',
	);
	const lines = wrongItems(failures, count, keys);
	const items = fitted(lines, '\n', maxReport, (left) => `And ${left} more.`);
	return toNodeError(node, summary, undefined, `${items}\n${earlierRuns}`);
}

const cancelledWhileChecking = new DescribedError(
	'The execution was cancelled before any of these items was sent',
	`${earlierRuns} Without a Send Once Key, don't send those again.`,
	'the-execution-was-cancelled-before-this-item-was-sent',
);

/**
 * The lines of a report on wrong items. Problems that exactly the same items have share one line, and the lines for
 * the most items come first. Each line names its items, then their problems in the order of the form, then what to do
 * about them, unless an earlier line contains the same advice.
 */
function wrongItems(failures: Failure[], count: number, keys: Array<string | undefined>): string[] {
	const wrong = failures.flatMap(({ error, index }) =>
		error instanceof InputError ? error.parts.map((part) => ({ part, index })) : [],
	);
	const itemsOf = new Map<string, Set<number>>();
	for (const { part, index } of wrong) {
		itemsOf.set(part.message, (itemsOf.get(part.message) ?? new Set()).add(index));
	}
	const namesOf = new Map([...itemsOf].map(([message, items]) => [message, [...items].join()]));
	const lines = new Map<string, { items: number[]; parts: Map<string, InputError> }>();
	for (const { part } of wrong) {
		const { message } = part;
		const name = namesOf.get(message) ?? '';
		const parts = lines.get(name)?.parts ?? new Map<string, InputError>();
		parts.set(message, parts.get(message) ?? part);
		lines.set(name, { items: [...(itemsOf.get(message) ?? [])], parts });
	}
	const said = new Set<string>();
	// Lines for the same number of items are sorted by their first item.
	const sorted = [...lines.values()].sort(
		(one, two) => two.items.length - one.items.length || (one.items[0] ?? 0) - (two.items[0] ?? 0),
	);
	return sorted.map(({ items, parts }) => {
		const all = [...parts.values()];
		const remedies = new Set(
			all.map(({ description }) => description).filter((remedy) => !said.has(remedy)),
		);
		for (const remedy of remedies) said.add(remedy);
		const isForAll = items.length === count;
		const named = isForAll ? `All ${count} items` : namesOfItems(items, keys);
		const problems = plainText(problemsOf(all).join('; '), maxReport);
		return [`${named}: ${problems}.`, ...remedies].join(' ');
	});
}

/**
 * The error with which a run ends. Without Send Once Keys, this is the error of the first item that failed, and the
 * description lists what was created and must not be sent again: the item numbers, counted from 1, and as many IDs as
 * fit. With keys, an item that certainly was not sent takes precedence, because the description names the uncertain
 * items by their keys and explains what to do with the whole list.
 * @param settled How each item ended; undefined for an item that was not started.
 * @param keys The Send Once Keys of all items; empty unless every item has a key.
 * @returns undefined if no item failed.
 */
export function failureOfRun(
	context: IExecuteFunctions,
	settled: Array<Settled<ItemOutput[]> | undefined>,
	keys: string[] = [],
): Error | undefined {
	const failures = failuresIn(settled);
	const hasKeys = keys.length > 0;
	// With keys, the report names the items that may have been sent, so the error can be about another item.
	const ended = hasKeys ? failures.find(({ error }) => !mayHaveCreated(error)) : undefined;
	const first = ended ?? failures[0];
	if (!first) return undefined;
	const lines = hasKeys ? reportWithKeys(settled, keys) : report(settled, failures.slice(1));
	// Keys and IDs come from outside the node, so they may contain markup.
	const words = lines.map((line) => `\n${plainText(line, maxReport)}`).join('');
	const place = { index: first.index, count: settled.length };
	return toNodeError(context.getNode(), first.error, place, words);
}

type SettledItems = Array<Settled<ItemOutput[]> | undefined>;

function createdIn(settled: SettledItems): Array<{ index: number; what: string }> {
	return settled.flatMap((ended, index) =>
		(ended?.ok ? ended.value : []).flatMap((output) =>
			output.created ? [{ index, what: output.created }] : [],
		),
	);
}

function notStartedIn(settled: SettledItems): string {
	const count = settled.filter((ended) => !ended).length;
	if (count === 0) return '';
	return `${count} of ${settled.length} items ${count === 1 ? 'was' : 'were'} not started.`;
}

/** The report without Send Once Keys: running the list again would send everything again, so it lists what was sent. */
function report(settled: SettledItems, others: Failure[]): string[] {
	const created = createdIn(settled);
	const ids = created.map(({ index, what }) => `${what} (item ${index + 1})`);
	const unsure = others.filter(({ error }) => mayHaveCreated(error));
	const sentences = [
		unsure.length &&
			`Check your provider's account first, because it may have created ${numbersOf(unsure)}.`,
		created.length &&
			`Already created for other items (${created.length}), so don't send these again: ${numbersOf(created)}.`,
		notStartedIn(settled),
		// The IDs come last, because they are the longest part.
		ids.length && `Created: ${fitted(ids, ', ', maxIds, (left) => `and ${left} more`)}.`,
	];
	return sentences.filter(
		(sentence) => typeof sentence === 'string' && sentence !== '',
	) as string[];
}

/** The maximum length of a Send Once Key in a report, in characters. */
const maxKey = 60;

/** The report with Send Once Keys: the person can run the whole list again, because sent items are skipped. */
function reportWithKeys(settled: SettledItems, keys: string[]): string[] {
	if (settled.length === 1) return [];
	const unsure = new Map<string, string>();
	for (const [index, ended] of settled.entries()) {
		const isUnsure = ended?.ok
			? ended.value.some((output) => output.isUnsure)
			: ended && mayHaveCreated(ended.error);
		const key = keys[index] ?? '';
		// Items with the same key stand for the same document, so the key is listed once.
		const [name] = keyed(key, index);
		if (isUnsure && name && !unsure.has(key)) unsure.set(key, name);
	}
	const created = createdIn(settled);
	const names = fitted([...unsure.values()], ', ', maxIds, (left) => `and ${left} more`);
	return [
		'Run the whole list again. Items that were sent are skipped.',
		unsure.size > 0
			? `Check only these in your provider's account, because they may have been sent: ${names}. They are skipped as well. To send one that isn't there, give it another Send Once Key.`
			: '',
		created.length > 0 ? `Sent in this run (${created.length}): ${numbersOf(created)}.` : '',
		notStartedIn(settled),
	].filter(Boolean);
}

/** The maximum number of items that are named by their keys. Longer lists are shorter as item numbers. */
const maxNamed = 20;

/** Names items at the beginning of a line, by key if each has one: "C-2 (item 2), C-4 (item 4)", "Items 2 and 4". */
function namesOfItems(items: number[], keys: Array<string | undefined>): string {
	const named = items.flatMap((index) => keyed(keys[index], index));
	if (named.length === items.length && named.length <= maxNamed) return named.join(', ');
	const numbers = numbersOf(items.map((index) => ({ index })));
	return numbers.charAt(0).toUpperCase() + numbers.slice(1);
}

/** Names an item by its key, because people know their keys, not item numbers; empty for an item without a key. */
function keyed(key: string | undefined, index: number): string[] {
	return key ? [`${cutText(key, maxKey)} (item ${index + 1})`] : [];
}

/** Names items by number, in the given order: "items 1 and 2", "items 1 to 1200, 1204". */
function numbersOf(items: Array<{ index: number }>): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const { index } of items) {
		const last = ranges.at(-1);
		if (last && index <= last.to + 1) last.to = index;
		else ranges.push({ from: index, to: index });
	}
	const words = ranges.flatMap(({ from, to }) => {
		const [first, last] = [String(from + 1), String(to + 1)];
		if (to - from < 2) return from === to ? [first] : [first, last];
		return [`${first} to ${last}`];
	});
	if (items.length === 2) return `items ${words.join(' and ')}`;
	return `${items.length === 1 ? 'item' : 'items'} ${fitted(words, ', ', maxNumbers, () => 'and others')}`;
}

/** Joins as many parts as fit into `max` characters, followed by how many are left. */
function fitted(
	parts: string[],
	separator: string,
	max: number,
	more: (left: number) => string,
): string {
	const shown: string[] = [];
	let length = 0;
	for (const part of parts) {
		length += part.length + separator.length;
		// The first part is shown even if it is too long.
		if (length > max && shown.length > 0) break;
		shown.push(part);
	}
	const left = parts.length - shown.length;
	if (left > 0) shown.push(more(left));
	return shown.join(separator);
}
