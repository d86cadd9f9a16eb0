import type { INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { Execution, ExecutionSummary } from './apiTypes';

/** An execution as the REST interface gives it: its data is a `flatted` string. */
export type RawExecution = ExecutionSummary & { data?: string };

/** Decodes an execution as it came over the wire. */
export async function decodeExecution(raw: RawExecution): Promise<Execution> {
	// Its types are those of an ES module alone, so that a plain import is refused.
	const { parse } = await import('flatted');
	const { data, ...summary } = raw;
	const decoded = data ? (parse(data) as IRunExecutionData) : undefined;
	const result = decoded?.resultData;
	return {
		...summary,
		runData: result?.runData ?? {},
		lastNodeExecuted: result?.lastNodeExecuted,
		error: result?.error ? { ...result.error, message: result.error.message } : undefined,
	};
}

/** True while an execution is still going to do something without an outside event. */
export function isRunning(execution: ExecutionSummary): boolean {
	return execution.status === 'new' || execution.status === 'running';
}

/**
 * The items that a node gave out.
 *
 * @param node the node's name in the workflow
 * @param output which of its outputs, counted from 0
 * @returns of all its runs together; empty when it did not run. Without the placeholders that n8n
 * stores after a crash for each node that had ended: its own output is not in the database.
 */
export function outputOf(execution: Execution, node: string, output = 0): INodeExecutionData[] {
	const items = (execution.runData[node] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
	return items.filter(({ json }) => json.isArtificialRecoveredEventItem !== true);
}
