import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Account } from '../account/account';
import { InputError } from '../errors/inputError';
import { canceledItem } from '../http/failures';
import { mayHaveCreated } from '../http/serviceError';
import type { ItemContext, ItemContexts, ItemOutput } from '../item/item';
import type { Settled } from '../util/async';
import { type ItemName, shownName } from './itemNames';
import type { Operation } from './operationTypes';
import { errorItem, errorOfRun, reportOfStoppedRun } from './runErrors';
import { runItems, type RunItemsOptions } from './parallelItems';
import { explainUnreadableList } from './unreadableList';
import { explainUnsplitColumn } from './unsplitColumn';

/** One run of an operation, and what all of its items share. */
export interface Run extends ItemContexts {
	context: IExecuteFunctions;
	count: number;
	account: Settled<Account>;
	maxParallelItems: number;
	signal: AbortSignal | undefined;
	stopsOnError: boolean;
}

/**
 * @param options.names The name of each item; empty unless all items have a recorded Send Once Key.
 * @param options.nameOf The name of an item that warnings are about.
 * @throws NodeApiError or NodeOperationError if the node stops on errors and an item failed.
 */
export async function workOnAllItems(
	run: Run,
	operation: Operation,
	{
		work,
		names = [],
		nameOf = () => undefined,
		leftOut,
		keyOf,
	}: {
		work: (item: ItemContext) => Promise<ItemOutput[]>;
		names?: ItemName[];
		nameOf?: (index: number) => ItemName | undefined;
		leftOut?: Set<number>;
		keyOf?: (index: number) => string | undefined;
	},
): Promise<INodeExecutionData[]> {
	const { context, account, stopsOnError } = run;
	const stopsAfterLoss = afterLostResponses(names.length > 0 ? maxLostResponses : 1);
	const settled = await runAllItems(run, work, {
		slots: operation.callsOthers || !account.ok ? undefined : account.value.slots,
		stopsAfter: (error) => stopsOnError && stopsAfterLoss(error),
	});
	run.showWarnings((index) => shownName(nameOf(index), index));
	const stopped = run.signal?.aborted ? reportOfStoppedRun(context, settled) : '';
	if (stopped) context.logger.warn(stopped);
	const { sends } = operation;
	const error = stopsOnError ? errorOfRun(context, settled, { names, leftOut, sends }) : undefined;
	if (error) throw error;
	return settled.flatMap((result, index) => {
		if (result?.ok) return outputsOf(result.value, index);
		// If an item has no result here, the execution was canceled. A run that is stopped by an error throws
		// before reaching this point.
		const failure = result ? result.error : canceledItem();
		return [errorItem(failure, index, operation, keyOf?.(index))];
	});
}

/**
 * Runs `work` for all of a run's items. Every error about a wrong value passes through this function, so this
 * is where {@link explainUnsplitColumn} explains a missing value if a CSV file was read with the wrong
 * separator.
 * @returns The result for each item ({@link runItems}).
 */
export async function runAllItems<Output>(
	{ count, maxParallelItems, signal, contextOf }: Run,
	work: (item: ItemContext) => Promise<Output>,
	options: Pick<RunItemsOptions, 'slots' | 'stopsAfter' | 'turns'>,
): Promise<Array<Settled<Output> | undefined>> {
	const settled = await runItems(count, async (index) => await work(contextOf(index)), {
		maxParallelItems,
		signal,
		...options,
	});
	return settled.map((result, index) => {
		if (!result || result.ok || !(result.error instanceof InputError)) return result;
		const { json } = contextOf(index).input;
		const error = explainUnsplitColumn(result.error, json);
		return { ok: false, error: explainUnreadableList(error, json) };
	});
}

/**
 * If every item has a recorded Send Once Key, a run stops after this many lost responses. The run doesn't
 * stop at the first one, because the user can run the entire list again anyway. But the limit is low, because
 * while the service is down, every response is lost, and the user has to look for each of those items in the
 * account.
 */
const maxLostResponses = 3;

/** The run continues until `maxLost` responses are lost, but any other error stops it. */
function afterLostResponses(maxLost: number): (error: unknown) => boolean {
	let lostCount = 0;
	return (error) => {
		if (!mayHaveCreated(error)) return true;
		lostCount++;
		return lostCount >= maxLost;
	};
}

function outputsOf(outputs: ItemOutput[], item: number): INodeExecutionData[] {
	return outputs.map(({ json, binary }) => ({
		json,
		...(binary ? { binary } : {}),
		pairedItem: { item },
	}));
}
