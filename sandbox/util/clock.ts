/** The first and the last moment that a clock can be set to: 2000 to 2100. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** How far a clock is from the machine's. */
export interface ClockRecord {
	/** Milliseconds ahead of the machine's clock; counts while it runs. */
	offset: number;
	/** epoch-ms at which it stands; absent while it runs. */
	frozenAt?: number;
}

/** What a clock shows. */
export interface ClockState {
	/** epoch-ms */
	now: number;
	frozen: boolean;
	/** Milliseconds ahead of the machine's clock; negative if it is behind. */
	aheadMs: number;
}

/** The time is outside of what a clock can show. */
export class ClockRangeError extends Error {
	constructor() {
		super('The clock shows times from the year 2000 to 2099 only');
	}
}

/**
 * The one clock of a sandbox. It can stand still and be put forward or back. Only what is measured
 * on this machine, such as how long an answer took, is read from elsewhere (`realNow`).
 */
export class Clock {
	private readonly listeners = new Set<() => void>();

	/**
	 * @param record How it was left; changed in place.
	 * @param changed Told after each change, to save the record.
	 */
	constructor(
		private readonly record: ClockRecord = { offset: 0 },
		private readonly changed: () => void = () => {},
	) {}

	/** The sandbox's time, epoch-ms. */
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
	 * Puts the clock to a time.
	 * @param frozen Whether it stands there or runs on from there; as before when absent.
	 * @throws ClockRangeError
	 */
	set(time: number, frozen: boolean = this.frozen): ClockState {
		if (!(time >= EARLIEST && time < LATEST)) throw new ClockRangeError();
		this.record.offset = time - realNow();
		if (frozen) this.record.frozenAt = time;
		else delete this.record.frozenAt;
		return this.tell();
	}

	/** Shows the machine's time again, and runs. */
	reset(): ClockState {
		this.record.offset = 0;
		delete this.record.frozenAt;
		return this.tell();
	}

	/** Tells of each change. @returns What ends that. */
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

/** The machine's own time, for what is measured or must never go back. */
export function realNow(): number {
	return Date.now();
}
