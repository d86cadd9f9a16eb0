import { settle, type Settled, Slots } from '../util/async';

interface RunItemsOptions {
	/** How many items may run at once, those of all executions that share the slots together. */
	parallel: number;
	slots?: Slots | undefined;
	/** After which failures no further item starts. Those that run are finished. */
	stopsAfter: (error: unknown) => boolean;
	/** No further item starts after this is aborted. */
	signal?: AbortSignal | undefined;
}

/**
 * Runs items in parallel, up to a limit ("Every item once, in order").
 *
 * Each item starts in its own turn of the event loop, because it first blocks the process: n8n's expressions
 * when it is checked, and n8n's credential and HTTP client when it is sent. Of items that start at once, the
 * first call would be sent after the last one was made, and nobody could cancel meanwhile.
 * @param work Runs the item of an index.
 * @returns How each item ended, in input order; undefined for one that was not started, because another one
 * had failed or the execution was cancelled.
 */
export async function runItems<Output>(
	count: number,
	work: (index: number) => Promise<Output>,
	{ parallel, slots = new Slots(), stopsAfter, signal }: RunItemsOptions,
): Promise<Array<Settled<Output> | undefined>> {
	const settled = Array.from({ length: count }, (): Settled<Output> | undefined => undefined);
	let next = 0;
	let stopped = false;
	let lastTurn = Promise.resolve();
	const hasNext = () => next < count && !stopped && !signal?.aborted;

	const runNext = async (): Promise<void> => {
		const turn = lastTurn;
		lastTurn = turn.then(yieldToEventLoop);
		await turn;
		if (!hasNext()) return;
		const index = next++;
		const ended = await settle(work(index));
		settled[index] = ended;
		stopped ||= !ended.ok && stopsAfter(ended.error);
	};
	// A worker has one item at a time, so another execution does not wait for all items of this one.
	const worker = async (): Promise<void> => {
		while (hasNext()) {
			if (!(await slots.acquire(parallel, signal))) return;
			await runNext().finally(() => slots.release());
		}
	};
	await Promise.all(Array.from({ length: Math.min(parallel, count) }, worker));
	return settled;
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
