/**
 * The time (ms) that this process computed while something was done. Unlike the time by the clock,
 * it does not depend on what else the machine does.
 */
export function processorTimeOf(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	return since(before);
}

/** The same for work that waits now and then. */
export async function processorTimeUntil(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	return since(before);
}

function since(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	// The code in which `npm run test:mutation` counts takes several times as long.
	return (user + system) / 1000 / ('__stryker__' in globalThis ? 10 : 1);
}
