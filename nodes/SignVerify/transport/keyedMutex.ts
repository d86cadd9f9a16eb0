/** Lets pieces of work that share a name run one after another, in the order in which they came. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Does the work once all earlier work of that name has ended, however it ended. */
	async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
		const before = this.last.get(name) ?? Promise.resolve();
		const running = before.then(work, work);
		this.last.set(name, running);
		try {
			return await running;
		} finally {
			if (this.last.get(name) === running) this.last.delete(name);
		}
	}
}
