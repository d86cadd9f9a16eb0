import type { INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { Execution, ExecutionSummary } from './apiTypes';

/** An execution as the REST API returns it. Its data is encoded with `flatted`. */
export type RawExecution = ExecutionSummary & { data?: string };

export async function decodeExecution(raw: RawExecution): Promise<Execution> {
	// flatted's types describe only an ES module, so TypeScript rejects a static import.
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

/** Whether an execution is running or about to start. */
export function isRunning(execution: ExecutionSummary): boolean {
	return execution.status === 'new' || execution.status === 'running';
}

/**
 * Returns all items that a node produced, across all of its runs. If n8n crashed, it may have stored
 * placeholders for nodes whose output was lost. These placeholders are left out.
 * @param node The name of the node.
 * @param output The index of the output, from 0.
 * @returns An empty list if the node did not run.
 */
export function outputOf(execution: Execution, node: string, output = 0): INodeExecutionData[] {
	const items = (execution.runData[node] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
	return items.filter(({ json }) => json.isArtificialRecoveredEventItem !== true);
}
