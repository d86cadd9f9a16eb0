import { Clock } from './clock';

/** The longest time that a timer of Node can have. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Pauses that can be cut short, one by one or all together, so that nothing outlives the sandbox. */
export class Waits {
	private readonly running = new Map<string, () => void>();
	private stopped = false;

	/**
	 * @param clock What the pauses are measured by: they end at once if it is put forward beyond
	 *   their end, and wait while it stands. Absent: the machine's clock.
	 */
	constructor(private readonly clock: Clock = new Clock()) {}

	/**
	 * Waits. Resolves early when it is cut short.
	 * @param id Names the pause; one at a time for each id.
	 */
	pause(id: string, ms: number): Promise<void> {
		if (this.stopped) return Promise.resolve();
		return new Promise((resolve) => {
			let timer: NodeJS.Timeout | undefined;
			let due = this.clock.now() + ms;
			const end = () => {
				clearTimeout(timer);
				forget();
				this.running.delete(id);
				resolve();
			};
			const arm = () => {
				clearTimeout(timer);
				const now = this.clock.now();
				// A clock that was put back makes no pause longer than it was.
				due = Math.min(due, now + ms);
				if (due <= now) end();
				else if (!this.clock.frozen) {
					timer = setTimeout(arm, Math.min(due - now, LONGEST_TIMER_MS));
				}
			};
			const forget = this.clock.onChange(arm);
			this.running.set(id, end);
			arm();
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
