import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../transport/errors';

type Outputs = INodeExecutionData[][];

/** How a run of the node ended, and the input that it was for. */
interface Run {
	input: IDataObject | undefined;
	ended: Promise<Outputs>;
}

/** By n8n's entry for one run of a node, the same object in each of its tries. */
const runs = new WeakMap<object, Run>();

/**
 * Does the work of a run of the node once. With Retry On Fail n8n calls `execute()` again with the
 * same input, and keeps nothing of the try before: every document would go out again. The node tries
 * again by itself what certainly did not happen (see {@link triesOf}), and n8n's further tries get
 * what the first one ended with.
 */
export async function oncePerRun(
	execute: IExecuteFunctions,
	work: () => Promise<Outputs>,
): Promise<Outputs> {
	const entry = execute.getExecuteData();
	const input = execute.getInputData()[0]?.json;
	let run = runs.get(entry);
	// An AI agent calls a tool several times within one entry, each time with an input of its own.
	if (!run || run.input !== input) {
		run = { input, ended: work() };
		runs.set(entry, run);
	}
	// n8n takes items out of the lists that it gets.
	return (await run.ended).map((items) => [...items]);
}

/** How often an item may be tried, and how long (ms) to wait before each further try. */
interface Tries {
	most: number;
	wait: number;
}

/**
 * Reads the settings of "Retry On Fail" as n8n does: 2 to 5 tries, up to 5 seconds between. These
 * tries are the user's own wish and take nothing from the retry budget: in an outage each round makes
 * one call for each item. What the node repeats by itself within the rounds comes out of one budget
 * for all of them, which no round fills up again.
 */
export function triesOf({ retryOnFail, maxTries, waitBetweenTries }: INode): Tries {
	if (retryOnFail !== true) return { most: 1, wait: 0 };
	return {
		most: Math.min(5, Math.max(2, maxTries || 3)),
		wait: Math.min(5000, Math.max(0, waitBetweenTries || 1000)),
	};
}

/**
 * Whether an item that failed is tried again: the service certainly did not act on it, and may do so
 * the next time. A wrong value stays wrong.
 */
export function canTryAgain(error: unknown): boolean {
	return error instanceof ServiceError && !error.mayHaveCreated;
}
