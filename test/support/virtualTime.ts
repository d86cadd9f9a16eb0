import { setMaxListeners } from 'node:events';

/**
 * `AbortSignal.timeout` and `AbortSignal.any` for a clock that is not the real one: Node's own keep to
 * real time. As there, a signal that nobody listens to any more holds no timer; Node leaves that to its
 * garbage collection, here it happens when the last listener is taken off.
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
		// Node's own follows its sources without a listener.
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

/** A signal that does something from its first listener until its last one is gone. */
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
 * Puts clocks in place that jump from one timer to the next: minutes pass in moments, and pauses that run
 * at once overlap as they really do. `performance.now()` goes on from where it is.
 * @returns What puts the real ones back.
 */
function startVirtualTime(): () => void {
	const before = Math.ceil(performance.now());
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	// @types/jest does not know it yet.
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

/** All tests of the calling file, or of a `describe`, run on such clocks. */
export function useVirtualTime(): void {
	let end = () => {};
	beforeEach(() => {
		end = startVirtualTime();
	});
	afterEach(() => {
		end();
		jest.restoreAllMocks();
	});
}

/** Waits so many seconds, on whatever clock there is. */
export async function sleep(seconds: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
