import { readFile, writeFile } from 'node:fs/promises';

/**
 * Measures a process's peak memory while `work` runs. Works only on Linux.
 * @param pid The ID of a process that belongs to the current user.
 * @returns The result of `work`, and the peak in MB. On other systems, the peak is undefined.
 */
export async function withPeakMemory<Result>(
	pid: number,
	work: () => Promise<Result>,
): Promise<{ result: Result; peakMB: number | undefined }> {
	// Writing 5 to this file resets the recorded peak to the memory in use now.
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

/** Linux reports processor time in hundredths of a second. */
const tickMs = 10;

/**
 * Returns how much processor time a process has used so far, in milliseconds, or NaN if the system does not
 * report it. Other load on the machine hardly affects this value.
 */
export async function processorMs(pid: number): Promise<number> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// The program's name may contain spaces, so count the fields from the parenthesis that closes the name.
	// The two fields added here are user time and system time, fields 14 and 15 of the line.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/**
 * Returns the median of the values.
 * @throws Error if the list is empty.
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
 * For each round, divides the first client's value by the other client's. Returns the median of these ratios.
 */
export function medianRatio(own: number[], other: number[]): number {
	return median(own.map((value, round) => value / (other[round] ?? NaN)));
}
