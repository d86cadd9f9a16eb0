import { sleep } from 'n8n-workflow';

/**
 * Waits, but not on after the execution was cancelled.
 * @param ms Milliseconds; nothing is waited for below 1.
 * @returns false when the wait was cut short.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	if (ms < 1) return true;
	if (!signal) {
		await sleep(ms);
		return true;
	}
	let stop: (() => void) | undefined;
	const stopped = new Promise<boolean>((resolve) => {
		stop = () => resolve(false);
		signal.addEventListener('abort', stop, { once: true });
	});
	// n8n 1 knows no signal here and sleeps on; the race is what ends the wait there.
	const slept = sleep(ms, signal).then(
		() => true,
		() => false,
	);
	try {
		return await Promise.race([slept, stopped]);
	} finally {
		if (stop) signal.removeEventListener('abort', stop);
	}
}
