import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Execution, NodeRun, StackEntry } from './database';
import { executeContext, inputOf, nodeOf, type Installation } from './execute';
import type { Process } from './process';
import { aliveAfter } from './surroundings';

/** The state in which a process left an execution. */
export type ExecutionEnd = 'waiting' | 'success' | 'error' | 'canceled';

/**
 * Processes an execution's stack as n8n's engine does: until the stack is empty, a node fails, or a node
 * makes the execution wait.
 */
export async function runStack(
	process: Process,
	installation: Installation,
	execution: Execution,
	workflowNode: INode,
): Promise<ExecutionEnd> {
	const { data } = execution;
	const { nodeExecutionStack: stack } = data.executionData;
	const caller = process.caller('run', { execution: execution.id });
	if (data.waitTill !== undefined) {
		delete data.waitTill;
		// When n8n continues an execution, it disables the waiting node, so the node's code does not run.
		if (stack[0]) stack[0].node.disabled = true;
	}
	for (let entry = stack.shift(); entry; entry = stack.shift()) {
		entry.data = withLineage(entry);
		data.input = entry.came;
		if (process.running.get(execution.id)?.signal.aborted) return 'canceled';
		const running = outputOf(process, installation, execution, entry);
		// A killed process must not change anything in the database.
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

/**
 * Pairs each input item with its own index, as n8n does, so that an item that is passed on can be traced to
 * its source.
 */
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
	// A disabled node returns its input.
	if (entry.node.disabled) return alwaysSome(entry, entry.data.main?.[0] ?? []);
	try {
		return alwaysSome(entry, await tried(process, installation, execution, entry));
	} catch (error) {
		// Read the setting only now, because the node may have changed its entry.
		const { onError } = entry.node;
		if (onError && onError !== 'stopWorkflow') return entry.data.main?.[0] ?? [];
		// If the execution was stopped, its error is not stored.
		if (execution.status !== 'canceled') execution.error = error as Error;
		return 'failed';
	}
}

/** Runs the node, and repeats it after a failure, as Retry On Fail does in n8n. */
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

/** Passes on the action node's output and, in a loop, starts the next round. */
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

/** Whether n8n sends an item to its node's error output. */
function leavesByErrorOutput({ node }: StackEntry, { json, error }: INodeExecutionData): boolean {
	if (node.onError !== 'continueErrorOutput') return false;
	const names = Object.keys(json);
	if (error !== undefined) return true;
	if (!json.error) return false;
	return names.length === 1 || (names.length === 2 && Boolean(json.message));
}

/** The first entries on an execution's stack, one for each branch. They share one node object, as in n8n. */
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
