/** What is to happen when a signal is given, by signal. */
const reactions = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Does something when an execution is cancelled. All that wait share one listener: Node warns in
 * n8n's log of a leak where more than ten listen to one signal, and 50 items may wait at once.
 * @returns What takes the reaction back.
 */
export function onCancel(signal: AbortSignal, react: () => void): () => void {
	let waiting = reactions.get(signal);
	if (!waiting) {
		const all = new Set<() => void>();
		signal.addEventListener('abort', () => [...all].forEach((each) => each()), { once: true });
		reactions.set(signal, all);
		waiting = all;
	}
	const own = waiting;
	own.add(react);
	return () => void own.delete(react);
}
