import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import { outcomes } from '../../../nodes/SignVerify/item/outcome';
import type { Item } from '../../operations';
import { pairOf, saysNotDone } from './report';
import type { Cell } from './cells';
import type { Scene } from './scene';
import { names } from './workflow';

/** A cell whose execution has ended, with its scene and its input items. */
interface Ended {
	scene: Scene;
	cell: Cell;
	items: Item[];
	/** The node's output items: first those on the success output, then those on the error output. */
	outputs: INodeExecutionData[][];
}

/** Checks how a cell's execution ended: its outputs, its error, and what the service has created. */
export function checkEnd(scene: Scene, cell: Cell, items: Item[], execution: Execution): void {
	const outputs = [outputOf(execution, names.next), outputOf(execution, names.failed)];
	const ended = { scene, cell, items, outputs };
	checkTwice(ended);
	if (cell.end === 'oneWrong' && cell.setting.onError === 'stopWorkflow') {
		checkNothingSent(ended, execution);
	}
	scene.checks.expectSame('outcome', 'outcome', outcomeSeen(ended, execution), cell.expected);
	if (execution.status === 'success') checkOutputs(ended, execution);
	else checkError(ended, execution);
}

function checkTwice({ scene, items }: Ended): void {
	for (const item of items) {
		const { length } = scene.createdFor([item]);
		scene.checks.expect(
			'neverTwice',
			length <= 1,
			() => `item ${item.n}: ${length} at the service`,
		);
	}
}

/**
 * Checks that nothing was sent: one item was wrong, so no call that creates something may reach the service.
 */
function checkNothingSent({ scene, items }: Ended, { error }: Execution): void {
	const { calls } = scene.operation;
	const sent = scene.service.sandbox.requests.filter(
		({ method, path }) => `${method} ${path}` === calls.call,
	);
	const said = `${error?.message} ${error?.description ?? ''}`;
	const expected = `Nothing was sent, because 1 of ${items.length} items has a problem. Item 3: `;
	scene.checks.expectSame('nothingWhileWrong', 'calls that send', sent.length, 0);
	scene.checks.expect('nothingWhileWrong', said.startsWith(expected), () => said);
}

/** Returns the outcome of a cell, in the table's words if it is one of the table's outcomes. */
function outcomeSeen({ scene, items, cell, outputs }: Ended, { status, error }: Execution): string {
	if (status !== 'success') {
		if (status !== 'error') return `the execution is ${status}`;
		if (mayExist(error)) return 'stops, one may exist, the rest is listed';
		const created = scene.createdFor(items);
		// If nothing was created, the two outcomes below look the same. The expected end decides which of
		// them is returned.
		const nothing = created.length === 0 && cell.end !== 'oneFails';
		return nothing ? 'stops, nothing created' : 'stops, the rest is listed';
	}
	const failed = outputs.flat().filter(({ json }) => json.error);
	const unsure = failed.filter(({ json }) => saysUnsure(json.error as IDataObject));
	if (failed.length === 0) return 'done';
	const isUnsure = failed.length === 1 && unsure.length === 1;
	if (failed.length === items.length && !isUnsure) return 'every item has an error';
	if (failed.length > 1) return `${failed.length} of ${items.length} items have an error`;
	return isUnsure
		? 'one item may exist and says so, the rest is done'
		: 'one item has an error, the rest is done';
}

/** Whether, according to its error, an item may have been created. */
function saysUnsure({ outcome, mayHaveBeenCreated }: IDataObject): boolean {
	return outcome === 'check' || mayHaveBeenCreated === true;
}

function mayExist(error: Execution['error']): boolean {
	return /may have been created/.test(`${error?.message} ${error?.description ?? ''}`);
}

/** Checks that the error of a stopped execution names an item and lists what was created. */
function checkError({ scene, items, cell }: Ended, execution: Execution): void {
	const { checks } = scene;
	const { error } = execution;
	const said = `${error?.message} ${error?.description ?? ''}`;
	const created = scene.createdFor(items);
	const listed = created.filter((id) => said.includes(id));
	// If each item has a Send Once Key, the error names the sent items by their numbers.
	const [, byNumber] = /the node sent (\d+) items?: items? \d/.exec(said) ?? [];
	const unlisted = created.length - (byNumber ? Number(byNumber) : listed.length);
	// If the response for a document was lost, the error can't list the document, because its ID is unknown.
	const allowed = mayExist(error) ? 1 : 0;
	checks.expect(
		'reported',
		unlisted <= allowed,
		() => `${unlisted} were created and not listed: ${said}`,
	);
	if (cell.end === 'allFail' || items.length === 1) return;
	const context = error?.context as IDataObject | undefined;
	const named = context?.itemIndex !== undefined || /\bitem \d/i.test(said);
	checks.expect('outcome', named, () => `the error doesn't name an item: ${said}`);
}

function checkOutputs(ended: Ended, execution: Execution): void {
	const { scene, items, cell, outputs } = ended;
	const { checks } = scene;
	const withErrors = cell.setting.onError === 'continueErrorOutput';
	for (const [index, output] of outputs.entries()) {
		const sources = output.map(({ json }) => Number(json.source) - 1);
		const inOrder = sources.every((source, at) => at === 0 || source > Number(sources[at - 1]));
		checks.expect('onePerItem', inOrder, () => `the order of output ${index}: ${sources.join()}`);
		const pairs = outputOf(execution, names.node, index).map(pairOf);
		checks.expectSame('onePerItem', `what output ${index} is paired with`, pairs, sources);
	}
	const sources = outputs.flat().map(({ json }) => Number(json.source));
	const expected = items.map(({ n }) => n);
	checks.expectSame('onePerItem', 'items out, by the item in', sources.sort(ascending), expected);
	for (const [index, output] of outputs.entries()) {
		for (const out of output) {
			const item = items[Number(out.json.source) - 1];
			if (item) checkItem(ended, item, out, index === 1);
		}
	}
	const wrongWay = (outputs[0] ?? []).filter(({ json }) => json.error && withErrors).length;
	checks.expectSame('outcome', 'items with an error on the success output', wrongWay, 0);
}

function checkItem(
	{ scene }: Ended,
	item: Item,
	output: INodeExecutionData,
	failed: boolean,
): void {
	const { operation, checks } = scene;
	const { sandbox } = scene.service;
	const where = `item ${item.n}`;
	checkOutcome(scene, where, output);
	if (!failed && !saysNotDone(output)) {
		const problem = operation.problemOf(sandbox, item, output);
		checks.expect('doneOrSaysSo', !problem, () => `${where}: ${problem}`);
		return;
	}
	const error = output.json.error as IDataObject | undefined;
	if (error && saysUnsure(error)) return;
	const created = scene.createdFor([item]);
	const said = JSON.stringify(output.json);
	const untold = created.filter((id) => !said.includes(id));
	checks.expectSame('reported', `${where} failed, and was created`, untold, []);
	checks.expect(
		'reported',
		!operation.wasDone?.(sandbox, item),
		() => `${where} failed, and was done`,
	);
}

/** The outcomes of items that didn't fail. */
const outcomesOfSuccess = Object.keys(outcomes).filter((word) => word !== 'failed');

/** Checks that an item of an operation that sends or waits contains its outcome, and what to do about it. */
function checkOutcome(
	{ operation, checks }: Scene,
	where: string,
	{ json }: INodeExecutionData,
): void {
	const { outcome, note } = (json.error ?? json) as IDataObject;
	const isRight = (json.error ? ['failed', 'check'] : outcomesOfSuccess).includes(String(outcome));
	const isNoted = ['sent', 'completed'].includes(String(outcome)) === (note === undefined);
	const isNone = outcome === undefined && note === undefined;
	checks.expect(
		'outcome',
		operation.operation.about ? isRight && isNoted : isNone,
		() => `${where} has the outcome ${String(outcome)} and the note ${String(note)}`,
	);
}

function ascending(left: number, right: number): number {
	return left - right;
}
