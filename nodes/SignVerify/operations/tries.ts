import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { InputError, ServiceError } from '../http/errors';

type Outputs = INodeExecutionData[][];

interface Run {
	input: IDataObject | undefined;
	ended: Promise<Outputs>;
}

/** By n8n's entry for one run of a node, which is the same object in each of its tries. */
const runs = new WeakMap<object, Run>();

/**
 * Does the work of a run of the node once. With Retry On Fail, n8n calls `execute()` again with the same
 * input, and every document would be sent again. The node itself retries what certainly did not happen
 * (see {@link triesOf}), and n8n's further tries get the result of the first one.
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

/** How often an item may be tried, and how long (ms) to wait before each further try. */
interface Tries {
	most: number;
	wait: number;
}

/**
 * Reads the settings of "Retry On Fail" as n8n does: 2 to 5 tries, up to 5 seconds between. The user wants
 * these tries, so they need no retry budget: in an outage, each round makes one call for each item. All
 * rounds share one budget for the retries within them.
 */
export function triesOf({ retryOnFail, maxTries, waitBetweenTries }: INode): Tries {
	if (retryOnFail !== true) return { most: 1, wait: 0 };
	return {
		most: Math.min(5, Math.max(2, maxTries || 3)),
		wait: Math.min(5000, Math.max(0, waitBetweenTries || 1000)),
	};
}

/** Failures of n8n itself after which nothing has been done. Its words are not changed. */
const harmless = new WeakSet<object>();

/** Marks a failure after which nothing has been done. The item may then be retried. */
export function asRepeatable(error: unknown): unknown {
	if (error instanceof Error && !(error instanceof InputError)) harmless.add(error);
	return error;
}

/** Waits for work that may be done again after each of its failures, because it sends nothing. */
export async function repeatable<Value>(work: Promise<Value>): Promise<Value> {
	try {
		return await work;
	} catch (error) {
		throw asRepeatable(error);
	}
}

/**
 * Whether to retry an item: the service certainly did not act. A wrong value stays wrong. After any other
 * error, something may have been created, unless it is marked ({@link asRepeatable}).
 */
export function canTryAgain(error: unknown): boolean {
	if (error instanceof ServiceError) return !error.mayHaveCreated;
	return error instanceof Error && harmless.has(error);
}
