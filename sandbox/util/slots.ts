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
