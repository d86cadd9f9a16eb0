/** How one item ended. */
export type Settled<Output> =
	| { state: 'done'; output: Output }
	| { state: 'failed'; error: unknown }
	/** Not started, because another item had failed or the execution was cancelled. */
	| { state: 'notStarted' };

interface RunItemsOptions {
	/** How many items may be under way at once. */
	parallel: number;
	/** Whether a failure keeps further items from being started; those under way are awaited. */
	stopOnFailure: boolean;
	/** No further item is started once this is aborted. */
	signal?: AbortSignal | undefined;
}

/**
 * Works on items in parallel, within a bound (design rule 2).
 * @param count How many items there are.
 * @param work Works on the item of an index.
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
 * Lets items start one after another, each in a turn of the event loop of its own. What an item begins
 * with (n8n's expressions, above all) holds up everything else in the process: of fifty started at
 * once, each would be sent only after the last was prepared, and all answers would come in one burst,
 * with n8n idle in between.
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
 * Lets the process see to what has come from the network meanwhile, and goes on after that. A message
 * does that; a timer that is overdue runs ahead of the network, and so does a second message on a
 * channel that is still being read: hence a new one each time.
 */
async function yieldToEventLoop(): Promise<void> {
	const { port1, port2 } = new MessageChannel();
	await new Promise((resolve) => {
		port1.once('message', resolve);
		port2.postMessage(undefined);
	});
	port1.close();
}
