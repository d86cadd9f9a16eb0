import { sleep } from 'n8n-workflow';

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
