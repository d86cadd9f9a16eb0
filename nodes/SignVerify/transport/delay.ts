import { sleep } from 'n8n-workflow';

import { onCancel } from './cancellation';

/**
 * Waits, but not on after the execution was cancelled.
 * @param ms Milliseconds; nothing is waited for below 1.
 * @returns false when the wait was cut short.
 */
export async function delay(ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	if (ms < 1) return true;
	if (!signal) {
		await sleep(ms);
		return true;
	}
	const clock = new AbortController();
	let forget: (() => void) | undefined;
	const stopped = new Promise<boolean>((resolve) => {
		forget = onCancel(signal, () => {
			clock.abort();
			resolve(false);
		});
	});
	// n8n 1 knows no signal here and sleeps on; the race is what ends the wait there.
	const slept = sleep(ms, clock.signal).then(
		() => true,
		() => false,
	);
	try {
		return await Promise.race([slept, stopped]);
	} finally {
		forget?.();
	}
}
