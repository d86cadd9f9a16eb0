import { setMaxListeners } from 'node:events';

/**
 * `AbortSignal.timeout` and `AbortSignal.any` for a virtual clock, because Node's own functions use real
 * time. A signal without listeners must not keep a timer running. Node leaves this to garbage collection, but
 * here, the timer is cleared when the last listener is removed.
 */
export const signalTimers: Pick<typeof AbortSignal, 'timeout' | 'any'> = {
	timeout(ms) {
		let timer: NodeJS.Timeout;
		const { signal, abort } = listenedTo({
			begin: () => {
				const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
				timer = setTimeout(() => abort(late), Math.max(0, end - Date.now()));
			},
			end: () => clearTimeout(timer),
		});
		const end = Date.now() + ms;
		return signal;
	},

	any(sources) {
		const all = [...sources];
		// Turn off the warning about too many listeners. Node's own combined signals never cause it, because
		// they follow their sources without adding listeners.
		setMaxListeners(0, ...all);
		const follow = ({ target }: Event) => abort((target as AbortSignal).reason);
		const { signal, abort } = listenedTo({
			begin: () => all.forEach((source) => source.addEventListener('abort', follow)),
			end: () => all.forEach((source) => source.removeEventListener('abort', follow)),
		});
		const aborted = all.find((source) => source.aborted);
		if (aborted) abort(aborted.reason);
		return signal;
	},
};

/** Makes a signal whose source runs only while the signal has listeners. */
function listenedTo(source: { begin(): void; end(): void }): {
	signal: AbortSignal;
	abort(reason: unknown): void;
} {
	const controller = new AbortController();
	const { signal } = controller;
	const listeners = new Set<unknown>();
	const [add, remove] = [signal.addEventListener, signal.removeEventListener];
	signal.addEventListener = (type: string, listener: unknown, options: unknown) => {
		add.call(signal, type, listener as never, options as never);
		if (!signal.aborted && listeners.size === 0) source.begin();
		listeners.add(listener);
	};
	signal.removeEventListener = (type: string, listener: unknown) => {
		remove.call(signal, type, listener as never);
		if (listeners.delete(listener) && listeners.size === 0) source.end();
	};
	return {
		signal,
		abort: (reason) => {
			source.end();
			controller.abort(reason);
		},
	};
}

interface JestWithTickMode {
	setTimerTickMode(how: { mode: 'nextAsync' }): void;
}

/**
 * Replaces the clocks with virtual ones that jump from one timer to the next. Minutes pass in an instant, and
 * parallel pauses overlap as they do in reality. `performance.now()` continues from its current value.
 * @returns A function that restores the real clocks.
 */
function startVirtualTime(): () => void {
	const before = Math.ceil(performance.now());
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	// @types/jest does not have this function yet.
	const { setTimerTickMode } = jest as unknown as JestWithTickMode;
	setTimerTickMode({ mode: 'nextAsync' });
	const sinceThen = performance.now.bind(performance);
	const replaced = [
		jest.spyOn(performance, 'now').mockImplementation(() => before + sinceThen()),
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => signalTimers.timeout(ms)),
		jest.spyOn(AbortSignal, 'any').mockImplementation((signals) => signalTimers.any(signals)),
	];
	return () => {
		for (const replacement of replaced) replacement.mockRestore();
		jest.useRealTimers();
	};
}

let isVirtual = false;

/** Runs all tests in the calling file, or in a `describe`, on virtual clocks. */
export function useVirtualTime(): void {
	let end = () => {};
	beforeEach(() => {
		end = startVirtualTime();
		isVirtual = true;
	});
	afterEach(() => {
		isVirtual = false;
		end();
		jest.restoreAllMocks();
	});
}

/**
 * Starts to measure virtual time.
 * @returns A function that returns how much time has passed since, in milliseconds.
 * @throws Error on real clocks, because how long something takes then depends on the machine.
 */
export function stopwatch(): () => number {
	if (!isVirtual) throw new Error('A test can measure only virtual time: call useVirtualTime().');
	const start = performance.now();
	return () => performance.now() - start;
}

export async function sleep(seconds: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
