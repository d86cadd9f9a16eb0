import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import crypto from 'node:crypto';
import type { Scheduler } from 'fast-check';
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';

import { signalTimers } from '../support/virtualTime';

/** The real function, even while timers are replaced. Awaiting its callback lets all ready work run. */
const realImmediate = setImmediate;

/** Every simulation begins at this time (epoch-ms). */
export const beginning = Date.UTC(2026, 0, 5, 9);

/**
 * Controls time, chance and order in one run, all from the run's seed. No other class replaces the clock
 * (Date, performance and timers), Math.random or random bytes, either for the nodes' code or for the models.
 *
 * Everything that takes time outside the nodes' code, such as a call or a write to the database, waits in
 * {@link step}, and the scheduler decides the order. The clock moves to the next timer only when nothing is
 * ready.
 */
export class World {
	/** The events of the run, one line each, for people who read a failure. */
	readonly history: string[] = [];

	/** The number of steps so far. */
	steps = 0;

	private readonly clock: Clock;

	private readonly generator;

	private readonly undo: Array<() => void> = [];

	/** @param scheduler fast-check's scheduler, which takes the order from the seed and can shrink it. */
	constructor(
		private readonly scheduler: Scheduler,
		chance: number,
	) {
		this.generator = xorshift128plus(chance);
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
		return uniformInt(this.generator, 0, 0xfffffff) / 0x10000000;
	}

	/** Makes a new ID of 24 hexadecimal digits, like the service's. */
	id(prefix = ''): string {
		return `${prefix}${this.bytes(12).toString('hex')}`;
	}

	private bytes(size: number): Buffer {
		return Buffer.from(Array.from({ length: size }, () => uniformInt(this.generator, 0, 255)));
	}

	/** The milliseconds since 1970 on the simulation's clock. */
	now(): number {
		return Date.now();
	}

	/** Adds a line to the history. */
	note(line: string): void {
		const seconds = ((this.now() - beginning) / 1000).toFixed(1);
		this.history.push(`${seconds.padStart(8)} s  ${line}`);
	}

	/** Waits until the scheduler chooses this step. Other work that is ready may run first. */
	async step(label: string): Promise<void> {
		await this.scheduler.schedule(Promise.resolve(), label);
	}

	/** Runs the work after this many milliseconds. */
	after(ms: number, work: () => void): void {
		// Node fires a timer immediately if its delay exceeds 2^31 - 1 ms, so a longer delay is split.
		const step = Math.min(ms, 2 ** 31 - 1);
		setTimeout(() => (step < ms ? this.after(ms - step, work) : work()), step);
	}

	/** Waits this many milliseconds of the simulation's time. */
	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => setTimeout(resolve, ms));
	}

	/**
	 * Lets other work continue for this many steps, or fewer if nothing is ready and no timer ends within the
	 * time limit.
	 * @param within The time limit: how many milliseconds the clock may move forward.
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

	/** Lets other work continue until nothing more happens within this time (ms), by default two minutes. */
	async settle(within = 120_000): Promise<void> {
		const before = this.steps;
		await this.advance(mostSteps, within);
		if (this.steps - before >= mostSteps) throw new Error('The simulation never finishes its work');
	}

	/** Lets this time (ms) pass, and runs all work that becomes due in the meantime. */
	async pass(ms: number): Promise<void> {
		const end = this.now() + ms;
		await this.settle(ms);
		if (this.now() < end) this.clock.tick(end - this.now());
		await this.settle(0);
	}

	/** Returns the time (epoch-ms) of the next timer. The library has no function for this. */
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
