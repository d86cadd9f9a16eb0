import { readFile, writeFile } from 'node:fs/promises';

/**
 * The most memory that a process holds while something runs. Linux only.
 * @param pid a process of this user
 * @returns with the MB; undefined on a system that does not tell
 */
export async function withPeakMemory<Result>(
	pid: number,
	work: () => Promise<Result>,
): Promise<{ result: Result; peakMB: number | undefined }> {
	// Sets the peak back to what is held now.
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

/** A process's own time is counted in hundredths of a second on Linux. */
const tickMs = 10;

/**
 * The processor time that a process has used so far, in ms; unlike the time that passes, it hardly
 * depends on what else the machine does. NaN on a system that does not tell.
 */
export async function processorMs(pid: number): Promise<number> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// After the program's name, which may hold spaces; fields 14 and 15 of the whole line.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/**
 * The value that as many lie below as above.
 * @throws Error for an empty list
 */
export function median(values: number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = (sorted.length - 1) / 2;
	const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	if (below === undefined || above === undefined) throw new Error('There is nothing to count.');
	return (below + above) / 2;
}

/** The median of one side's values, each divided by that of the other side in the same round. */
export function medianRatio(own: number[], other: number[]): number {
	return median(own.map((value, round) => value / (other[round] ?? NaN)));
}
