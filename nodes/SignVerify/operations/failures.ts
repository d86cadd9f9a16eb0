import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError, toNodeError, wordsOf } from '../transport/errors';
import { plainText } from '../util/plainText';
import type { Settled } from './runItems';
import type { ItemOutput } from './types';

/**
 * What an input item that failed comes out as, where the node is set to continue on errors. It has
 * the one key `error`: that is what n8n's error output recognises in every version, and it leaves
 * room for more than a message.
 */
export function errorItem(error: unknown, itemIndex: number): IDataObject {
	const details: IDataObject = { ...wordsOf(error) };
	if (error instanceof ServiceError) {
		if (error.answered !== undefined) details.httpStatus = error.answered;
		if (error.mayHaveCreated) details.mayHaveBeenCreated = true;
	}
	return { error: { ...details, itemIndex } };
}

/**
 * The error that a run ends with.
 * @param index The item whose failure it is.
 * @returns n8n's error; its description says what the run leaves behind.
 */
export function failureOfRun(
	context: IExecuteFunctions,
	settled: Array<Settled<ItemOutput[]>>,
	index: number,
): Error {
	const failure = settled[index];
	// The IDs in it are words of the service.
	const report = plainText(reportOfRun(settled, index), longestReport);
	return toNodeError(
		context.getNode(),
		failure?.state === 'failed' ? failure.error : undefined,
		{ index, count: settled.length },
		report,
	);
}

/** Characters: the longest list of ids, and a sentence or two. */
const longestReport = 10_000;

/** How many ids one error lists; the rest is counted. */
const listedCreations = 50;

/**
 * What a run that stops half way leaves behind: nothing of it need be sent twice. People count items
 * from 1.
 */
function reportOfRun(settled: Array<Settled<ItemOutput[]>>, failedIndex: number): string {
	const created: string[] = [];
	const unsure: number[] = [];
	settled.forEach((each, index) => {
		if (each.state === 'done') {
			for (const output of each.output) {
				if (output.created) created.push(`${output.created} (item ${index + 1})`);
			}
		} else if (each.state === 'failed' && index !== failedIndex) {
			if (each.error instanceof ServiceError && each.error.mayHaveCreated) unsure.push(index + 1);
		}
	});
	const notStarted = settled.filter((each) => each.state === 'notStarted').length;
	const more =
		created.length > listedCreations ? ` and ${created.length - listedCreations} more` : '';
	return [
		created.length
			? `Created in this run, do not send again: ${created.slice(0, listedCreations).join(', ')}${more}.`
			: '',
		unsure.length ? `Items ${unsure.join(', ')} may have been created, too.` : '',
		notStarted ? `${notStarted} of ${settled.length} items were not started.` : '',
	]
		.filter(Boolean)
		.join(' ');
}
