import { sleep } from 'n8n-workflow';

import { ProcessMemory } from './processMemory';

/** The value or the error with which work ended. */
export type Settled<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/** Waits for work and returns its error instead of throwing it, so that the caller can decide what the error means. */
export async function settle<Value>(work: Promise<Value>): Promise<Settled<Value>> {
	try {
		return { ok: true, value: await work };
	} catch (error) {
		return { ok: false, error };
	}
}

/** Does what {@link settle} does, for a function that returns its value at once. */
export function attempt<Value>(read: () => Value): Settled<Value> {
	try {
		return { ok: true, value: read() };
	} catch (error) {
		return { ok: false, error };
	}
}

/**
 * Returns the value of work that has ended.
 * @throws The work's error, if the work failed.
 */
export function valueOf<Value>(settled: Settled<Value>): Value {
	if (settled.ok) return settled.value;
	throw settled.error;
}

/**
 * Waits for a time, or until the execution is cancelled.
 * @param ms Milliseconds. Below 1, the function returns at once.
 * @returns false if the execution was cancelled.
 */
export async function delay(ms: number, cancel?: AbortSignal): Promise<boolean> {
	if (cancel?.aborted) return false;
	if (ms < 1) return true;
	// Listen to a derived signal: Node 20 warns of a leak in n8n's log if more than ten listeners share one signal.
	const { ok } = await settle(sleep(ms, cancel && AbortSignal.any([cancel])));
	return ok;
}

/**
 * Runs work, and stops waiting if it is not done in time. The time-out of the HTTP client does not suffice, because it
 * measures only silence: a server that sends one byte now and then would never exceed it.
 * @param start Starts the work. Its signal is aborted when the time is over or the execution is cancelled, even after
 * the work has ended, so remove listeners that should not fire then.
 * @param timeoutMs The time for the work, in milliseconds.
 * @throws Error with the code {@link timeIsOver} or, if the execution was cancelled, with the code ERR_CANCELED.
 */
export async function withTimeout<Result>(
	start: (signal: AbortSignal) => Promise<Result>,
	timeoutMs: number,
	cancel?: AbortSignal,
): Promise<Result> {
	const timedOut = () => errorWith(timeIsOver, 'The answer did not come in time');
	// AbortSignal.timeout() takes only whole numbers, and 16.1 seconds are 16100.000000000002 ms.
	const timeoutSignal = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
	const signal = cancel ? AbortSignal.any([cancel, timeoutSignal]) : timeoutSignal;
	let giveUp = () => {};
	const givenUp = new Promise<never>((_, reject) => {
		giveUp = () => reject(timeoutSignal.aborted ? timedOut() : cancellation());
	});
	// Listen before the work does, so that the race ends with this error and not with that of an aborted client.
	signal.addEventListener('abort', giveUp);
	try {
		if (signal.aborted) throw cancellation();
		return await Promise.race([givenUp, start(signal)]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/** The error code for a time that is over. The HTTP client has another code for a server that is silent. */
export const timeIsOver = 'TIME_IS_OVER';

/** Makes the error for a cancelled execution. It has the code that the HTTP client uses. */
export function cancellation(): Error {
	return errorWith('ERR_CANCELED', 'The execution was cancelled');
}

/** Makes an error with a code, in the form that Node and the HTTP client use. */
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

	/** Starts the work when all earlier work with the same name has ended, whether it succeeded or failed. */
	async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
		const earlierWork = this.lastWork.get(name) ?? Promise.resolve();
		const thisWork = earlierWork.then(work, work);
		this.lastWork.set(name, thisWork);
		try {
			return await thisWork;
		} finally {
			if (this.lastWork.get(name) === thisWork) this.lastWork.delete(name);
		}
	}
}

/** Limits how many pieces of work run at once. The others wait in the order in which they asked. */
export class Slots {
	private running = 0;

	private limit = 1;

	private readonly waiting: Array<() => void> = [];

	/**
	 * Waits for a slot. The caller must release the slot that it gets.
	 * @param limit The number of slots from now on.
	 * @returns true with a slot; false, without one, if the execution was cancelled.
	 */
	async acquire(limit: number, cancel?: AbortSignal): Promise<boolean> {
		if (cancel?.aborted) return false;
		this.limit = limit;
		// Listen to a derived signal: Node 20 warns of a leak in n8n's log if more than ten listeners share one signal.
		const signal = cancel && AbortSignal.any([cancel]);
		const turn = new Promise<boolean>((resolve) => {
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
		return await turn;
	}

	release(): void {
		this.running--;
		this.startNext();
	}

	private startNext(): void {
		while (this.running < this.limit && this.waiting.length > 0) this.waiting.shift()?.();
	}
}
