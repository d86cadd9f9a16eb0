/** Pauses that can be cut short, one by one or all together, so that nothing outlives the sandbox. */
export class Waits {
	private readonly running = new Map<string, () => void>();
	private stopped = false;

	/**
	 * Waits. Resolves early when it is cut short.
	 * @param id Names the pause; one at a time for each id.
	 */
	pause(id: string, ms: number): Promise<void> {
		if (this.stopped) return Promise.resolve();
		return new Promise((resolve) => {
			const end = () => {
				clearTimeout(timer);
				this.running.delete(id);
				resolve();
			};
			const timer = setTimeout(end, ms);
			this.running.set(id, end);
		});
	}

	/** Ends one pause now. Says whether there was one. */
	cutShort(id: string): boolean {
		const end = this.running.get(id);
		end?.();
		return end !== undefined;
	}

	/** Ends all pauses now, and lets no new one begin. */
	stop(): void {
		this.stopped = true;
		for (const end of [...this.running.values()]) end();
	}
}
