import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Execution, NodeRun, StackEntry } from './database';
import { executeContext, inputOf, nodeOf, type Installation } from './execute';
import type { Process } from './process';
import { aliveAfter } from './surroundings';

/** How a process left an execution. */
export type Left = 'waiting' | 'success' | 'error' | 'canceled';

/**
 * Works off the stack of an execution as n8n's engine does: until a node puts it to wait, fails, or
 * nothing is left.
 */
export async function work(
	process: Process,
	installation: Installation,
	execution: Execution,
	workflowNode: INode,
): Promise<Left> {
	const { data } = execution;
	const { nodeExecutionStack: stack } = data.executionData;
	const caller = process.caller('run', { execution: execution.id });
	if (data.waitTill !== undefined) {
		delete data.waitTill;
		// n8n runs no code of a node that it continues.
		if (stack[0]) stack[0].node.disabled = true;
	}
	for (let entry = stack.shift(); entry; entry = stack.shift()) {
		entry.data = withLineage(entry);
		data.input = entry.came;
		if (process.running.get(execution.id)?.signal.aborted) return 'canceled';
		const running = outputOf(process, installation, execution, entry);
		// A process that was killed does nothing more with what the database has.
		const output = await aliveAfter(caller, running);
		if (output !== 'failed') data.hasOutput = true;
		if (process.running.get(execution.id)?.signal.aborted) return 'canceled';
		if (output === 'failed') {
			stack.unshift(entry);
			return 'error';
		}
		if (data.waitTill !== undefined) {
			stack.unshift(entry);
			return 'waiting';
		}
		emit(execution, entry, output, workflowNode);
	}
	return 'success';
}

/** n8n pairs each item that comes in with itself: what a node passes on has the place at which it came. */
function withLineage({ data }: StackEntry): StackEntry['data'] {
	return {
		main: [(data.main?.[0] ?? []).map((item, index) => ({ ...item, pairedItem: { item: index } }))],
	};
}

async function outputOf(
	process: Process,
	installation: Installation,
	execution: Execution,
	entry: StackEntry,
): Promise<INodeExecutionData[] | 'failed'> {
	// A disabled node outputs what it was given.
	if (entry.node.disabled) return alwaysSome(entry, entry.data.main?.[0] ?? []);
	try {
		return alwaysSome(entry, await tried(process, installation, execution, entry));
	} catch (error) {
		// As the node has left its entry.
		const { onError } = entry.node;
		if (onError && onError !== 'stopWorkflow') return entry.data.main?.[0] ?? [];
		// What a stopped execution still does is in no database.
		if (execution.status !== 'canceled') execution.error = error as Error;
		return 'failed';
	}
}

/** Runs the node as often as n8n does with Retry On Fail. */
async function tried(
	process: Process,
	installation: Installation,
	execution: Execution,
	entry: StackEntry,
): Promise<INodeExecutionData[]> {
	const { retryOnFail, maxTries, waitBetweenTries } = entry.node;
	const most = retryOnFail ? Math.min(5, Math.max(2, maxTries || 3)) : 1;
	const wait = Math.min(5000, Math.max(0, waitBetweenTries || 1000));
	for (let number = 1; ; number++) {
		try {
			const caller = process.caller('run', { execution: execution.id });
			const context = executeContext(process, installation, execution, entry, caller);
			const output = await process.code.action.execute?.call(context);
			const items = ((output ?? []) as INodeExecutionData[][])[0] ?? [];
			if (items[0]?.json.error === undefined || number >= most) return items;
		} catch (error) {
			if (number >= most) throw error;
		}
		await process.clock.sleep(wait);
	}
}

function alwaysSome(entry: StackEntry, items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length > 0 || entry.node.alwaysOutputData !== true) return items;
	const pairedItem = (entry.data.main?.[0] ?? []).map((_, item) => ({ item, input: 0 }));
	return [{ json: {}, pairedItem }];
}

/** What leaves the action node goes on: to nothing, or to the next round of the loop. */
function emit(
	execution: Execution,
	entry: StackEntry,
	output: INodeExecutionData[],
	workflowNode: INode,
): void {
	const run: NodeRun = { input: execution.data.input, success: [], error: [] };
	for (const item of output)
		(leavesByErrorOutput(entry, item) ? run.error : run.success).push(item);
	const { data } = execution;
	if (output.length > 0) data.runs.push(run);
	if (!data.loop || output.length === 0) return;
	data.loop.done.push(...output);
	const next = nextBatch(execution);
	if (next) {
		data.executionData.nodeExecutionStack.unshift(entryFor(workflowNode, next));
	}
}

/** What n8n sends to the error output of a node that has one. */
function leavesByErrorOutput({ node }: StackEntry, { json, error }: INodeExecutionData): boolean {
	if (node.onError !== 'continueErrorOutput') return false;
	const names = Object.keys(json);
	if (error !== undefined) return true;
	if (!json.error) return false;
	return names.length === 1 || (names.length === 2 && Boolean(json.message));
}

/** The entries that an execution begins with: one for each branch, which share n8n's node object. */
export function firstEntries(process: Process, execution: Execution): StackEntry[] {
	const { workflow, data } = execution;
	const items = workflow.items.map((json, item): INodeExecutionData => ({
		json,
		pairedItem: { item },
		...(item === 0 && workflow.binary ? { binary: workflow.binary } : {}),
	}));
	if (workflow.batch > 0) data.loop = { rest: items, done: [] };
	const node = nodeOf(execution, process.code.action);
	if (workflow.batch > 0) return [entryFor(node, nextBatch(execution) ?? [])];
	const size = Math.ceil(items.length / workflow.branches);
	return Array.from({ length: workflow.branches }, (_, branch) =>
		entryFor(node, items.slice(branch * size, (branch + 1) * size)),
	).filter(({ came }) => came.length > 0);
}

function entryFor(node: INode, items: INodeExecutionData[]): StackEntry {
	const entry = { node, data: { main: [items] }, source: null };
	return { ...entry, came: inputOf(entry) };
}

function nextBatch({ workflow, data }: Execution): INodeExecutionData[] | undefined {
	const batch = data.loop?.rest.splice(0, workflow.batch) ?? [];
	return batch.length > 0 ? batch : undefined;
}
