import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Account } from '../account/account';
import { ServiceClient } from '../account/client';
import { rowColumn } from '../columns/columnNames';
import { isEmptyRow } from '../columns/columnMatching';
import { addDescriptionToMessage, toNodeError } from '../errors/nodeError';
import { checkCollections } from '../form/collections';
import { savedParameters } from '../form/savedForm';
import { readChoice } from '../form/valueReaders';
import { mayHaveCreated } from '../http/serviceError';
import { canceledItem } from '../http/failures';
import { executionCallMs } from '../http/callTimeouts';
import {
	createItemContexts,
	type ItemContext,
	type ItemContexts,
	type ItemOutput,
} from '../item/item';
import { itemsAfterWait, keepsOnlyMessages, oncePerRun } from '../n8nInternals';
import { InputError } from '../errors/inputError';
import { settle, type Settled, settleSync, valueOf } from '../util/async';
import { listOf, objectOf, textOf } from '../util/values';
import { checkCanWait } from '../wait/canWait';
import {
	errorBeforeItems,
	errorItem,
	errorOfChecks,
	errorOfRun,
	type ItemName,
	numbersOf,
	reportOfStoppedRun,
	shownName,
} from './runErrors';
import { operations, resources } from './index';
import { checkOneAccount } from './accountCheck';
import { checkRepeats } from './repeatedItems';
import { runItems, type RunItemsOptions, turnsOfChecks } from './runItems';
import {
	type CheckedItem,
	checkItem,
	describedIn,
	type LeftOutItem,
	sendItem,
	type UsedKeys,
} from './sendItem';
import { readKey } from './sendOnceKey';
import type { Operation, SendingOperation } from './operationTypes';
import { explainUnreadableList } from './unreadableList';
import { explainUnsplitColumn } from './unsplitColumn';

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

interface Run {
	context: IExecuteFunctions;
	count: number;
	account: Settled<Account>;
	maxParallelItems: number;
	signal: AbortSignal | undefined;
	contextOf: (itemIndex: number) => ItemContext;
	stopsOnError: boolean;
	showWarnings: ItemContexts['showWarnings'];
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
	const { contextOf, showWarnings } = createItemContexts(context, service, operation);
	const run: Run = {
		context,
		count: context.getInputData().length,
		account,
		maxParallelItems: account.ok ? account.value.maxParallelRequests : 1,
		signal: context.getExecutionCancelSignal(),
		contextOf,
		stopsOnError: !context.continueOnFail(),
		showWarnings,
	};
	return operation.sends
		? await sendAllItems(run, operation, await checkAllItems(run, operation))
		: await workOnAllItems(run, operation, {
				work: async (item) => await operation.run(item),
				names: [],
			});
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

const leftOutItem: LeftOutItem = { state: 'leftOut' };

/** The result of an item's check; undefined for an item that wasn't checked. */
type Check = Settled<CheckedItem | LeftOutItem> | undefined;

async function sendAllItems(
	run: Run,
	operation: SendingOperation,
	checks: Check[],
): Promise<INodeExecutionData[]> {
	const nameOf = (index: number): ItemName | undefined => {
		const check = checks[index];
		if (!check?.ok || check.value.state === 'leftOut') return undefined;
		const person = personIn(describedIn(check.value));
		return { key: check.value.key?.text, person, row: rowOf(run.contextOf(index)) };
	};
	const names = checks.flatMap((check, index): ItemName[] => {
		if (!check?.ok) return [];
		if (check.value.state === 'leftOut') return [{}];
		const { key, isRecorded } = check.value;
		// Ignore keys that aren't recorded, because they don't prevent another run from sending the items
		// again.
		return key && isRecorded ? [nameOf(index) ?? {}] : [];
	});
	const usedKeys: UsedKeys = new Map();
	return await workOnAllItems(run, operation, {
		work: async (item) => {
			const check = checks[item.itemIndex];
			if (!check) throw canceledItem();
			const checked = valueOf(check);
			if (checked.state === 'leftOut') return [];
			return [await sendItem(item, operation, checked, usedKeys)];
		},
		names: names.length === run.count ? names : [],
		nameOf,
		leftOut: leftOutIn(checks),
		keyOf: (index) => {
			const check = checks[index];
			if (!check?.ok || check.value.state === 'leftOut') return undefined;
			return check.value.isRecorded ? check.value.key?.text : undefined;
		},
	});
}

/**
 * @param options.names The name of each item; empty unless all items have a recorded Send Once Key.
 * @param options.nameOf The name of an item that warnings are about.
 * @throws NodeApiError or NodeOperationError if the node stops on errors and an item failed.
 */
async function workOnAllItems(
	run: Run,
	operation: Operation,
	{
		work,
		names,
		nameOf = () => undefined,
		leftOut,
		keyOf,
	}: {
		work: (item: ItemContext) => Promise<ItemOutput[]>;
		names: ItemName[];
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
 * Checks all items, and then compares them ({@link checkRepeats}). Sends nothing.
 * @returns The result for each item, in input order; undefined for an item that wasn't checked, because the
 * execution was canceled.
 * @throws NodeApiError or NodeOperationError if the node stops on errors and an item has a wrong value or
 * cannot be checked ({@link errorOfChecks}).
 */
async function checkAllItems(run: Run, operation: SendingOperation): Promise<Check[]> {
	const { context, account, contextOf, stopsOnError } = run;
	const emptyRows = emptyRowsIn(run, operation);
	const settled = await runAllItems(
		run,
		async (item) => {
			// If the credential is unusable, throw the error here, because some operations can check an item
			// without calling the service. If the node continues on error, such an item keeps its result.
			if (stopsOnError) valueOf(account);
			return emptyRows.has(item.itemIndex) ? leftOutItem : await checkItem(item, operation);
		},
		// Checking an item doesn't use any of the account's slots, which limit how many items all executions
		// together run in parallel. So a wrong value is reported even if other executions are using all the
		// slots. Any error except InputError affects the entire run, so it stops the checks.
		{
			stopsAfter: (error) => stopsOnError && !(error instanceof InputError),
			turns: turnsOfChecks,
		},
	);
	const checks = checkRepeats(settled, contextOf);
	const leftOut = leftOutIn(checks);
	if (leftOut.size > 0) {
		const names = [...leftOut].map((index) => [index, { row: rowOf(contextOf(index)) }] as const);
		const places = numbersOf([...leftOut], Object.fromEntries(names));
		const rows = leftOut.size === 1 ? 'an empty row' : `${leftOut.size} empty rows`;
		contextOf(0).hint(`The node left out ${rows}: ${places}.`, 'info');
	}
	if (!stopsOnError) return checks;
	const namesOfWrongItems = await Promise.all(
		checks.map(async (check, index): Promise<ItemName | undefined> => {
			if (!check || check.ok) return undefined;
			const item = contextOf(index);
			const key = await settle(readKey(item, operation));
			const described = await settle(operation.describe(item));
			return {
				key: key.ok ? key.value?.text : undefined,
				person: described.ok ? personIn(described.value.output) : undefined,
				row: rowOf(item),
			};
		}),
	);
	const error = errorOfChecks(context, checks, namesOfWrongItems, leftOut.size);
	if (error) throw error;
	return checks;
}

/**
 * Returns the items that are left out: rows without values, whose people come out empty. Anything else that is wrong
 * with a row, such as an address that stands in for an empty cell, is an error. If there is no other item, none is
 * left out, because a node without output would end n8n's loop in silence.
 */
function emptyRowsIn({ context, contextOf, count }: Run, operation: SendingOperation): Set<number> {
	const isLeftOut = (index: number) => {
		const reading = settleSync(() => operation.lacksPeople(contextOf(index)));
		return reading.ok && reading.value;
	};
	const emptyRows = [...context.getInputData().entries()]
		.filter(([index, item]) => isEmptyRow(item) && isLeftOut(index))
		.map(([index]) => index);
	return new Set(emptyRows.length < count ? emptyRows : []);
}

function leftOutIn(checks: Check[]): Set<number> {
	const isLeftOut = (check: Check) => check?.ok && check.value.state === 'leftOut';
	return new Set([...checks.keys()].filter((index) => isLeftOut(checks[index])));
}

/**
 * Returns an item's row in its spreadsheet, which n8n's Google Sheets node adds to each item. Any other node
 * can add it as well.
 */
function rowOf({ input }: ItemContext): string | undefined {
	const row = textOf(input.json[rowColumn]).trim();
	return /^[1-9]\d{0,6}$/.test(row) ? row : undefined;
}

/** Returns the people in an item's description, by name or, if there is none, by address. */
function personIn({ signatories, email }: IDataObject): string | undefined {
	const people = listOf(signatories).map(objectOf);
	const names = people.map((person) => textOf(person.name) || textOf(person.email));
	return [...names, textOf(email)].filter(Boolean).join(' and ') || undefined;
}

/**
 * Runs `work` for all of a run's items. Every error about a wrong value passes through this function, so this
 * is where {@link explainUnsplitColumn} explains a missing value if a CSV file was read with the wrong
 * separator.
 * @returns The result for each item ({@link runItems}).
 */
async function runAllItems<Output>(
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

function chosenOperation(context: IExecuteFunctions): Operation {
	const resourceChoices = Object.keys(resources).map((value) => ({ value }));
	const resource = readChoice(context.getNodeParameter('resource', 0), 'Resource', resourceChoices);
	const operationChoices = operations.filter((operation) => operation.resource === resource.value);
	return readChoice(context.getNodeParameter('operation', 0), 'Operation', operationChoices);
}

function outputsOf(outputs: ItemOutput[], item: number): INodeExecutionData[] {
	return outputs.map(({ json, binary }) => ({
		json,
		...(binary ? { binary } : {}),
		pairedItem: { item },
	}));
}
