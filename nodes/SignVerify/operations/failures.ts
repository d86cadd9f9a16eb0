import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { DescribedError, ServiceError, toNodeError, describeError } from '../http/errors';
import { InputError } from '../input/inputError';
import type { ItemOutput } from '../input/item';
import type { Settled } from '../util/async';
import { plainText } from '../util/redact';

/**
 * The output for an item that failed, if the node continues on errors. Its only key is `error`, which
 * n8n's error output recognises in every version.
 */
export function errorItem(error: unknown, itemIndex: number): INodeExecutionData {
	const details: IDataObject = { ...describeError(error) };
	// Workflows decide by it what became of the item, so only the service's own counts.
	if (error instanceof ServiceError && error.serviceStatus !== undefined) {
		details.httpStatus = error.serviceStatus;
	}
	// Tells a wrong value from a failure of the service, without reading the message.
	if (error instanceof InputError) {
		details.invalidFields = [...new Set(error.parts.map(({ field }) => field))];
	}
	if (mayHaveCreated(error)) details.mayHaveBeenCreated = true;
	return { json: { error: { ...details, itemIndex } }, pairedItem: { item: itemIndex } };
}

function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/** The most characters of a report. */
const maxReport = 10_000;

/** The most characters in it of a list of numbers, and of one of IDs. */
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

/** In a loop or a sub-workflow, the node runs several times, and one run knows nothing of the others. */
const earlierRuns =
	'In a loop or a sub-workflow, earlier rounds may have sent others: see their output in the execution.';

/**
 * The error of a run whose items were checked, and none was sent.
 * @param settled How checking each item ended; undefined for one that was not checked any more.
 * @returns A failure that is not of an item's values, in its own words; otherwise all items that are wrong,
 * and undefined if there is none.
 */
export function failureOfChecks(
	context: IExecuteFunctions,
	settled: Array<Settled<unknown> | undefined>,
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
		const unsent = count === 1 ? 'It was not sent.' : `None of these ${count} items was sent.`;
		return toNodeError(node, failed.error, { index: failed.index, count }, unsent);
	}
	const wrong = wrongItems(failures);
	if (wrong.length === 0) return undefined;
	const summary = new DescribedError(
		`None of these ${count} items was sent, because ${wrong.length} of them ${wrong.length === 1 ? 'is' : 'are'} wrong.`,
		'',
		'nothing-was-sent',
	);
	const items = fitted(wrong, ' ', maxReport, (left) => `And ${left} more.`);
	return toNodeError(node, summary, undefined, `${items} ${earlierRuns}`);
}

const cancelledWhileChecking = new DescribedError(
	'The execution was cancelled before any of these items was sent',
	`${earlierRuns} Without a Send Once Key, do not send those again.`,
	'the-execution-was-cancelled-before-this-item-was-sent',
);

/** Each wrong item with all its wrong values, and behind them what to do, unless it was said before. */
function wrongItems(failures: Failure[]): string[] {
	const said = new Set<string>();
	return failures.map(({ error, index }) => {
		const parts = error instanceof InputError ? error.parts : [];
		const problems = parts.map(({ message }) => message).join('; ');
		const remedies = parts
			.map(({ description }) => description)
			.filter((remedy) => !said.has(remedy));
		for (const remedy of remedies) said.add(remedy);
		return [`Item ${index + 1}: ${problems}.`, ...new Set(remedies)].join(' ');
	});
}

/**
 * The error with which a run ends, that of the first item that failed. Its description says what was
 * created before, and must not be sent again: all items by their numbers, which count from 1, and as many
 * IDs as fit.
 * @param settled How each item ended; undefined for one that was not started.
 * @returns undefined if none has failed.
 */
export function failureOfRun(
	context: IExecuteFunctions,
	settled: Array<Settled<ItemOutput[]> | undefined>,
): Error | undefined {
	const [first, ...others] = failuresIn(settled);
	if (!first) return undefined;
	const created = settled.flatMap((ended, index) =>
		(ended?.ok ? ended.value : []).flatMap((output) =>
			output.created ? [{ index, what: output.created }] : [],
		),
	);
	const ids = created.map(({ index, what }) => `${what} (item ${index + 1})`);
	const unsure = others.filter(({ error }) => mayHaveCreated(error));
	const notStarted = settled.filter((ended) => !ended).length;
	// The longest one last.
	const sentences = [
		unsure.length && `Look at the service first, because it may have created ${numbersOf(unsure)}.`,
		created.length &&
			`Created in this run (${created.length}), do not send again: ${numbersOf(created)}.`,
		notStarted && `${notStarted} of ${settled.length} items were not started.`,
		ids.length && `The service has ${fitted(ids, ', ', maxIds, (left) => `and ${left} more`)}.`,
	];
	// The IDs in it are the service's words.
	const report = plainText(sentences.filter(Boolean).join(' '), maxReport);
	const place = { index: first.index, count: settled.length };
	return toNodeError(context.getNode(), first.error, place, report);
}

/** Items by their numbers, in their order: "items 1 to 1200, 1204". */
function numbersOf(items: Array<{ index: number }>): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const { index } of items) {
		const last = ranges.at(-1);
		if (last && index <= last.to + 1) last.to = index;
		else ranges.push({ from: index, to: index });
	}
	const words = ranges.map(({ from, to }) =>
		from === to ? `${from + 1}` : `${from + 1} to ${to + 1}`,
	);
	return `${items.length === 1 ? 'item' : 'items'} ${fitted(words, ', ', maxNumbers, () => 'and others')}`;
}

/** As many parts as fit into so many characters, and how many more there are. */
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
		// The first one is always shown.
		if (length > max && shown.length > 0) break;
		shown.push(part);
	}
	const left = parts.length - shown.length;
	if (left > 0) shown.push(more(left));
	return shown.join(separator);
}
