/**
 * The time (ms) that this process computed while something was done. Unlike the time by the clock,
 * it does not depend on what else the machine does. It is the least of three times: one of them can also
 * pay for compiling the code and for collecting the memory of earlier tests.
 */
export function processorTimeOf(work: () => unknown): number {
	const times = [1, 2, 3].map(() => {
		const before = process.cpuUsage();
		work();
		return since(before);
	});
	return Math.min(...times);
}

/** The time (ms) of work that waits now and then, done once. */
export async function processorTimeUntil(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	return since(before);
}

function since(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000 / slowdown();
}

/** The code in which `npm test` or `npm run test:mutation` counts takes several times as long. */
function slowdown(): number {
	if ('__stryker__' in globalThis) return 10;
	return '__coverage__' in globalThis ? 4 : 1;
}
