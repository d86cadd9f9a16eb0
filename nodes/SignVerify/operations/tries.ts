import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import type { RetryOnFail } from '../http/retry';

type Outputs = INodeExecutionData[][];

interface Run {
	input: IDataObject | undefined;
	ended: Promise<Outputs>;
}

/** By n8n's entry for one run of a node, which is the same object in each of its tries. */
const runs = new WeakMap<object, Run>();

/**
 * Does the work of a run of the node once. With Retry On Fail, n8n calls `execute()` again with the same
 * input, and every document would be sent again. The calls themselves retry what certainly did not happen
 * (see {@link retryOnFailOf}), and n8n's further tries get the result of the first one.
 */
export async function oncePerRun(
	execute: IExecuteFunctions,
	work: () => Promise<Outputs>,
): Promise<Outputs> {
	const entry = execute.getExecuteData();
	const input = execute.getInputData()[0]?.json;
	let run = runs.get(entry);
	// An AI agent calls a tool several times within one entry, each time with another input.
	if (!run || run.input !== input) {
		run = { input, ended: work() };
		runs.set(entry, run);
	}
	// n8n removes items from the lists that it gets.
	return (await run.ended).map((items) => [...items]);
}

/**
 * Reads the setting "Retry On Fail" as n8n does: 2 to 5 tries, up to 5 seconds between.
 * @returns For the calls that certainly did nothing; undefined if the setting is off.
 */
export function retryOnFailOf(node: INode): RetryOnFail | undefined {
	const { retryOnFail, maxTries, waitBetweenTries } = node;
	if (retryOnFail !== true) return undefined;
	return {
		tries: Math.min(5, Math.max(2, maxTries || 3)),
		pause: Math.min(5000, Math.max(0, waitBetweenTries || 1000)),
	};
}
