export class Timeline {
	private readonly start = Date.now();

	private last = this.start;

	/** Prints a line with the time since the previous line. */
	mark(what: string, detail = ''): void {
		const now = Date.now();
		const at = ((now - this.start) / 1000).toFixed(2).padStart(6);
		const took = `+${((now - this.last) / 1000).toFixed(2)} s`.padStart(9);
		this.last = now;
		console.log(`${at} s ${took}  ${what}${detail ? `\n                   ${detail}` : ''}`);
	}

	/**
	 * Runs a step and prints its line.
	 * @param work Returns the detail to print, or an object whose `subject` is printed.
	 */
	async step<Result extends string | { subject: string }>(
		what: string,
		work: () => Promise<Result>,
	): Promise<Result> {
		const result = await work();
		this.mark(what, typeof result === 'string' ? result : result.subject);
		return result;
	}

	/** Returns the milliseconds since the start. */
	total(): number {
		return Date.now() - this.start;
	}
}
