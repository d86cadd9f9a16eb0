/** Collects cleanup steps and runs them in reverse order. */
export class CleanupStack {
	private readonly steps: Array<() => Promise<void>> = [];

	add(step: () => Promise<void>): void {
		this.steps.unshift(step);
	}

	/** Runs every step, even if an earlier one failed. */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (const step of this.steps.splice(0)) {
			await step().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
