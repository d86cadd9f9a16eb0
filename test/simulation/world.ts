import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import crypto from 'node:crypto';
import type { Scheduler } from 'fast-check';
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';

import { signalTimers } from '../support/virtualTime';

/** What was there before the clock was replaced: lets everything that is ready run. */
const realImmediate = setImmediate;

/** When every simulation begins (epoch-ms). */
export const beginning = Date.UTC(2026, 0, 5, 9);

/**
 * Time, chance and the order of things for one run, all from its seed. The one place where the clock
 * (Date, performance and all timers), Math.random and random bytes are replaced, for the node's code and the models
 * alike.
 *
 * Whatever takes time outside of the node's code (a call, a write to the database) passes
 * {@link step}: the scheduler decides whose turn it is. Only when nobody is left who is ready does
 * the clock move, to the next timer.
 */
export class World {
	/** What happened, one line each, for whoever reads a failure. */
	readonly history: string[] = [];

	/** How many steps were taken. */
	steps = 0;

	private readonly clock: Clock;

	private readonly generator;

	private readonly undo: Array<() => void> = [];

	/** @param scheduler Of fast-check, which draws the order from the seed and can shrink it. */
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

	/** Puts back what was replaced. */
	end(): void {
		for (const putBack of this.undo.splice(0)) putBack();
	}

	/** From 0 up to 1. */
	random(): number {
		return uniformInt(this.generator, 0, 0xfffffff) / 0x10000000;
	}

	/** A new ID of 24 hexadecimal digits, as the service gives them. */
	id(prefix = ''): string {
		return `${prefix}${this.bytes(12).toString('hex')}`;
	}

	private bytes(size: number): Buffer {
		return Buffer.from(Array.from({ length: size }, () => uniformInt(this.generator, 0, 255)));
	}

	/** Milliseconds since the epoch, by the clock of the simulation. */
	now(): number {
		return Date.now();
	}

	/** Notes what happens, for the history of a failure. */
	note(line: string): void {
		const seconds = ((this.now() - beginning) / 1000).toFixed(1);
		this.history.push(`${seconds.padStart(8)} s  ${line}`);
	}

	/** Waits until it is this one's turn: anything else that is ready may come before. */
	async step(label: string): Promise<void> {
		await this.scheduler.schedule(Promise.resolve(), label);
	}

	/** Does something after a time (ms). */
	after(ms: number, work: () => void): void {
		// A timer holds no longer time, and would end at once.
		const step = Math.min(ms, 2 ** 31 - 1);
		setTimeout(() => (step < ms ? this.after(ms - step, work) : work()), step);
	}

	/** Waits so many milliseconds of the simulation's time. */
	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => setTimeout(resolve, ms));
	}

	/**
	 * Lets others go on: so many steps, fewer when nothing is ready any more and no timer ends within
	 * the time.
	 * @param within Milliseconds by which the clock may move.
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

	/** Lets others go on until nothing happens any more within the time (ms), by default two minutes. */
	async settle(within = 120_000): Promise<void> {
		const before = this.steps;
		await this.advance(mostSteps, within);
		if (this.steps - before >= mostSteps) throw new Error('The simulation does not come to rest');
	}

	/** Lets time pass (ms), with all that happens in it. */
	async pass(ms: number): Promise<void> {
		const end = this.now() + ms;
		await this.settle(ms);
		if (this.now() < end) this.clock.tick(end - this.now());
		await this.settle(0);
	}

	/** When the next timer ends (epoch-ms). The library offers no look at it. */
	private nextTimer(): number | undefined {
		const { timers } = this.clock as unknown as { timers?: Map<number, { callAt: number }> };
		let first: number | undefined;
		for (const { callAt } of timers?.values() ?? []) {
			if (first === undefined || callAt < first) first = callAt;
		}
		return first;
	}
}

/** More steps than this in one go mean that something goes round in circles. */
const mostSteps = 200_000;
