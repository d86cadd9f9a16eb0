import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { addDescriptionToMessage, toNodeError } from '../errors/nodeError';
import { checkCollections } from '../form/collections';
import { savedParameters } from '../form/savedForm';
import { readChoice } from '../form/valueReaders';
import { executionCallMs } from '../http/callTimeouts';
import { createItemContexts } from '../item/item';
import { itemsAfterWait, keepsOnlyMessages, oncePerRun } from '../n8nInternals';
import { settle, settleSync } from '../util/async';
import { checkCanWait } from '../wait/canWait';
import { checkOneAccount } from './accountCheck';
import { operations, resources } from './nodeForm';
import type { Operation } from './operationTypes';
import { errorBeforeItems, errorItem } from './runErrors';
import { checkAndSend } from './twoPasses';
import { type Run, workOnAllItems } from './workOnItems';

/**
 * Runs the chosen operation for all input items, in parallel up to a limit. The outputs are in input order,
 * and each is paired with its input (the guarantee "Every item once, in order" in docs/dev/behavior.md). If the
 * operation sends and the node stops on errors, all items are checked before the first item is sent.
 * @returns The output. If the node continues on error, the output includes the failed items. Throwing an
 * error instead would make n8n output the node's input as if everything had worked.
 * @throws NodeApiError or NodeOperationError for the first failed item, unless the node continues on error.
 * The description lists everything that was created before the failure.
 * @n8n
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = settleSync(() => chosenOperation(context));
	const chosen = operation.ok ? operation.value : undefined;
	const work = async () => {
		try {
			return [await outputsOfRun(context)];
		} catch (error) {
			const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
			if (!context.continueOnFail()) {
				const shown = isNodeError ? error : toNodeError(context.getNode(), error);
				if (keepsOnlyMessages(context)) addDescriptionToMessage(shown);
				throw shown;
			}
			return [context.getInputData().map((_, index) => errorItem(error, index, chosen))];
		}
	};
	// A download creates nothing, so with Retry On Fail, each try may download.
	return chosen?.callsOthers ? await work() : await oncePerRun(context, work);
}

async function outputsOfRun(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const waitedItems = itemsAfterWait(context);
	if (waitedItems) return waitedItems;
	const operation = chosenOperation(context);
	const check = await settle(checkRun(context, operation));
	if (!check.ok) {
		throw context.continueOnFail()
			? check.error
			: errorBeforeItems(context, check.error, operation);
	}

	const service = new ServiceClient(context, executionCallMs);
	// Do not throw yet if the credential is unusable: any call to the service throws the same error, and only
	// items that need a call should fail.
	const account = await settle(service.account());
	const run: Run = {
		...createItemContexts(context, service, operation),
		context,
		count: context.getInputData().length,
		account,
		maxParallelItems: account.ok ? account.value.maxParallelRequests : 1,
		signal: context.getExecutionCancelSignal(),
		stopsOnError: !context.continueOnFail(),
	};
	return operation.sends
		? await checkAndSend(run, operation)
		: await workOnAllItems(run, operation, { work: async (item) => await operation.run(item) });
}

/** @throws InputError or ServiceError before anything is sent. */
async function checkRun(context: IExecuteFunctions, operation: Operation): Promise<void> {
	checkCollections(
		savedParameters(() => context.getNode().parameters),
		operation.fields,
	);
	if (operation.waits) checkCanWait(context, operation.waits.instead);
	await checkOneAccount(context, operation);
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resourceChoices = Object.keys(resources).map((value) => ({ value }));
	const resource = readChoice(context.getNodeParameter('resource', 0), 'Resource', resourceChoices);
	const operationChoices = operations.filter((operation) => operation.resource === resource.value);
	return readChoice(context.getNodeParameter('operation', 0), 'Operation', operationChoices);
}
