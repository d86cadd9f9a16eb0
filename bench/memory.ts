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
