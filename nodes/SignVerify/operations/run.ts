import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../transport/attempt';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';
import { InputFailure, ServiceFailure } from '../transport/failure';
import { runItems, type Settled } from '../transport/items';
import { waitOn } from '../waiting/goOn';
import { abandonWait, waitForAll, type WaitingOutput } from '../waiting/wait';
import { findOperation } from './index';
import { createItemContexts } from './itemContext';
import { readCallOptions } from './options';
import { sendOnce } from './sendOnce';
import type { ItemContext, ItemOutput, Operation } from './types';

/** How long (ms) one call of a run may be tried again, a service's rate limit waited out. */
const patience = 300_000;

/**
 * Runs the chosen operation over all input items: in parallel within a bound, out in input order,
 * each output paired with its input (design rules 2 and 4).
 * @returns The items of each output; a second output is there for signatures (waiting/rounds.ts).
 * @throws NodeApiError or NodeOperationError for the first item that failed, unless the node is set
 * to continue on errors; it says what had been created before.
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context);
	if (operation.waits) {
		const again = await attempt(waitOn(context, new ServiceClient(context)));
		if (!again.ok) throw toNodeError(context.getNode(), again.error);
		if (again.value) return again.value;
	}
	const count = context.getInputData().length;
	const goOn = context.continueOnFail();

	const { parallel, perSecond, timeout } = guarded(context, () => readCallOptions(context));
	const service = new ServiceClient(context, { timeout, perSecond, patience });
	const contextOf = createItemContexts(context, service);
	const settled = await runItems(
		count,
		async (index) => await runItem(operation, contextOf(index)),
		{
			parallel,
			stopOnFailure: !goOn,
			signal: context.getExecutionCancelSignal(),
		},
	);

	const firstFailure = settled.findIndex((each) => each.state === 'failed');
	if (firstFailure >= 0 && !goOn) {
		if (operation.waits) await abandonWait(context, service);
		throw failureOfRun(context, operation, settled, firstFailure);
	}
	const outputs = settled.flatMap((each, index) => outputOf(each, index));
	return [operation.waits ? await waitForAll(context, service, outputs) : outputs];
}

async function runItem(operation: Operation, item: ItemContext): Promise<ItemOutput[]> {
	if (!operation.sendsOnce) return await operation.run(item);
	const name = `${operation.resource}/${operation.value}`;
	return await sendOnce(item, name, async () => await operation.run(item));
}

function chosenOperation(context: IExecuteFunctions): Operation {
	return guarded(context, () => {
		const resource = String(context.getNodeParameter('resource', 0));
		const value = String(context.getNodeParameter('operation', 0));
		const operation = findOperation(resource, value);
		if (operation) return operation;
		throw new InputFailure(
			'Operation',
			`there is no "${value}" for ${resource}`,
			'Choose one from the list.',
		);
	});
}

function guarded<Value>(context: IExecuteFunctions, read: () => Value): Value {
	try {
		return read();
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

/**
 * An error item has the one key `error`: that is what n8n's error output recognises in every
 * version, and it leaves room for more than a message.
 */
function outputOf(settled: Settled<ItemOutput[]>, index: number): WaitingOutput[] {
	const pairedItem = { item: index };
	if (settled.state === 'done') return settled.output.map((each) => ({ ...each, pairedItem }));
	if (settled.state === 'untouched') return [];
	const { error } = settled;
	const message = error instanceof Error ? error.message : 'An unknown error occurred';
	const known = error instanceof ServiceFailure || error instanceof InputFailure;
	return [
		{
			json: {
				error: {
					message,
					...(known ? { description: error.description } : {}),
					...(error instanceof ServiceFailure && error.answered !== undefined
						? { httpStatus: error.answered }
						: {}),
					...(error instanceof ServiceFailure && error.effect === 'unknown'
						? { mayHaveBeenCreated: true }
						: {}),
					itemIndex: index,
				},
			},
			pairedItem,
		},
	];
}

function failureOfRun(
	context: IExecuteFunctions,
	operation: Operation,
	settled: Array<Settled<ItemOutput[]>>,
	index: number,
): Error {
	const failure = settled[index];
	const error = toNodeError(
		context.getNode(),
		failure?.state === 'failed' ? failure.error : undefined,
		index,
	);
	const report = reportOfRun(operation, settled, index);
	if (report) error.description = `${error.description ?? ''} ${report}`.trim();
	return error;
}

/** How many ids one error lists; the rest is counted. */
const listedCreations = 50;

/** What a run that stops half way leaves behind: nothing of it need be sent twice. */
function reportOfRun(
	operation: Operation,
	settled: Array<Settled<ItemOutput[]>>,
	failedIndex: number,
): string {
	if (!operation.created) return '';
	const created: string[] = [];
	const unsure: number[] = [];
	settled.forEach((each, index) => {
		if (each.state === 'done') {
			const own = each.output.filter(({ json }) => json.skipped !== true);
			created.push(...own.map(({ json }) => `${operation.created?.(json)} (item ${index})`));
		} else if (each.state === 'failed' && index !== failedIndex) {
			if (each.error instanceof ServiceFailure && each.error.effect === 'unknown')
				unsure.push(index);
		}
	});
	const untouched = settled.filter((each) => each.state === 'untouched').length;
	const more =
		created.length > listedCreations ? ` and ${created.length - listedCreations} more` : '';
	return [
		created.length
			? `Created in this run, do not send again: ${created.slice(0, listedCreations).join(', ')}${more}.`
			: '',
		unsure.length ? `Items ${unsure.join(', ')} may have been created, too.` : '',
		untouched ? `${untouched} of ${settled.length} items were not started.` : '',
	]
		.filter(Boolean)
		.join(' ');
}
