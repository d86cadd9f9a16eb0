import { sleep } from 'n8n-workflow';

import { ProcessMemory } from './processMemory';

export type Settled<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/**
 * Waits for work. If it fails, returns its error instead of throwing it, so the caller can decide how to
 * handle it.
 */
export async function settle<Value>(work: Promise<Value>): Promise<Settled<Value>> {
	try {
		return { ok: true, value: await work };
	} catch (error) {
		return { ok: false, error };
	}
}

/** Like {@link settle}, but for a synchronous function. */
export function settleSync<Value>(read: () => Value): Settled<Value> {
	try {
		return { ok: true, value: read() };
	} catch (error) {
		return { ok: false, error };
	}
}

/** @throws The work's error, if the work failed. */
export function valueOf<Value>(settled: Settled<Value>): Value {
	if (settled.ok) return settled.value;
	throw settled.error;
}

/**
 * Returns a signal that is aborted together with the execution's. Listen to it instead, because Node 20
 * writes a leak warning to n8n's log if more than ten listeners share a signal.
 */
export function derivedSignal(cancel?: AbortSignal): AbortSignal | undefined {
	return cancel && AbortSignal.any([cancel]);
}

/**
 * Waits for a given time, or until the execution is canceled.
 * @param ms The time in milliseconds. If it is less than 1, the function returns immediately.
 * @returns false if the execution was canceled.
 */
export async function delay(ms: number, cancel?: AbortSignal): Promise<boolean> {
	if (cancel?.aborted) return false;
	if (ms < 1) return true;
	const { ok } = await settle(sleep(ms, derivedSignal(cancel)));
	return ok;
}

/**
 * Runs work, but stops waiting for it when the time runs out. The HTTP client's timeout isn't enough, because
 * it limits only the time between bytes: a server that sends one byte now and then would never trigger it.
 * @param start Starts the work. The signal passed to it is aborted when the time runs out or the execution is
 * canceled. This can happen even after the work has ended, so remove listeners that shouldn't be called after
 * that.
 * @param timeoutMs The time limit for the work, in milliseconds.
 * @throws Error with the code {@link timeIsOver}, or with the code ERR_CANCELED if the execution was
 * canceled.
 */
export async function withTimeout<Result>(
	start: (signal: AbortSignal) => Promise<Result>,
	timeoutMs: number,
	cancel?: AbortSignal,
): Promise<Result> {
	const timedOut = () => errorWith(timeIsOver, 'The response did not arrive in time');
	// AbortSignal.timeout() accepts only whole numbers, and 16.1 seconds is 16100.000000000002 ms.
	const timeoutSignal = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
	const signal = cancel ? AbortSignal.any([cancel, timeoutSignal]) : timeoutSignal;
	let giveUp = () => {};
	const givenUp = new Promise<never>((_, fail) => {
		giveUp = () => fail(timeoutSignal.aborted ? timedOut() : cancellation());
	});
	// Add our listener before the work adds its own, so the race ends with our error, not with the aborted
	// HTTP client's error.
	signal.addEventListener('abort', giveUp);
	try {
		if (signal.aborted) throw cancellation();
		return await Promise.race([givenUp, start(signal)]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/** The error code for work that ran out of time. The HTTP client's timeout has a different code. */
export const timeIsOver = 'TIME_IS_OVER';

/** Creates the error for a canceled execution, with the same code as the HTTP client's own. */
export function cancellation(): Error {
	return errorWith('ERR_CANCELED', 'The execution was cancelled');
}

/** Creates an error with a `code` property, like the errors from Node and the HTTP client. */
export function errorWith(code: string, message: string): Error {
	return Object.assign(new Error(message), { code });
}

/** Runs tasks with the same name one after another, in order. Tasks with different names run in parallel. */
export class KeyedMutex {
	private readonly lastWork = new ProcessMemory<Promise<unknown>>();

	/**
	 * Starts the work after all earlier work with the same name has ended, whether it succeeded or failed.
	 */
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

/**
 * Whether one more task may run. If this is false for a group of which none runs, it must be false for every group.
 * @param running How many tasks run.
 * @param runningOfGroup How many of them belong to the task's group.
 */
type HasRoom = (running: number, runningOfGroup: number) => boolean;

/**
 * Limits how many tasks run at the same time. The rest wait in one queue. When a slot becomes free, the oldest task that
 * may run gets it.
 */
export class Slots {
	private running = 0;

	/** The groups of which a task runs, and how many. */
	private readonly runningByGroup = new Map<string, number>();

	private readonly waiting = new Set<{ group: string; start: () => void }>();

	private hasRoom: HasRoom = () => true;

	/**
	 * Waits for a slot. The caller must release the slot afterward.
	 * @param hasRoom It replaces the previous rule.
	 * @returns true once the caller has a slot; false if the execution was canceled first.
	 */
	async acquire(hasRoom: HasRoom, cancel?: AbortSignal, group = ''): Promise<boolean> {
		if (cancel?.aborted) return false;
		this.hasRoom = hasRoom;
		// Most work doesn't have to wait, and a signal takes a good part of the time that an item takes.
		if (this.waiting.size === 0 && this.canStart(group)) {
			this.take(group);
			return true;
		}
		const signal = derivedSignal(cancel);
		const turn = new Promise<boolean>((resolve) => {
			const start = () => {
				signal?.removeEventListener('abort', leave);
				this.waiting.delete(task);
				this.take(group);
				resolve(true);
			};
			const leave = () => {
				this.waiting.delete(task);
				resolve(false);
			};
			const task = { group, start };
			signal?.addEventListener('abort', leave);
			this.waiting.add(task);
		});
		this.startNext();
		return await turn;
	}

	release(group = ''): void {
		this.running--;
		const left = this.runningOf(group) - 1;
		if (left > 0) this.runningByGroup.set(group, left);
		else this.runningByGroup.delete(group);
		this.startNext();
	}

	private startNext(): void {
		for (const { group, start } of this.waiting) {
			if (!this.hasRoom(this.running, 0)) return;
			if (this.canStart(group)) start();
		}
	}

	private canStart(group: string): boolean {
		return this.hasRoom(this.running, this.runningOf(group));
	}

	private take(group: string): void {
		this.running++;
		this.runningByGroup.set(group, this.runningOf(group) + 1);
	}

	private runningOf(group: string): number {
		return this.runningByGroup.get(group) ?? 0;
	}
}
