import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError, toNodeError, describeError } from '../http/errors';
import { plainText } from '../util/redact';
import { InputError } from './inputError';
import type { Settled } from './runItems';
import type { ItemOutput } from './types';

/**
 * The output for an item that failed, if the node continues on errors. Its only key is `error`, which
 * n8n's error output recognises in every version.
 */
export function errorItem(error: unknown, itemIndex: number): IDataObject {
	const details: IDataObject = { ...describeError(error) };
	if (error instanceof ServiceError && error.answered !== undefined) {
		details.httpStatus = error.answered;
	}
	// Tells a wrong value from a failure of the service, without reading the message.
	if (error instanceof InputError) details.invalidFields = error.parts.map(({ field }) => field);
	if (mayHaveCreated(error)) details.mayHaveBeenCreated = true;
	return { error: { ...details, itemIndex } };
}

function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/** The most characters of a report: the longest list of IDs, and one or two sentences. */
const maxReport = 10_000;

/** How many IDs one error lists; the others are counted. */
const maxListed = 50;

/**
 * The error with which a run ends. Its description says what was created before.
 * @param index The item that failed.
 */
export function failureOfRun(
	context: IExecuteFunctions,
	settled: Array<Settled<ItemOutput[]>>,
	index: number,
): Error {
	const failure = settled[index];
	const error = failure?.state === 'failed' ? failure.error : undefined;
	// The IDs in it are the service's words.
	const report = plainText(reportOfRun(settled, index), maxReport);
	return toNodeError(context.getNode(), error, { index, count: settled.length }, report);
}

/** What a run has created before it stopped, and must not be sent again. People count items from 1. */
function reportOfRun(settled: Array<Settled<ItemOutput[]>>, failedIndex: number): string {
	const created = settled.flatMap((each, index) =>
		(each.state === 'done' ? each.output : [])
			.filter((output) => output.created)
			.map((output) => `${output.created} (item ${index + 1})`),
	);
	const unsure = settled.flatMap((each, index) => {
		const isOther = each.state === 'failed' && index !== failedIndex;
		return isOther && mayHaveCreated(each.error) ? [index + 1] : [];
	});
	const notStarted = settled.filter(({ state }) => state === 'notStarted').length;
	const listed = created.slice(0, maxListed).join(', ');
	const more = created.length > maxListed ? ` and ${created.length - maxListed} more` : '';
	const sentences = [
		created.length && `Created in this run, do not send again: ${listed}${more}.`,
		unsure.length && `Items ${unsure.join(', ')} may have been created, too.`,
		notStarted && `${notStarted} of ${settled.length} items were not started.`,
	];
	return sentences.filter(Boolean).join(' ');
}
