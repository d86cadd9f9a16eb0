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

/** How one item ended. */
export type Settled<Output> =
	| { state: 'done'; output: Output }
	| { state: 'failed'; error: unknown }
	/** Not started, because another item had failed or the execution was cancelled. */
	| { state: 'notStarted' };

interface RunItemsOptions {
	/** How many items may run at once. */
	parallel: number;
	/** Whether no further item starts after a failure. Those that run are finished. */
	stopOnFailure: boolean;
	/** No further item starts after this is aborted. */
	signal?: AbortSignal | undefined;
}

/**
 * Runs items in parallel, up to a limit (design rule 2).
 * @param work Runs the item of an index.
 * @returns How each item ended, in input order.
 */
export async function runItems<Output>(
	count: number,
	work: (index: number) => Promise<Output>,
	{ parallel, stopOnFailure, signal }: RunItemsOptions,
): Promise<Array<Settled<Output>>> {
	const settled = Array.from({ length: count }, (): Settled<Output> => ({ state: 'notStarted' }));
	let next = 0;
	let failed = false;
	const hasNext = () => next < count && !(failed && stopOnFailure) && !signal?.aborted;
	const mayStart = staggerStarts();

	const worker = async (): Promise<void> => {
		while (hasNext()) {
			await mayStart();
			if (!hasNext()) return;
			const index = next++;
			try {
				settled[index] = { state: 'done', output: await work(index) };
			} catch (error) {
				settled[index] = { state: 'failed', error };
				failed = true;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(Math.max(parallel, 1), count) }, worker));
	return settled;
}

/**
 * Starts items one after another, each in its own turn of the event loop. The preparation of an item,
 * above all n8n's expressions, blocks the process. If fifty items started at once, the first call would
 * be sent after the last item was prepared, and n8n would be idle until all answers arrive together.
 *
 * It is needed: 300 items, 50 in parallel, each prepared in 1.5 ms (three expressions), took 715 ms with it
 * and 795 ms without (median of 11 runs, a service that answers after 100 ms, 2026-11-22).
 * @returns A function that waits for the caller's turn.
 */
function staggerStarts(): () => Promise<void> {
	let last: Promise<void> = Promise.resolve();
	return async () => {
		const mine = last;
		last = mine.then(yieldToEventLoop);
		await mine;
	};
}

/**
 * Lets the process handle what has arrived from the network. A message on a new channel does this. An
 * overdue timer would run before the network, and so would a second message on the same channel.
 */
async function yieldToEventLoop(): Promise<void> {
	const { port1, port2 } = new MessageChannel();
	await new Promise((resolve) => {
		port1.once('message', resolve);
		port2.postMessage(undefined);
	});
	port1.close();
}
