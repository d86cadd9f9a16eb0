import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../transport/attempt';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';
import { InputFailure } from '../transport/failure';
import { runItems, type Settled } from '../transport/items';
import { waitOn } from '../waiting/goOn';
import { abandonWait, waitForAll, type WaitingOutput } from '../waiting/wait';
import { errorItem } from './errorItem';
import { findOperation } from './index';
import { createItemContexts } from './itemContext';
import { readCallOptions } from './options';
import { failureOfRun } from './runFailure';
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
		throw failureOfRun(context, settled, firstFailure);
	}
	const outputs = settled.flatMap((each, index) => outputOf(each, { item: index }));
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

function outputOf(settled: Settled<ItemOutput[]>, pairedItem: { item: number }): WaitingOutput[] {
	if (settled.state === 'untouched') return [];
	if (settled.state === 'failed')
		return [{ json: errorItem(settled.error, pairedItem.item), pairedItem }];
	return settled.output.map(({ json, binary, awaited }) => ({
		json,
		...(binary ? { binary } : {}),
		...(awaited ? { awaited } : {}),
		pairedItem,
	}));
}
