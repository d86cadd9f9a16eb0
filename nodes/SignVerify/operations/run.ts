import {
	isExpression,
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ServiceClient } from '../http/client';
import { wrongCredential, credentialUnread, accountHashOf } from '../http/credential';
import { mayHaveCreated, toNodeError } from '../http/errors';
import { cancelledBeforeSending } from '../http/failures';
import { credentialType } from '../http/request';
import { InputError } from '../input/inputError';
import { createItemContexts, type ItemOutput } from '../input/item';
import { readChoice } from '../input/parameters';
import { oncePerRun, passedOn, savedCredential } from '../n8nInternals';
import { settle, type Settled } from '../util/async';
import { checkCanWait } from '../wait/canWait';
import { errorItem, failureOfChecks, failureOfRun } from './failures';
import { operations, resources } from './index';
import { runItems } from './runItems';
import { type CheckedItem, checkItem, sendItem, type UsedKeys } from './sendItem';
import { readKey } from './sendOnceKey';
import type { Operation } from './types';

/** How long (ms) one call of a run may be retried, including waits for a rate limit. */
export const maxRetryTimeMs = 300_000;

/**
 * Runs the chosen operation for all input items: in parallel up to a limit, in input order, each output
 * paired with its input ("Every item once, in order"). If the operation sends, and the node stops on errors, all
 * items are checked before the first one is sent.
 * @returns The output. If the node continues on errors, the output includes the items that failed: if the node threw
 * instead, n8n would output the node's input as if everything had worked.
 * @throws NodeApiError or NodeOperationError for the first item that failed, unless the node continues on
 * errors. The description lists what was created before.
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await oncePerRun(context, async () => {
		try {
			return [await outputsOfRun(context)];
		} catch (error) {
			const isOne = error instanceof NodeApiError || error instanceof NodeOperationError;
			if (!context.continueOnFail()) throw isOne ? error : toNodeError(context.getNode(), error);
			return [context.getInputData().map((_, index) => errorItem(error, index))];
		}
	});
}

async function outputsOfRun(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const passed = passedOn(context);
	if (passed) return passed;
	const operation = chosenOperation(context);
	if (operation.waits) checkCanWait(context);
	await checkAccount(context, operation);

	const service = new ServiceClient(context, maxRetryTimeMs);
	// A credential that cannot be used is not an error yet: every call throws that error for its item.
	const account = await settle(service.account());
	const { parallel, slots } = account.ok ? account.value : { parallel: 1 };
	const { contextOf, showWarnings } = createItemContexts(context, service);
	const stops = !context.continueOnFail();
	const signal = context.getExecutionCancelSignal();
	const count = context.getInputData().length;

	let checked: CheckedItem[] = [];
	if (stops && operation.sends) {
		const ended = await runItems(
			count,
			async (index) => {
				// Some operations check an item without the account, so throw the credential's error here.
				if (!account.ok) await service.account();
				return await checkItem(contextOf(index), operation);
			},
			// Checking takes none of the account's slots, so a wrong item is reported even while other executions send.
			// Any error except InputError concerns the whole run, so it stops the checks.
			{ parallel, signal, stopsAfter: (error) => !(error instanceof InputError) },
		);
		const keysOfWrong = await Promise.all(
			ended.map(async (check, index) => {
				if (!check || check.ok) return undefined;
				const key = await settle(readKey(contextOf(index), operation.resource));
				return key.ok ? key.value?.text : undefined;
			}),
		);
		const failure = failureOfChecks(context, ended, keysOfWrong);
		if (failure) throw failure;
		checked = ended.flatMap((check) => (check?.ok ? [check.value] : []));
	}

	// Either every item has a key or no item has one, because an empty key is an error.
	const keys = checked.flatMap(({ key }) => key?.text ?? []);
	const stopsAfterLoss = afterLostAnswers(keys.length === count ? maxLostAnswers : 1);
	const usedKeys: UsedKeys = new Map();
	const settled = await runItems(
		count,
		async (index) => {
			const item = contextOf(index);
			if (!operation.sends) return await operation.run(item);
			const ready = checked[index] ?? (await checkItem(item, operation));
			return [await sendItem(item, operation.resource, ready, usedKeys)];
		},
		{
			parallel,
			slots: operation.callsOthers ? undefined : slots,
			signal,
			stopsAfter: (error) => stops && stopsAfterLoss(error),
		},
	);

	showWarnings();
	const failure = stops
		? failureOfRun(context, settled, keys.length === count ? keys : [])
		: undefined;
	if (failure) throw failure;
	return settled.flatMap(outputsOf);
}

/**
 * After how many lost responses to creations a run stops, if each item has a Send Once Key. A person must check each
 * lost item in the account. Stopping at the first one would save no work, because the list can be run again anyway.
 * But a service that is down loses one response after another, so the number stays low.
 */
const maxLostAnswers = 3;

/**
 * Counts the lost responses of a run.
 * @returns A function that decides whether the run stops after an error: always, unless the error is a lost response
 * and fewer than `most` responses were lost so far.
 */
function afterLostAnswers(most: number): (error: unknown) => boolean {
	let lost = 0;
	return (error) => !mayHaveCreated(error) || ++lost >= most;
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const known = Object.keys(resources).map((value) => ({ value }));
	const resource = readChoice(context.getNodeParameter('resource', 0), 'Resource', known);
	const offered = operations.filter((operation) => operation.resource === resource.value);
	return readChoice(context.getNodeParameter('operation', 0), 'Operation', offered);
}

function outputsOf(settled: Settled<ItemOutput[]> | undefined, item: number): INodeExecutionData[] {
	// A run that stops on an error throws before this, so an item is missing only if the execution was canceled.
	if (!settled) return [errorItem(cancelledBeforeSending(), item)];
	if (!settled.ok) return [errorItem(settled.error, item)];
	return settled.value.map(({ json, binary }) => ({
		json,
		...(binary ? { binary } : {}),
		pairedItem: { item },
	}));
}

/** Matches everything that an expression can read, except values that are the same for all items. */
const itemData = /\$(?!(?:env|vars|secrets)\b)/;

/**
 * Checks that all items belong to one account. The client of a run reads the credential once, for the first item, but
 * n8n lets each field of a credential be an expression that reads data of the item.
 * @param operation `waits`: whether the credential is read again when an event arrives, without an item to read from.
 * @throws ServiceError before anything is sent.
 */
async function checkAccount(
	execute: IExecuteFunctions,
	{ waits = false }: { waits?: boolean },
): Promise<void> {
	const read = await settle(savedCredential(execute, credentialType));
	const saved = read.ok ? read.value : undefined;
	const fields = saved && [saved.baseUrl, saved.userId, saved.apiKey];
	if (fields && !fields.some((field) => isExpression(field) && itemData.test(field))) return;
	if (fields && waits) {
		throw wrongCredential(
			"The credential has an expression that reads data of the item, so this node can't wait with it",
			'Nothing was sent. Use an expression with $env, $vars or $secrets, or one credential for each account.',
		);
	}
	const count = execute.getInputData().length;
	let first: string | undefined;
	// The saved credential is unknown, so read it for each item and compare. Each reading takes n8n 1 to 3 ms.
	for (let index = 0; index < count && count > 1; index++) {
		const given = await settle(execute.getCredentials(credentialType, index));
		if (!given.ok) throw credentialUnread(given.error);
		const account = accountHashOf(given.value);
		first ??= account;
		if (account === first) continue;
		throw wrongCredential(
			`The credential uses a different account for item ${index + 1} than for item 1`,
			'Nothing was sent. Run the node once for each account, for example with Loop Over Items.',
		);
	}
}
