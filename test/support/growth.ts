/** How many times as large the larger input is. */
const factor = 4;

/**
 * How far the growth may exceed the input's. Work that grows with the input takes 4 times as long for the larger input,
 * and work that grows with its square 16 times. A limit of 8 is as far from the one as from the other.
 */
const margin = 2;

/**
 * A processor time (ms) that is too short to be compared. With an input of the right size, work that grows with the
 * square of the size takes longer than this on any machine.
 */
const negligibleMs = 20;

/** The first rounds also compile the work. */
const minRounds = 3;

/** Other load on the machine doesn't slow down the same side in as many rounds as this. */
const maxRounds = 10;

/** Work that grows too fast isn't measured any longer than this (ms). */
const maxTotalMs = 3000;

type Work = () => unknown;

/**
 * Checks that the processor time that work takes grows no faster than its input. No time is too long: what counts is
 * how the time for the larger input compares with the time for the smaller one. The two are measured by turns, so that
 * the machine and its load affect both alike, and the shortest times are compared.
 * @param size The size of the larger input. Work that grows with the square of the size should take between 0.1 and 2
 * seconds at this size.
 * @param prepare Makes an input of a size, and returns the work with it. The work runs several times, and must do the
 * same each time.
 * @param what Names the work in the error, if a test has more than one.
 * @throws Error if the work grows too fast.
 */
export async function expectLinear(
	size: number,
	prepare: (size: number) => Work | Promise<Work>,
	what = '',
): Promise<void> {
	const [small, large] = [await prepare(size / factor), await prepare(size)];
	let [smallMs, largeMs, totalMs] = [Infinity, Infinity, 0];
	const isOver = (rounds: number) =>
		rounds >= maxRounds || (rounds >= minRounds && totalMs > maxTotalMs);
	for (let rounds = 0; !isOver(rounds);) {
		const [smallTime, largeTime] = [await processorMsOf(small), await processorMsOf(large)];
		smallMs = Math.min(smallMs, smallTime);
		largeMs = Math.min(largeMs, largeTime);
		totalMs += smallTime + largeTime;
		rounds++;
		if (largeMs < negligibleMs) return;
		if (rounds >= minRounds && largeMs <= margin * factor * smallMs) return;
	}
	const times = `${Math.round(largeMs)} instead of ${Math.round(smallMs)} ms of processor time`;
	const growth = (largeMs / smallMs).toFixed(1);
	const subject = what && `${what}: `;
	throw new Error(`${subject}${factor} times the input takes ${growth} times as long (${times}).`);
}

async function processorMsOf(work: Work): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
