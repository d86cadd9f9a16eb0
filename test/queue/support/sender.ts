import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import client from 'axios';

import { Slots } from '../../../sandbox/util/slots';

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

/**
 * Sends events at a steady rate, whatever becomes of them, and each again until it is answered 2xx,
 * as the sandbox does.
 *
 * @param bodyOf the notification of an event, `event-00001` and so on
 * @param limitMs when to give up, after the last event was begun
 */
export function sendSteadily(
	url: string,
	count: number,
	perSecond: number,
	bodyOf: (event: string) => unknown,
	limitMs: number,
): Sending {
	const agent = new Agent({ keepAlive: true });
	const http = client.create({ proxy: false, timeout: TIMEOUT_MS, httpAgent: agent });
	const slots = new Slots(AT_THE_SAME_TIME);
	const sent: Sent = { answered: new Map(), refused: new Map(), latencies: [] };
	let begun = 0;
	let giveUpAt = Infinity;

	const attempt = async (event: string): Promise<boolean> => {
		let outcome: string;
		try {
			const { status } = await http.post(url, bodyOf(event), { validateStatus: () => true });
			if (status >= 200 && status < 300) return true;
			outcome = String(status);
		} catch (error) {
			outcome = (error as { code?: string }).code ?? 'no answer';
		}
		sent.refused.set(outcome, (sent.refused.get(outcome) ?? 0) + 1);
		return false;
	};
	const deliver = async (event: string): Promise<void> => {
		const first = Date.now();
		for (let tries = 0; Date.now() < giveUpAt; tries++) {
			if (await slots.run(async () => await attempt(event))) {
				sent.answered.set(event, Date.now());
				sent.latencies.push(Date.now() - first);
				return;
			}
			await delay(BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)]);
		}
	};
	const sendAll = async (): Promise<void> => {
		const start = Date.now();
		const deliveries: Array<Promise<void>> = [];
		while (begun < count) {
			const due = Math.min(count, Math.floor(((Date.now() - start) / 1000) * perSecond) + 1);
			while (begun < due) deliveries.push(deliver(eventName(++begun)));
			await delay(10);
		}
		giveUpAt = Date.now() + limitMs;
		await Promise.all(deliveries);
		agent.destroy();
	};
	return { sent, begun: () => begun, done: sendAll() };
}

/** The name of the nth event, counted from 1. */
function eventName(number: number): string {
	return `event-${String(number).padStart(5, '0')}`;
}

/** The value that so much of the list is not above. */
export function percentile(values: number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
