import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import client from 'axios';

import { Slots } from '../../../sandbox/util/async';
import { isAccepted, type EventCall } from './checkEvents';

/** The sandbox's own pauses before the 2nd, 3rd… attempt; the last one is repeated here. */
const backoffMs = [500, 2000, 5000, 15_000];
const timeoutMs = 15_000;
/** As many as the sandbox. Without a bound, what hangs for a while would become a flood. */
const maxParallel = 64;

/** A sender at work. */
export interface Sending {
	/** Each delivery that was begun. */
	calls: EventCall[];
	/** Milliseconds from an event's first attempt to its 2xx, of those that got one. */
	latencies: number[];
	/** Settles when every event was answered 2xx, or `limitMs` after the last was begun. */
	done: Promise<void>;
}

/** How events are sent. */
export interface SendingOptions {
	url: string;
	count: number;
	perSecond: number;
	/** The notification of an event, `event-00001` and so on, as a call of its own delivers it. */
	bodyOf: (event: string, call: string) => unknown;
	/** When to give up, after the last event was begun. */
	limitMs: number;
	/** After how many ms an event is delivered once more, whatever becomes of it. */
	repeatsOf?: (number: number) => number[];
	/** Before which events somebody sends a notification without the secret. */
	isForgedBefore?: (number: number) => boolean;
}

/** The URL with another secret of the same length. */
function forgedUrl(url: string): string {
	const forged = new URL(url);
	const secret = forged.searchParams.get('secret');
	if (!secret) throw new Error('The URL of the trigger holds no secret.');
	forged.searchParams.set('secret', [...secret].reverse().join(''));
	return forged.href;
}

/** Calls n8n with events, and notes each call with its answer. */
class Caller {
	readonly calls: EventCall[] = [];
	private readonly agent = new Agent({ keepAlive: true });
	private readonly http = client.create({
		...{ proxy: false, timeout: timeoutMs, httpAgent: this.agent },
		validateStatus: () => true,
	});
	private readonly slots = new Slots(maxParallel);
	private readonly counts = new Map<string, number>();

	constructor(private readonly options: SendingOptions) {}

	async call(event: string): Promise<EventCall> {
		const { url } = this.options;
		return await this.slots.run(url, async () => await this.send(event, url, false));
	}

	/** The same with an event that lacks the secret. */
	async forge(event: string): Promise<void> {
		await this.send(event, forgedUrl(this.options.url), true);
	}

	end(): void {
		this.agent.destroy();
	}

	private async send(event: string, url: string, isForged: boolean): Promise<EventCall> {
		const nth = (this.counts.get(event) ?? 0) + 1;
		this.counts.set(event, nth);
		const call: EventCall = { call: `${event}.${nth}`, event, isForged, at: Date.now() };
		this.calls.push(call);
		try {
			const { status } = await this.http.post(url, this.options.bodyOf(event, call.call));
			call.status = status;
		} catch (error) {
			call.status = (error as { code?: string }).code ?? 'no answer';
		}
		return call;
	}
}

/**
 * Sends events at a steady rate, whatever becomes of them, and each again until it is answered 2xx,
 * as the sandbox does.
 */
export function sendSteadily(options: SendingOptions): Sending {
	const { count, perSecond, limitMs, repeatsOf, isForgedBefore } = options;
	const caller = new Caller(options);
	const latencies: number[] = [];
	let giveUpAt = Infinity;

	const deliver = async (event: string): Promise<void> => {
		const first = Date.now();
		for (let tries = 0; Date.now() < giveUpAt; tries++) {
			if (isAccepted(await caller.call(event))) {
				latencies.push(Date.now() - first);
				return;
			}
			await delay(backoffMs[Math.min(tries, backoffMs.length - 1)]);
		}
	};
	const begin = (number: number): Array<Promise<unknown>> => {
		const event = eventName('event', number);
		const repeats = (repeatsOf?.(number) ?? []).map(async (afterMs) => {
			await delay(afterMs);
			await caller.call(event);
		});
		const forged = isForgedBefore?.(number) ? [caller.forge(eventName('forged', number))] : [];
		return [deliver(event), ...repeats, ...forged];
	};
	const sendAll = async (): Promise<void> => {
		const start = Date.now();
		const deliveries: Array<Promise<unknown>> = [];
		let begun = 0;
		while (begun < count) {
			const due = Math.min(count, Math.floor(((Date.now() - start) / 1000) * perSecond) + 1);
			while (begun < due) deliveries.push(...begin(++begun));
			await delay(10);
		}
		giveUpAt = Date.now() + limitMs;
		await Promise.all(deliveries);
		caller.end();
	};
	return { calls: caller.calls, latencies, done: sendAll() };
}

/** The name of the nth event, counted from 1. */
function eventName(kind: 'event' | 'forged', number: number): string {
	return `${kind}-${String(number).padStart(5, '0')}`;
}

/** The value that so much of the list is not above. */
export function percentile(values: number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
