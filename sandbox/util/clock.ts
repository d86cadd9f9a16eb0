/** A clock can be set to any time from the start of 2000 to the end of 2099. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** The difference between a sandbox's clock and the machine's. */
export interface ClockRecord {
	/** How many milliseconds a running clock is ahead of the machine's clock. */
	offset: number;
	/** The time that a stopped clock shows, in epoch-ms; absent while the clock runs. */
	frozenAt?: number;
}

export interface ClockState {
	/** epoch-ms */
	now: number;
	frozen: boolean;
	/** How many milliseconds the clock is ahead of the machine's clock; negative if it is behind. */
	aheadMs: number;
}

export class ClockRangeError extends Error {
	constructor() {
		super('Choose a time between the years 2000 and 2099');
	}
}

/**
 * A sandbox's only clock. It can be stopped, and set forward or back. Code that must not be affected by these
 * changes uses `realNow` instead.
 */
export class Clock {
	private readonly listeners = new Set<() => void>();

	/**
	 * @param record The clock's saved state. The clock changes this object in place.
	 * @param changed Called after each change so that the record can be saved.
	 */
	constructor(
		private readonly record: ClockRecord = { offset: 0 },
		private readonly changed: () => void = () => {},
	) {}

	/** Returns the sandbox's time in epoch-ms. */
	now(): number {
		return this.record.frozenAt ?? realNow() + this.record.offset;
	}

	get frozen(): boolean {
		return this.record.frozenAt !== undefined;
	}

	state(): ClockState {
		const machine = realNow();
		const now = this.record.frozenAt ?? machine + this.record.offset;
		return { now, frozen: this.frozen, aheadMs: now - machine };
	}

	/**
	 * Sets the clock to a time.
	 * @param frozen Whether to stop the clock at this time (true) or let it run (false). By default, a
	 * stopped clock stays stopped, and a running one keeps running.
	 * @throws ClockRangeError if the time is out of range.
	 */
	set(time: number, frozen: boolean = this.frozen): ClockState {
		if (!(time >= earliest && time < latest)) throw new ClockRangeError();
		this.record.offset = time - realNow();
		if (frozen) this.record.frozenAt = time;
		else delete this.record.frozenAt;
		return this.tell();
	}

	/** Resets the clock to the machine's time and lets it run. */
	reset(): ClockState {
		this.record.offset = 0;
		delete this.record.frozenAt;
		return this.tell();
	}

	/**
	 * Calls a function after each change to the clock.
	 * @returns A function that removes the listener.
	 */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => void this.listeners.delete(listener);
	}

	private tell(): ClockState {
		this.changed();
		for (const listener of [...this.listeners]) listener();
		return this.state();
	}
}

/** Returns the machine's time, which is not affected by changes to the sandbox's clock. */
export function realNow(): number {
	return Date.now();
}
