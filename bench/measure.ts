import { readFile, writeFile } from 'node:fs/promises';

/**
 * Measures the peak memory of a process while `work` runs. This works only on Linux.
 * @param pid A process of this user.
 * @returns The result and the peak in MB, which is undefined on other systems.
 */
export async function withPeakMemory<Result>(
	pid: number,
	work: () => Promise<Result>,
): Promise<{ result: Result; peakMB: number | undefined }> {
	// Writing 5 to this file resets the peak to the current memory.
	const told = await writeFile(`/proc/${pid}/clear_refs`, '5').then(
		() => true,
		() => false,
	);
	const result = await work();
	if (!told) return { result, peakMB: undefined };
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
	return { result, peakMB: peak === undefined ? undefined : Number(peak) / 1024 };
}

/** Formats a number as the tables do, for example `1,000`. */
export const written = (number: number): string => number.toLocaleString('en');

/** Linux counts the time of a process in hundredths of a second. */
const tickMs = 10;

/**
 * Returns the processor time in ms that a process has used so far. Other work on the machine hardly affects
 * this time. Returns NaN if the system does not report it.
 */
export async function processorMs(pid: number): Promise<number> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// The program's name may contain spaces, so the fields after it are counted. The two numbers added here
	// are fields 14 and 15 of the line.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/**
 * Returns the median of the values.
 * @throws Error for an empty list.
 */
export function median(values: number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = (sorted.length - 1) / 2;
	const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	if (below === undefined || above === undefined)
		throw new Error("There aren't any measurements to compare.");
	return (below + above) / 2;
}

/**
 * Divides each value of one client by the other client's value in the same round and returns the median of
 * these ratios.
 */
export function medianRatio(own: number[], other: number[]): number {
	return median(own.map((value, round) => value / (other[round] ?? NaN)));
}
