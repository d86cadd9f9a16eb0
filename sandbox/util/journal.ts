import type { JournalEntry } from '../types';
import type { Clock } from './clock';

const KEPT_ENTRIES = 20_000;
/** Dropping them one by one would move the whole list at every entry. */
const DROPPED_AT_ONCE = 1000;

/** What happens in a sandbox, in one line each and in order. Secrets never get here. */
export class Journal {
	private readonly entries: JournalEntry[] = [];
	private last = 0;

	constructor(private readonly clock: Clock) {}

	add(kind: JournalEntry['kind'], text: string, isProblem = false): void {
		this.last += 1;
		this.entries.push({ number: this.last, at: this.clock.now(), kind, text, isProblem });
		if (this.entries.length > KEPT_ENTRIES) this.entries.splice(0, DROPPED_AT_ONCE);
	}

	/**
	 * The entries behind a number, oldest first.
	 * @param after Absent: the newest ones.
	 * @param limit How many at most.
	 */
	read(after: number | undefined, limit: number): JournalEntry[] {
		if (after === undefined) return this.entries.slice(-limit);
		// A number from before a restart: the new life begins at 1.
		const from = after > this.last ? 0 : this.entries.findIndex(({ number }) => number > after);
		return from < 0 ? [] : this.entries.slice(from, from + limit);
	}
}
