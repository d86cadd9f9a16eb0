import { settle, type Settled, Slots } from '../util/async';

export interface RunItemsOptions {
	/**
	 * The maximum number of items that run at the same time. If other executions share the `slots`, the
	 * maximum includes their items.
	 */
	maxParallelItems: number;
	slots?: Slots | undefined;
	/**
	 * Whether the given error keeps the remaining items from starting. Items that have already started still
	 * finish.
	 */
	stopsAfter: (error: unknown) => boolean;
	/** When items start. By default, only one of them starts in a turn of the event loop. */
	turns?: Turns;
	/** Once this signal is aborted, no more items start. */
	signal?: AbortSignal | undefined;
}

/**
 * Runs items in parallel, up to a limit. Each result has the same index as its item (the guarantee "Every
 * item once, in order" in docs/dev/behavior.md).
 *
 * Few items start per turn of the event loop ({@link Turns}), because preparing an item blocks the process: n8n
 * evaluates expressions when the item is checked, and reads the credential and builds the HTTP call when the
 * item is sent. If all items started in the same turn, no call would be sent until the last item was
 * prepared, and the user could not cancel the execution in the meantime.
 * @param work Runs the item with this index.
 * @returns The result for each item, in input order; undefined for an item that did not start, because
 * another item failed or the execution was canceled.
 * @n8n
 */
export async function runItems<Output>(
	count: number,
	work: (index: number) => Promise<Output>,
	{
		maxParallelItems,
		slots = new Slots(),
		stopsAfter,
		turns = new Turns(),
		signal,
	}: RunItemsOptions,
): Promise<Array<Settled<Output> | undefined>> {
	const settled = Array.from({ length: count }, (): Settled<Output> | undefined => undefined);
	let next = 0;
	let stopped = false;
	const hasNext = () => next < count && !stopped && !signal?.aborted;

	const runNext = async (): Promise<void> => {
		await turns.next();
		if (!hasNext()) return;
		const index = next++;
		const result = await settle(work(index));
		settled[index] = result;
		stopped ||= !result.ok && stopsAfter(result.error);
	};
	// Release the slot after each item so that other executions don't have to wait for all of this
	// execution's items.
	const hasRoom = (running: number) => running < maxParallelItems;
	const worker = async (): Promise<void> => {
		while (hasNext()) {
			if (!(await slots.acquire(hasRoom, signal))) return;
			await runNext().finally(() => slots.release());
		}
	};
	await Promise.all(Array.from({ length: Math.min(maxParallelItems, count) }, worker));
	return settled;
}

/** Lets items start one after another, and the process handle incoming network traffic in between. */
export class Turns {
	private last = Promise.resolve();

	/** When the items began that can still start in this turn of the event loop (`performance.now()`). */
	private beganAt = -Infinity;

	/** @param maxMs How long items may start in the same turn of the event loop. By default, only one does. */
	constructor(private readonly maxMs = 0) {}

	/** Waits until the next item may start. Items start in the order in which they ask. */
	async next(): Promise<void> {
		this.last = this.last.then(async () => {
			if (performance.now() - this.beganAt < this.maxMs) return;
			await yieldToEventLoop();
			this.beganAt = performance.now();
		});
		await this.last;
	}
}

/**
 * The turns for checks of items, which send nothing, so several can start in a turn without holding up a call. All runs
 * in this process share them. Otherwise, n8n would respond to nothing else while each of many lists takes its time.
 */
export const turnsOfChecks = new Turns(4);

/**
 * Lets the process handle incoming network traffic. This function sends a message on a new channel, because
 * the process would handle a timer, or a second message on the same channel, before the network traffic.
 */
async function yieldToEventLoop(): Promise<void> {
	const { port1, port2 } = new MessageChannel();
	await new Promise((resolve) => {
		port1.once('message', resolve);
		port2.postMessage(undefined);
	});
	port1.close();
}
