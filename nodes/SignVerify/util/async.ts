import { sleep } from 'n8n-workflow';

/** How a piece of work ended. */
type Attempt<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/** Waits for work that may fail in a way that is no error yet: there is another place to look. */
export async function attempt<Value>(work: Promise<Value>): Promise<Attempt<Value>> {
	try {
		return { ok: true, value: await work };
	} catch (error) {
		return { ok: false, error };
	}
}

/**
 * Waits, but not on after the execution was cancelled.
 * @param ms Milliseconds; nothing is waited for below 1.
 * @returns false when the wait was cut short.
 */
export async function delay(ms: number, cancel?: AbortSignal): Promise<boolean> {
	if (cancel?.aborted) return false;
	if (ms < 1) return true;
	if (!cancel) {
		await sleep(ms);
		return true;
	}
	// A signal of its own: Node 20 warns in n8n's log of a leak where more than ten listen to one.
	const signal = AbortSignal.any([cancel]);
	let stop = () => {};
	const stopped = new Promise<boolean>((resolve) => (stop = () => resolve(false)));
	signal.addEventListener('abort', stop);
	try {
		// n8n 1 knows no signal here and sleeps on; the race is what ends the wait there.
		const slept = sleep(ms, signal).then(
			() => true,
			() => false,
		);
		return await Promise.race([slept, stopped]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/**
 * Gives up on an answer that does not come to its end in time: the HTTP client's own time-out
 * counts silence, and a service that sends a byte now and then is never silent.
 * @param start Starts the work. Its signal is aborted when the time is over or the execution is
 * cancelled, so that nothing is left open and nothing goes out after it was given up. The time runs
 * on after the work has ended: what lives longer takes its listener off before.
 * @param timeout Milliseconds.
 * @throws Error with the code of a time-out, or of a cancelled call.
 */
export async function withTimeout<Answer>(
	start: (signal: AbortSignal) => Promise<Answer>,
	timeout: number,
	cancel?: AbortSignal,
): Promise<Answer> {
	const late = AbortSignal.timeout(timeout);
	const signal = cancel ? AbortSignal.any([cancel, late]) : late;
	let giveUp = () => {};
	const givenUp = new Promise<never>((_, reject) => {
		giveUp = () => reject(late.aborted ? timedOut() : cancelled());
	});
	// Before the work listens, so that these words come first, not those of a client that was aborted.
	signal.addEventListener('abort', giveUp);
	try {
		if (signal.aborted) throw cancelled();
		return await Promise.race([givenUp, start(signal)]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

function timedOut(): Error {
	return Object.assign(new Error('The answer did not come in time'), { code: 'ETIMEDOUT' });
}

function cancelled(): Error {
	return Object.assign(new Error('The execution was cancelled'), { code: 'ERR_CANCELED' });
}

/** Lets pieces of work that share a name run one after another, in the order in which they came. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Does the work once all earlier work of that name has ended, however it ended. */
	async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
		const before = this.last.get(name) ?? Promise.resolve();
		const running = before.then(work, work);
		this.last.set(name, running);
		try {
			return await running;
		} finally {
			if (this.last.get(name) === running) this.last.delete(name);
		}
	}
}
