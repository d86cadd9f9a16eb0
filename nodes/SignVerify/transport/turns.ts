/** Lets pieces of work that share a name run one after another, in the order in which they came. */
export class Turns {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Does the work once all earlier work of that name has ended, however it ended. */
	async take<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
		const before = this.last.get(name) ?? Promise.resolve();
		const turn = before.then(work, work);
		this.last.set(name, turn);
		try {
			return await turn;
		} finally {
			if (this.last.get(name) === turn) this.last.delete(name);
		}
	}
}
