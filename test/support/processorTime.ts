/**
 * Measures the processor time (ms) that this process uses for some work, as on a quiet machine. The work runs three
 * times, and the shortest time is returned, because a longer time may include compilation or the garbage collection of
 * earlier tests. Compare it with a limit of at least three times what a quiet machine takes, because the limit is to find
 * what grows too fast, and CI's machine is slower by chance.
 */
export function processorTimeOf(work: () => unknown): number {
	const times = [1, 2, 3].map(() => {
		const before = process.cpuUsage();
		work();
		return since(before);
	});
	return Math.min(...times);
}

/** Measures the processor time (ms) of asynchronous work. Runs the work only once. */
export async function processorTimeUntil(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	return since(before);
}

function since(before: NodeJS.CpuUsage): number {
	return used(before) / slowdown() / busyness();
}

/** The processor time (ms) that this process has used since then. */
function used(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

const knownWork = JSON.stringify(Array.from({ length: 4000 }, (_, index) => ({ index: [index] })));
/** What reading and writing `knownWork` takes on a quiet machine, in milliseconds. */
const quietTime = 2.5;

/**
 * Returns the factor by which other load slows this machine down, at least 1. Processor time depends on it as well,
 * because two programs share the parts of one core.
 */
function busyness(): number {
	const times = [1, 2, 3].map(() => {
		const before = process.cpuUsage();
		JSON.stringify(JSON.parse(knownWork));
		return used(before);
	});
	return Math.max(1, Math.min(...times) / quietTime);
}

/**
 * The nightly `npm test` and `npm run test:mutation` add counters to the code. Returns the factor by which the counters
 * slow the code down.
 */
function slowdown(): number {
	if ('__stryker__' in globalThis) return 10;
	return '__coverage__' in globalThis ? 4 : 1;
}
