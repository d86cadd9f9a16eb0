import type { Entry } from '../../queue/support/history/entries';
import { type Outage, meets } from './modelOutages';

/** A call that asks for waits. */
export interface AskedWait {
	begun: number;
	/** How many items, which wait one after another. */
	count: number;
	isLimited: boolean;
	worker: string;
	/** For each item: how long after its creation it is signed; undefined where it never is. */
	signed: Array<number | undefined>;
}

const limitMs = 60_000;

/** When somebody chooses "Retry": when all that failed is back. */
const retryMs = 1_000_000;
const isStore = (each: Outage) => each.role === 'store';
const isWebhook = (each: Outage) => each.role === 'webhook';

/** One item while its execution waits. */
interface Item {
	key: string;
	document: string;
	/** When its event was taken; Infinity where that does not happen. */
	takenAt: number;
}

/** One call, by all the rules, whatever fails meanwhile. */
class WaitRun {
	readonly entries: Entry[] = [];
	private readonly call: string;
	private execution: string;
	private tries = 0;
	private at: number;

	constructor(
		private readonly name: string,
		private readonly asked: AskedWait,
		private readonly away: Outage[],
	) {
		this.call = `${name}#1`;
		this.execution = `${name}-x0`;
		this.at = asked.begun + 10;
	}

	run(): Entry[] {
		const { begun, count, isLimited } = this.asked;
		const { call, execution, at } = this;
		this.entries.push(
			{ type: 'call', at: begun, call },
			{ type: 'answer', at: begun + 20, call, status: 200 },
			{ type: 'started', at, execution, call },
		);
		const keys = Array.from({ length: count }, (_, index) => `${this.name}-${index}`);
		const limit = isLimited ? { limitMs } : {};
		for (const key of keys) this.entries.push({ type: 'wait', at: begun, call, key, ...limit });
		for (const [index, key] of keys.entries()) {
			if (!this.turn(key, this.asked.signed[index])) return this.entries;
		}
		const last = { execution: this.execution, at: this.at + 5, status: 'success' };
		this.entries.push({ type: 'finished', ...last });
		return this.entries;
	}

	/** @returns whether it is over */
	private turn(key: string, signedAfter: number | undefined): boolean {
		const { registration, created } = this.send(key);
		this.entries.push({ type: 'waiting', at: this.at, execution: this.execution });
		const document = `${key}-d${this.tries}`;
		const takenAt =
			signedAfter === undefined
				? Infinity
				: this.deliver(registration, document, created + 50 + signedAfter);
		const over = Math.min(takenAt, this.asked.isLimited ? this.limitAfter(created) : Infinity);
		if (over === Infinity) return false;
		this.continue(registration, { key, document, takenAt }, over);
		return true;
	}

	/** Sends the document; again, where the execution dies meanwhile. */
	private send(key: string): { registration: string; created: number } {
		for (;;) {
			this.tries++;
			const registration = `${this.name}-r${this.tries}`;
			const { at, execution } = this;
			this.entries.push({ type: 'registered', at: at + 5, registration, execution });
			const died = this.diedIn(at, at + 50);
			const created = at + 20;
			if (died === undefined || died > created) {
				const document = `${key}-d${this.tries}`;
				this.entries.push({ type: 'document', at: created, document, key });
			}
			if (died === undefined) {
				this.at = at + 50;
				return { registration, created };
			}
			this.retry(died);
		}
	}

	/** Delivers the event of a document until it is taken; gives when that was. */
	private deliver(registration: string, document: string, signedAt: number): number {
		this.entries.push({ type: 'completed', at: signedAt, document });
		for (let at = signedAt; ; at += 500) {
			const isUp =
				!meets(this.away, isWebhook, at, at + 10) && !meets(this.away, isStore, at, at + 10);
			const status = isUp ? 200 : 502;
			const entry = { registration, document, at, answeredAt: at + 10, status };
			this.entries.push({ type: 'delivery', ...entry });
			if (isUp) return at;
		}
	}

	/** When n8n sees that a limit has passed. */
	private limitAfter(created: number): number {
		let at = created + limitMs + 30_000;
		for (const each of [...this.away].sort((a, b) => a.from - b.from)) {
			const matters = each.role === 'main' || isStore(each);
			if (matters && each.from <= at && each.to >= created + limitMs) at = each.to + 30_000;
		}
		return at;
	}

	private continue(registration: string, { key, document, takenAt }: Item, over: number): void {
		const result = takenAt <= over ? ('completed' as const) : ('timedOut' as const);
		const isDisturbed = meets(this.away, ({ role }) => role !== 'main', over, over + 30);
		if (result === 'completed' && !isDisturbed)
			this.entries.push({ type: 'removed', at: over + 15, registration });
		const died = this.diedIn(over, over + 20);
		this.at = over + 12;
		// The event was taken with the execution: "Retry" has it.
		if (died !== undefined) this.retry(died);
		const { execution, at } = this;
		this.entries.push({ type: 'continued', at, execution, key, document, result });
		this.at += 10;
	}

	/** When the worker dies, or a store fails it, between two moments. */
	private diedIn(from: number, to: number): number | undefined {
		const worker = this.away.find(
			(each) => each.target === this.asked.worker && each.from >= from && each.from <= to,
		);
		const store = meets(this.away, isStore, from, to);
		return worker?.from ?? (store && Math.max(from, store.from));
	}

	private retry(died: number): void {
		const before = this.execution;
		this.at = Math.max(this.at + 200_000, retryMs + this.asked.begun);
		this.entries.push(
			{ type: 'finished', at: died + 60_000, execution: before, status: 'error' },
			{ type: 'retry', at: this.at, execution: before },
		);
		this.execution = `${before}r`;
		const { execution, call } = this;
		this.entries.push({ type: 'started', at: ++this.at, execution, call, retryOf: before });
	}
}

/** Runs calls that ask for waits as docs/waiting.md says, whatever fails meanwhile. */
export function runWaits(asked: AskedWait[], away: Outage[]): Entry[] {
	return asked.flatMap((each, index) => new WaitRun(`wait-${index}`, each, away).run());
}
