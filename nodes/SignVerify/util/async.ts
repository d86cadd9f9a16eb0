import { sleep } from 'n8n-workflow';

import { ProcessMemory } from './processMemory';

/** How work ended. */
export type Settled<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/** Waits for work whose failure is not yet an error for the caller. */
export async function settle<Value>(work: Promise<Value>): Promise<Settled<Value>> {
	try {
		return { ok: true, value: await work };
	} catch (error) {
		return { ok: false, error };
	}
}

/** The value of work that has ended. @throws Its error, if it failed. */
export function valueOf<Value>(ended: Settled<Value>): Value {
	if (ended.ok) return ended.value;
	throw ended.error;
}

/**
 * Waits, until the execution is cancelled.
 * @param ms Milliseconds; below 1, it does not wait.
 * @returns false if it was cancelled.
 */
export async function delay(ms: number, cancel?: AbortSignal): Promise<boolean> {
	if (cancel?.aborted) return false;
	if (ms < 1) return true;
	// A signal of its own: if more than ten listen to one, Node 20 warns of a leak in n8n's log.
	const { ok } = await settle(sleep(ms, cancel && AbortSignal.any([cancel])));
	return ok;
}

/**
 * Stops waiting for an answer that is not complete in time. The HTTP client's own time-out counts only
 * silence, and a service that sends a byte now and then is never silent.
 * @param start Starts the work. Its signal is aborted when the time is over or the execution is
 * cancelled, also after the work has ended. If something lives longer, remove its listener before.
 * @param timeout Milliseconds.
 * @throws Error with the code {@link timeIsOver}, or that of a cancelled call.
 */
export async function withTimeout<Answer>(
	start: (signal: AbortSignal) => Promise<Answer>,
	timeout: number,
	cancel?: AbortSignal,
): Promise<Answer> {
	const timedOut = () => errorWith(timeIsOver, 'The answer did not come in time');
	const cancelled = () => errorWith('ERR_CANCELED', 'The execution was cancelled');
	// It takes whole numbers only, and 16.1 seconds are 16100.000000000002 ms.
	const late = AbortSignal.timeout(Math.max(0, Math.ceil(timeout)));
	const signal = cancel ? AbortSignal.any([cancel, late]) : late;
	let giveUp = () => {};
	const givenUp = new Promise<never>((_, reject) => {
		giveUp = () => reject(late.aborted ? timedOut() : cancelled());
	});
	// Before the work listens: these words come first, not those of a client that was aborted.
	signal.addEventListener('abort', giveUp);
	try {
		if (signal.aborted) throw cancelled();
		return await Promise.race([givenUp, start(signal)]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/** The code of the error when the time is over; the client's own code for silence is another one. */
export const timeIsOver = 'TIME_IS_OVER';

/** An error with a code, as Node and the HTTP client have them. */
export function errorWith(code: string, message: string): Error {
	return Object.assign(new Error(message), { code });
}

/** Runs pieces of work with the same name one after another, in their order. */
export class KeyedMutex {
	private readonly lastWork: ProcessMemory<Promise<unknown>>;

	/** @param name What it guards, in the table of what a process remembers. */
	constructor(name: string) {
		this.lastWork = new ProcessMemory({ name, bound: Infinity, life: 'while it runs' });
	}

	/** Does the work when all earlier work of that name has ended, also if it failed. */
	async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
		const workBefore = this.lastWork.get(name) ?? Promise.resolve();
		const running = workBefore.then(work, work);
		this.lastWork.set(name, running);
		try {
			return await running;
		} finally {
			if (this.lastWork.get(name) === running) this.lastWork.delete(name);
		}
	}
}

/** Lets so many pieces of work run at once; the others wait in the order in which they came. */
export class Slots {
	private running = 0;

	private limit = 1;

	private readonly waiting: Array<() => void> = [];

	/**
	 * Waits for a slot.
	 * @param limit How many may run at once, from now on.
	 * @returns false if it was cancelled meanwhile; otherwise the caller must release the slot.
	 */
	async acquire(limit: number, cancel?: AbortSignal): Promise<boolean> {
		if (cancel?.aborted) return false;
		this.limit = limit;
		// A signal of its own, as in delay().
		const signal = cancel && AbortSignal.any([cancel]);
		const mine = new Promise<boolean>((resolve) => {
			const start = () => {
				signal?.removeEventListener('abort', leave);
				this.running++;
				resolve(true);
			};
			const leave = () => {
				this.waiting.splice(this.waiting.indexOf(start), 1);
				resolve(false);
			};
			signal?.addEventListener('abort', leave);
			this.waiting.push(start);
		});
		this.startNext();
		return await mine;
	}

	release(): void {
		this.running--;
		this.startNext();
	}

	private startNext(): void {
		while (this.running < this.limit && this.waiting.length > 0) this.waiting.shift()?.();
	}
}
