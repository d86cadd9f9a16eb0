import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import client from 'axios';

import { Slots } from '../../../sandbox/util/slots';
import type { History } from './history/history';

/** The sandbox's own pauses before the 2nd, 3rd… attempt; the last one is repeated here. */
const BACKOFF_MS = [500, 2000, 5000, 15_000];
const TIMEOUT_MS = 15_000;
/** As many as the sandbox. Without a bound, what hangs for a while would become a flood. */
const AT_THE_SAME_TIME = 64;

/** What became of the events that were sent. */
export interface Sent {
	/** Those answered 2xx, and when (epoch-ms). */
	answered: Map<string, number>;
	/** Attempts that were answered something else, or not at all, by what it was. */
	refused: Map<string, number>;
	/** Milliseconds from an event's first attempt to its 2xx. */
	latencies: number[];
}

/** A sender at work. */
export interface Sending {
	sent: Sent;
	/** How many events have had their first attempt. */
	begun(): number;
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
	/** Notes each call and its answer. */
	history?: Pick<History, 'note'>;
	/** When an event is delivered once more, whatever becomes of it: milliseconds after its beginning. */
	repeatsOf?: (number: number) => number[];
	/** Before which events somebody sends a notification without the secret. */
	isForgedBefore?: (number: number) => boolean;
}

/** The address with another secret of the same length. */
function forgedUrl(url: string): string {
	const address = new URL(url);
	const secret = address.searchParams.get('secret');
	if (!secret) throw new Error('The address of the trigger holds no secret.');
	address.searchParams.set('secret', [...secret].reverse().join(''));
	return address.href;
}

/** Calls n8n with events, and notes each call with its answer. */
class Caller {
	private readonly agent = new Agent({ keepAlive: true });
	private readonly http = client.create({
		proxy: false,
		timeout: TIMEOUT_MS,
		httpAgent: this.agent,
	});
	private readonly slots = new Slots(AT_THE_SAME_TIME);
	private readonly counts = new Map<string, number>();

	constructor(private readonly options: SendingOptions) {}

	/** @returns the status, or why there is none */
	async call(event: string): Promise<number | string> {
		const { url } = this.options;
		return await this.slots.run(url, async () => await this.noted(event, url));
	}

	/** The same with an event that lacks the secret. */
	async forge(event: string): Promise<void> {
		await this.noted(event, forgedUrl(this.options.url), true);
	}

	end(): void {
		this.agent.destroy();
	}

	private async noted(event: string, url: string, forged?: true): Promise<number | string> {
		const { bodyOf, history } = this.options;
		const nth = (this.counts.get(event) ?? 0) + 1;
		this.counts.set(event, nth);
		const call = `${event}#${nth}`;
		history?.note({ type: 'call', call, event, forged });
		let status: number | string;
		try {
			const answer = await this.http.post(url, bodyOf(event, call), { validateStatus: () => true });
			status = answer.status;
		} catch (error) {
			status = (error as { code?: string }).code ?? 'no answer';
		}
		history?.note({ type: 'answer', call, status });
		return status;
	}
}

/**
 * Sends events at a steady rate, whatever becomes of them, and each again until it is answered 2xx,
 * as the sandbox does.
 */
export function sendSteadily(options: SendingOptions): Sending {
	const { count, perSecond, limitMs } = options;
	const caller = new Caller(options);
	const sent: Sent = { answered: new Map(), refused: new Map(), latencies: [] };
	let begun = 0;
	let giveUpAt = Infinity;

	const deliver = async (event: string): Promise<void> => {
		const first = Date.now();
		for (let tries = 0; Date.now() < giveUpAt; tries++) {
			const status = await caller.call(event);
			if (typeof status === 'number' && status >= 200 && status < 300) {
				sent.answered.set(event, Date.now());
				sent.latencies.push(Date.now() - first);
				return;
			}
			sent.refused.set(String(status), (sent.refused.get(String(status)) ?? 0) + 1);
			await delay(BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)]);
		}
	};
	const begin = (number: number): Array<Promise<unknown>> => {
		const event = eventName(number);
		const repeats = (options.repeatsOf?.(number) ?? []).map(async (afterMs) => {
			await delay(afterMs);
			await caller.call(event);
		});
		const isForged = options.isForgedBefore?.(number) ?? false;
		const forged = isForged ? [caller.forge(eventName(number, 'forged'))] : [];
		return [deliver(event), ...repeats, ...forged];
	};
	const sendAll = async (): Promise<void> => {
		const start = Date.now();
		const deliveries: Array<Promise<unknown>> = [];
		while (begun < count) {
			const due = Math.min(count, Math.floor(((Date.now() - start) / 1000) * perSecond) + 1);
			while (begun < due) deliveries.push(...begin(++begun));
			await delay(10);
		}
		giveUpAt = Date.now() + limitMs;
		await Promise.all(deliveries);
		caller.end();
	};
	return { sent, begun: () => begun, done: sendAll() };
}

/** The name of the nth event, counted from 1. */
function eventName(number: number, kind = 'event'): string {
	return `${kind}-${String(number).padStart(5, '0')}`;
}

/** The value that so much of the list is not above. */
export function percentile(values: number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
