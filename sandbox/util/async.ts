import { Clock } from './clock';

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

interface Place {
	busy: number;
	queue: Array<() => void>;
}

/** Lets a limited number of things happen at the same time for each key; others wait their turn. */
export class Slots {
	private readonly places = new Map<string, Place>();

	/** @param size How many may happen at the same time for one key. */
	constructor(private readonly size: number) {}

	/** Waits for a slot of the key, does the work, and gives the slot back. */
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
