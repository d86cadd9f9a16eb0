/** Lets a limited number of things happen at the same time; the others wait their turn. */
export class Slots {
	private readonly queue: Array<() => void> = [];

	/** @param free How many may happen at the same time. */
	constructor(private free: number) {}

	/** Waits for a place, does the work, and gives the place back. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.queue.shift();
			if (next) next();
			else this.free += 1;
		}
	}
}
