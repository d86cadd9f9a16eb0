/** Linear work takes four times as long for four times the input, quadratic work sixteen times as long. */
const factor = 4;

/**
 * More growth than this fails a test. It lies halfway between what linear and what quadratic work takes, so that neither
 * a busy machine nor the garbage collection of earlier tests decides.
 */
export const maxGrowth = 8;

/** Shorter times (ms) count as this, because a quotient of tiny times says nothing. */
const shortestMs = 1;

const rounds = 5;

/**
 * Measures how much more processor time some work takes for four times the input. Both sizes are measured in turns, and
 * the shortest time of each counts, because a longer one may include compilation, garbage collection, or other load.
 * Compare the result with {@link maxGrowth}.
 * @param workAt Prepares the work for an input of the given size, and returns what is measured.
 * @param size The smaller size. At the larger one, a quadratic mistake has to take well over 8 ms.
 */
export async function growthOf(
	workAt: (size: number) => () => unknown,
	size: number,
): Promise<number> {
	const works = [workAt(size), workAt(size * factor)];
	const shortest = works.map(() => Infinity);
	for (let round = 0; round < rounds; round++) {
		for (const [index, work] of works.entries()) {
			const before = process.cpuUsage();
			await work();
			const { user, system } = process.cpuUsage(before);
			shortest[index] = Math.min(shortest[index] ?? Infinity, (user + system) / 1000);
		}
	}
	const [small = 0, large = 0] = shortest.map((ms) => Math.max(ms, shortestMs));
	return large / small;
}
