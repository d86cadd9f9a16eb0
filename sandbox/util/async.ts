import { Clock } from './clock';

/** Counts the tasks in progress so that callers can wait until all of them are done. */
export class Activity {
	private count = 0;
	private waiting: Array<() => void> = [];

	/** Marks the start of a task. Every `begin` needs a matching `end`. */
	begin(): void {
		this.count += 1;
	}

	end(): void {
		this.count -= 1;
		if (this.count === 0) this.release();
	}

	/** Resolves as soon as no task is in progress. */
	idle(): Promise<void> {
		if (this.count === 0) return Promise.resolve();
		return new Promise((resolve) => this.waiting.push(resolve));
	}

	/**
	 * Resolves all waiting `idle` calls, even if tasks are still in progress. The sandbox calls this when it
	 * stops.
	 */
	release(): void {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
}

interface Place {
	busy: number;
	queue: Array<() => void>;
}

/** Limits how many tasks run in parallel for each key. Further tasks wait their turn. */
export class Slots {
	private readonly places = new Map<string, Place>();

	/** @param size The maximum number of tasks that run in parallel for one key. */
	constructor(private readonly size: number) {}

	/** Waits for one of the key's slots, runs the task, and releases the slot. */
	async run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const place = this.places.get(key) ?? { busy: 0, queue: [] };
		this.places.set(key, place);
		if (place.busy < this.size) place.busy += 1;
		else await new Promise<void>((resolve) => place.queue.push(resolve));
		try {
			return await work();
		} finally {
			const next = place.queue.shift();
			if (next) next();
			else if ((place.busy -= 1) === 0) this.places.delete(key);
		}
	}
}

/** The longest timer that Node supports. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Pauses that can be ended early, either individually or all together. Without this, a pause could outlive
 * the sandbox.
 */
export class Waits {
	private readonly running = new Map<string, () => void>();
	private stopped = false;

	/**
	 * @param clock The clock that measures the pauses. Moving the clock past a pause's end ends the pause
	 * immediately. While the clock is stopped, pauses do not end unless they are cut short. The default is
	 * the machine's clock.
	 */
	constructor(private readonly clock: Clock = new Clock()) {}

	/**
	 * Waits for `ms` milliseconds. Resolves early if the pause is cut short.
	 * @param id The ID of the pause. Only one pause with a given ID can exist at a time.
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
				// Setting the clock back must not make the pause longer than requested.
				due = Math.min(due, now + ms);
				if (due <= now) end();
				else if (!this.clock.frozen) {
					timer = setTimeout(arm, Math.min(due - now, longestTimerMs));
				}
			};
			const forget = this.clock.onChange(arm);
			this.running.set(id, end);
			arm();
		});
	}

	/** Ends one pause now. Returns whether the pause existed. */
	cutShort(id: string): boolean {
		const end = this.running.get(id);
		end?.();
		return end !== undefined;
	}

	/** Ends all pauses now. Every later pause ends as soon as it begins. */
	stop(): void {
		this.stopped = true;
		for (const end of [...this.running.values()]) end();
	}
}
