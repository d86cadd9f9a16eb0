import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ServiceError, toNodeError, describeError } from '../http/errors';
import type { Settled } from '../util/async';
import { plainText } from '../util/redact';
import { InputError } from './inputError';
import type { ItemOutput } from './types';

/**
 * The output for an item that failed, if the node continues on errors. Its only key is `error`, which
 * n8n's error output recognises in every version.
 */
export function errorItem(error: unknown, itemIndex: number): INodeExecutionData {
	const details: IDataObject = { ...describeError(error) };
	if (error instanceof ServiceError && error.answered !== undefined) {
		details.httpStatus = error.answered;
	}
	// Tells a wrong value from a failure of the service, without reading the message.
	if (error instanceof InputError) details.invalidFields = error.parts.map(({ field }) => field);
	if (mayHaveCreated(error)) details.mayHaveBeenCreated = true;
	return { json: { error: { ...details, itemIndex } }, pairedItem: { item: itemIndex } };
}

function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/** The most characters of a report: about 200 IDs, and one or two sentences. */
const maxReport = 10_000;

/**
 * The error with which a run ends, that of the first item that failed. Its description says what was
 * created before, and must not be sent again. People count items from 1.
 * @param settled How each item ended; undefined for one that was not started.
 * @returns undefined if none has failed.
 */
export function failureOfRun(
	context: IExecuteFunctions,
	settled: Array<Settled<ItemOutput[]> | undefined>,
): Error | undefined {
	const failures = settled.flatMap((each, index) =>
		each && !each.ok ? [{ error: each.error, index }] : [],
	);
	const [first, ...others] = failures;
	if (!first) return undefined;
	const created = settled.flatMap((each, index) =>
		(each?.ok ? each.value : [])
			.filter((output) => output.created)
			.map((output) => `${output.created} (item ${index + 1})`),
	);
	const unsure = others
		.filter(({ error }) => mayHaveCreated(error))
		.map(({ index }) => `item ${index + 1}`);
	const notStarted = settled.filter((each) => !each).length;
	// The longest one last, because the end may be cut.
	const sentences = [
		notStarted && `${notStarted} of ${settled.length} items were not started.`,
		unsure.length && `Look at the service first, because it may have created ${unsure.join(', ')}.`,
		created.length &&
			`Created in this run (${created.length}), do not send again: ${created.join(', ')}.`,
	];
	// The IDs in it are the service's words.
	const report = plainText(sentences.filter(Boolean).join(' '), maxReport);
	const place = { index: first.index, count: settled.length };
	return toNodeError(context.getNode(), first.error, place, report);
}
