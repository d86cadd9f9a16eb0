import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ServiceClient } from '../http/client';
import { ServiceError, toNodeError } from '../http/errors';
import { cancelled } from '../http/messages';
import { InputError } from './inputError';
import { attempt } from '../util/async';
import { reasonOf } from '../util/values';
import { continueWait, waitOfRun } from '../wait/continue';
import { abandonWait, waitForAll, type WaitingOutput } from '../wait/start';
import { nameOfTarget, type WaitState } from '../wait/state';
import { errorItem, failureOfRun } from './failures';
import { findOperation } from './index';
import { createItemContexts } from './itemContext';
import { readCallOptions } from './form';
import { runItems, type Settled } from './runItems';
import { sendItem } from './sendItem';
import { reduced } from './toolOutput';
import { oncePerRun, retryOnFailOf } from './tries';
import type { ItemContext, ItemOutput, Operation } from './types';

/** How long (ms) one call of a run may be retried, with the waits for a rate limit. */
const maxRetryTime = 300_000;

type SettledItem = Settled<ItemOutput[]>;

/**
 * Runs the chosen operation for all input items: in parallel up to a limit, in input order, each output
 * paired with its input (design rules 2 and 4).
 * @returns The output. If the node continues on errors, it also has the items that failed: after an
 * error, n8n would output the node's input as if all had been done.
 * @throws NodeApiError or NodeOperationError for the first item that failed, unless the node continues on
 * errors. It says what was created before.
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await oncePerRun(context, async () => {
		try {
			return [await outputsOfRun(context)];
		} catch (error) {
			if (!context.continueOnFail()) throw asNodeError(context, error);
			return [context.getInputData().map((_, index) => failedItem(error, index))];
		}
	});
}

function asNodeError(context: IExecuteFunctions, error: unknown): Error {
	const isOne = error instanceof NodeApiError || error instanceof NodeOperationError;
	return isOne ? error : toNodeError(context.getNode(), error);
}

async function outputsOfRun(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = chosenOperation(context);
	const waiting = operation.waits ? waitOfRun(context) : undefined;
	if (waiting) return await continuedOutputs(context, waiting);

	const { parallel, perSecond, timeout } = readCallOptions(context);
	const retryOnFail = retryOnFailOf(context.getNode());
	const options = { timeout, perSecond, maxRetryTime, parallel, retryOnFail };
	const service = new ServiceClient(context, options);
	const contextOf = createItemContexts(context, service);
	const settled = await runItems(
		context.getInputData().length,
		async (index) => await runItem(operation, contextOf(index)),
		{
			parallel,
			stopOnFailure: !context.continueOnFail(),
			signal: context.getExecutionCancelSignal(),
		},
	);

	const mayContinue = () => context.continueOnFail() || !settled.some(isFailed);
	if (operation.waits && mayContinue()) {
		const waited = await attempt(waitForAll(context, service, settled.flatMap(outputsOf)));
		if (waited.ok) return waited.value;
		settled.forEach((each, index) => (settled[index] = notWaitedFor(each, waited.error)));
	}
	if (operation.waits) await abandonWait(context, service);
	if (mayContinue()) return settled.flatMap(outputsOf);
	throw failureOfRun(context, settled, settled.findIndex(isFailed));
}

/**
 * Continues a wait. If this fails and the node continues on errors, each item leaves as it is: a finished
 * one with its output, one that failed with its own error, and one that waited with an error.
 */
async function continuedOutputs(
	context: IExecuteFunctions,
	waiting: WaitState,
): Promise<INodeExecutionData[]> {
	const service = new ServiceClient(context, { retryOnFail: retryOnFailOf(context.getNode()) });
	const continued = await attempt(continueWait(context, service, waiting));
	if (continued.ok) return continued.value;
	if (!context.continueOnFail()) throw continued.error;
	return waiting.items.map((item, index) => {
		const { target, pending, output } = item;
		if (!target || output) return output ?? pending;
		const error = cannotWaitFor(nameOfTarget(target), continued.error);
		return { ...failedItem(error, index), pairedItem: pending.pairedItem ?? index };
	});
}

/** The failure of an item that was sent, if n8n cannot put the execution to wait for it. */
function notWaitedFor(settled: SettledItem, reason: unknown): SettledItem {
	const sent = settled.state === 'done' && settled.output.find(({ target }) => target);
	if (!sent) return settled;
	const name = sent.created ?? (sent.target && nameOfTarget(sent.target));
	return { state: 'failed', error: cannotWaitFor(name, reason) };
}

function cannotWaitFor(name: string | undefined, reason: unknown): ServiceError {
	return new ServiceError({
		message: `Sent (${name ?? 'no ID'}), but n8n cannot wait for it: ${reasonOf(reason)}`,
		description: 'Do not send it again. Wait for it in another workflow, by its ID.',
		docsAnchor: 'waiting',
	});
}

function isFailed(settled: SettledItem): boolean {
	return settled.state === 'failed';
}

async function runItem(operation: Operation, item: ItemContext): Promise<ItemOutput[]> {
	if ('prepare' in operation) return await sendItem(item, operation);
	const outputs = await operation.run(item);
	return operation.toolOutput ? reduced(item, outputs, operation.toolOutput) : outputs;
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const value = String(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, value);
	if (operation) return operation;
	throw new InputError(
		'Operation',
		`there is no "${value}" for ${resource}`,
		'Choose one from the list.',
	);
}

function outputsOf(settled: SettledItem, item: number): WaitingOutput[] {
	// Nothing failed before it, so the execution was cancelled.
	if (settled.state === 'notStarted') return [failedItem(cancelled(), item)];
	if (settled.state === 'failed') return [failedItem(settled.error, item)];
	return settled.output.map(({ json, binary, target }) => ({
		json,
		...(binary ? { binary } : {}),
		...(target ? { target } : {}),
		pairedItem: { item },
	}));
}

function failedItem(error: unknown, item: number): INodeExecutionData {
	return { json: errorItem(error, item), pairedItem: { item } };
}
