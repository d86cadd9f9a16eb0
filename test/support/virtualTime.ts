import { signalTimers } from './signalTimers';

/**
 * Does the work on a clock that jumps from one timer to the next: minutes pass in moments, and pauses
 * that run at once overlap as they really do.
 * @returns The outcome, and how long (s) it took on that clock.
 */
export async function inVirtualTime<Value>(
	work: () => Promise<Value>,
): Promise<{ value: Value; seconds: number }> {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	const replaced = [
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => signalTimers.timeout(ms)),
		jest.spyOn(AbortSignal, 'any').mockImplementation((signals) => signalTimers.any(signals)),
	];
	try {
		const start = Date.now();
		let isOver = false;
		const running = work().finally(() => (isOver = true));
		// A failure is thrown below; until then somebody has to be listening.
		running.catch(() => undefined);
		while (!isOver) await jest.advanceTimersToNextTimerAsync();
		return { value: await running, seconds: (Date.now() - start) / 1000 };
	} finally {
		for (const each of replaced) each.mockRestore();
		jest.useRealTimers();
	}
}
