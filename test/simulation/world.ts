import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import crypto from 'node:crypto';
import fc, { type Scheduler } from 'fast-check';

import { signalTimers } from '../support/virtualTime';

/**
 * The real setImmediate, even while timers are replaced. Waiting for its callback lets all pending promise
 * callbacks run.
 */
const realImmediate = setImmediate;

/** Random numbers of 28 bits. */
const numbers = fc.noBias(fc.infiniteStream(fc.nat(0xfffffff), { noHistory: true }));

/** The time (epoch-ms) at which every simulation begins. */
export const beginning = Date.UTC(2026, 0, 5, 9);

/**
 * Controls time, randomness and order in one run, all based on the run's seed. Only this class replaces the
 * clock (Date, performance and timers), Math.random and random bytes. It does so for both the nodes' code and
 * the models.
 *
 * Everything that takes time outside the nodes' code, such as a call or a database write, waits in
 * {@link step} until the scheduler lets it continue. The clock moves to the next timer only when nothing is
 * ready.
 */
export class World {
	/** The events of the run, one line each, printed when the run fails. */
	readonly history: string[] = [];

	steps = 0;

	private readonly clock: Clock;

	private readonly numbers: Iterator<number>;

	private readonly undo: Array<() => void> = [];

	/**
	 * @param scheduler fast-check's scheduler. It derives the order of the steps from the seed, and
	 * fast-check can shrink that order.
	 */
	constructor(
		private readonly scheduler: Scheduler,
		chance: number,
	) {
		const [stream] = fc.sample(numbers, { seed: chance, numRuns: 1 });
		if (!stream) throw new Error('There are no random numbers.');
		this.numbers = stream;
		this.clock = FakeTimers.install({
			now: beginning,
			toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
		});
		this.undo.push(() => this.clock.uninstall());
		this.replace(performance, 'now', () => Date.now());
		this.replace(AbortSignal, 'timeout', (ms) => signalTimers.timeout(ms));
		this.replace(AbortSignal, 'any', (signals) => signalTimers.any(signals));
		this.replace(Math, 'random', () => this.random());
		this.replace(crypto, 'randomBytes', ((size: number) => this.bytes(size)) as never);
		this.replace(crypto, 'randomUUID', (() => this.id('uuid')) as never);
	}

	private replace<Owner extends object, Name extends keyof Owner>(
		owner: Owner,
		name: Name,
		by: Owner[Name],
	): void {
		const before = owner[name];
		owner[name] = by;
		this.undo.push(() => (owner[name] = before));
	}

	/** Restores everything that was replaced. */
	end(): void {
		for (const putBack of this.undo.splice(0)) putBack();
	}

	/** Returns a number from 0 to 1, excluding 1. */
	random(): number {
		return this.numbers.next().value / 0x10000000;
	}

	/** Makes a new ID of 24 hexadecimal digits, like the service's. */
	id(prefix = ''): string {
		return `${prefix}${this.bytes(12).toString('hex')}`;
	}

	private bytes(size: number): Buffer {
		return Buffer.from(Array.from({ length: size }, () => Math.floor(this.random() * 256)));
	}

	/** The simulated time (epoch-ms). */
	now(): number {
		return Date.now();
	}

	note(line: string): void {
		const seconds = ((this.now() - beginning) / 1000).toFixed(1);
		this.history.push(`${seconds.padStart(8)} s  ${line}`);
	}

	/** Waits until the scheduler chooses this step. Other work that is ready may run first. */
	async step(label: string): Promise<void> {
		await this.scheduler.schedule(Promise.resolve(), label);
	}

	after(ms: number, work: () => void): void {
		// Node fires a timer immediately if its delay exceeds 2^31 - 1 ms, so a longer delay is split.
		const step = Math.min(ms, 2 ** 31 - 1);
		setTimeout(() => (step < ms ? this.after(ms - step, work) : work()), step);
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => setTimeout(resolve, ms));
	}

	/**
	 * Lets other work continue for this many steps. Stops early if nothing is ready and no timer is due
	 * within the time limit.
	 * @param within The time limit: the maximum number of milliseconds by which the clock may advance.
	 */
	async advance(steps: number, within: number): Promise<void> {
		const end = this.now() + within;
		for (let done = 0; done < steps; done++) {
			await new Promise((resolve) => realImmediate(resolve));
			if (this.scheduler.count() > 0) {
				this.steps++;
				await this.scheduler.waitNext(1);
				continue;
			}
			const next = this.nextTimer();
			if (next === undefined || next > end) return;
			this.clock.next();
		}
	}

	/** Runs all other work that becomes due within this many milliseconds, by default two minutes. */
	async settle(within = 120_000): Promise<void> {
		const before = this.steps;
		await this.advance(mostSteps, within);
		if (this.steps - before >= mostSteps) throw new Error('The simulation never finishes its work');
	}

	/** Advances the clock by this many milliseconds and runs all work that becomes due. */
	async pass(ms: number): Promise<void> {
		const end = this.now() + ms;
		await this.settle(ms);
		if (this.now() < end) this.clock.tick(end - this.now());
		await this.settle(0);
	}

	/** Returns the time (epoch-ms) of the next timer. fake-timers has no public function for this. */
	private nextTimer(): number | undefined {
		const { timers } = this.clock as unknown as { timers?: Map<number, { callAt: number }> };
		let first: number | undefined;
		for (const { callAt } of timers?.values() ?? []) {
			if (first === undefined || callAt < first) first = callAt;
		}
		return first;
	}
}

/** A run that takes more steps than this without settling is treated as endless. */
const mostSteps = 200_000;
