import type { INodeExecutionData } from 'n8n-workflow';

import { isEmptyRow } from '../columns/columnMatching';
import { InputError } from '../errors/inputError';
import { canceledItem } from '../http/failures';
import { settle, settleSync, valueOf } from '../util/async';
import { type ItemName, numbersOf, personIn, rowOf } from './itemNames';
import type { SendingOperation } from './operationTypes';
import { checkRepeats } from './repeatedItems';
import { errorOfChecks } from './runErrors';
import { turnsOfChecks } from './parallelItems';
import {
	type Check,
	type CheckedItem,
	checkItem,
	describedIn,
	type LeftOutItem,
	sendItem,
	type UsedKeys,
} from './sendItem';
import { readKey } from './sendOnceKey';
import { hintOfCounts, isUnsent } from './testRuns';
import { type Run, runAllItems, workOnAllItems } from './workOnItems';

const leftOutItem: LeftOutItem = { state: 'leftOut' };

/**
 * Checks all items before it sends the first one.
 * @throws NodeApiError or NodeOperationError if the node stops on errors and an item is wrong or failed.
 */
export async function checkAndSend(
	run: Run,
	operation: SendingOperation,
): Promise<INodeExecutionData[]> {
	const checks = await checkAllItems(run, operation);
	const leftOut = leftOutIn(checks);
	if (leftOut.size > 0) hintAtLeftOut(run, leftOut);
	if (run.stopsOnError) await stopIfAnyIsWrong(run, operation, checks);
	return await sendAllItems(run, operation, checks);
}

/**
 * Checks all items, and then compares them ({@link checkRepeats}). Sends nothing.
 * @returns The result for each item, in input order; undefined for an item that wasn't checked, because the
 * execution was canceled.
 */
async function checkAllItems(run: Run, operation: SendingOperation): Promise<Check[]> {
	const { account, contextOf, stopsOnError } = run;
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
	return checkRepeats(settled, contextOf);
}

function hintAtLeftOut({ contextOf }: Run, leftOut: Set<number>): void {
	const names = [...leftOut].map((index) => [index, { row: rowOf(contextOf(index)) }] as const);
	const places = numbersOf([...leftOut], Object.fromEntries(names));
	const rows = leftOut.size === 1 ? 'an empty row' : `${leftOut.size} empty rows`;
	contextOf(0).hint(`The node left out ${rows}: ${places}.`, 'info');
}

/**
 * @throws NodeApiError or NodeOperationError if an item has a wrong value or cannot be checked ({@link
 * errorOfChecks}).
 */
async function stopIfAnyIsWrong(
	{ context, contextOf }: Run,
	operation: SendingOperation,
	checks: Check[],
): Promise<void> {
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
	const error = errorOfChecks(context, checks, namesOfWrongItems, leftOutIn(checks).size);
	if (error) throw error;
}

async function sendAllItems(
	run: Run,
	operation: SendingOperation,
	checks: Check[],
): Promise<INodeExecutionData[]> {
	const leftOut = leftOutIn(checks);
	const nameOf = (index: number): ItemName | undefined => {
		const checked = checkedIn(checks[index]);
		if (!checked) return undefined;
		const person = personIn(describedIn(checked));
		return { key: checked.key?.text, person, row: rowOf(run.contextOf(index)) };
	};
	// Ignore keys that aren't recorded, because they don't prevent another run from sending the items again.
	const keyOf = (index: number): string | undefined => {
		const checked = checkedIn(checks[index]);
		return checked?.isRecorded ? checked.key?.text : undefined;
	};
	const names = [...checks.keys()].flatMap((index): ItemName[] => {
		if (leftOut.has(index)) return [{}];
		return keyOf(index) === undefined ? [] : [nameOf(index) ?? {}];
	});
	const usedKeys: UsedKeys = new Map();
	const unsentOutcomes: unknown[] = [];
	const outputs = await workOnAllItems(run, operation, {
		work: async (item) => {
			const check = checks[item.itemIndex];
			if (!check) throw canceledItem();
			const checked = valueOf(check);
			if (checked.state === 'leftOut') return [];
			const output = await sendItem(item, operation, checked, usedKeys);
			if (isUnsent(checked.addressees)) unsentOutcomes.push(output.json.outcome);
			return [output];
		},
		names: names.length === run.count ? names : [],
		nameOf,
		leftOut,
		keyOf,
	});
	if (run.count > 1 && unsentOutcomes.length > 0) {
		const toSend = unsentOutcomes.filter((outcome) => outcome === 'nothing').length;
		const counts = hintOfCounts(toSend, unsentOutcomes.length - toSend, operation.words);
		run.contextOf(0).hint(counts, 'info');
	}
	return outputs;
}

function checkedIn(check: Check): CheckedItem | undefined {
	return check?.ok && check.value.state !== 'leftOut' ? check.value : undefined;
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
