/** Counts what is under way, and tells when nothing is. */
export class Activity {
	private count = 0;
	private waiting: Array<() => void> = [];

	/** Something starts; every `begin` needs its `end`. */
	begin(): void {
		this.count += 1;
	}

	/** Something is over. */
	end(): void {
		this.count -= 1;
		if (this.count === 0) this.release();
	}

	/** Resolves as soon as nothing is under way; at once when nothing is. */
	idle(): Promise<void> {
		if (this.count === 0) return Promise.resolve();
		return new Promise((resolve) => this.waiting.push(resolve));
	}

	/** Lets everybody who waits go on, whatever is under way: for the end of the sandbox. */
	release(): void {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
}
