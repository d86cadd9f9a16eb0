import { setTimeout as delay } from 'node:timers/promises';

import { Slots } from '../../../sandbox/util/async';
import { axios } from '../../support/http';
import { isAccepted, type EventCall } from './checkEvents';

/** The sandbox's own pauses before the 2nd, 3rd… attempt; the last one is repeated here. */
const backoffMs = [500, 2000, 5000, 15_000];
/** As many as the sandbox. Without a bound, what hangs for a while would become a flood. */
const maxParallel = 64;

/** What happens besides to an event. */
export interface Extra {
	/** After so many ms it is delivered once more, whatever becomes of it. */
	repeatMs?: number | undefined;
	/** Whether somebody sends a notification without the secret before it. */
	isForgedBefore: boolean;
}

/** How events are sent. */
export interface SendingOptions {
	url: string;
	perSecond: number;
	/** The notification of an event, `event-00001` and so on, as a call of its own delivers it. */
	bodyOf: (event: string, call: string) => unknown;
	/** When to give up, after the last event was begun. */
	limitMs: number;
	/** One for each event. */
	extras: Extra[];
}

/** The URL with another secret of the same length. */
function forgedUrl(url: string): string {
	const forged = new URL(url);
	const secret = forged.searchParams.get('secret');
	if (!secret) throw new Error('The URL of the trigger holds no secret.');
	forged.searchParams.set('secret', [...secret].reverse().join(''));
	return forged.href;
}

/**
 * Sends events at a steady rate, whatever becomes of them, and each again until it is answered 2xx,
 * as the sandbox does.
 * @returns Each delivery that was begun.
 */
export async function sendSteadily(options: SendingOptions): Promise<EventCall[]> {
	const { url, perSecond, bodyOf, limitMs, extras } = options;
	const calls: EventCall[] = [];
	const slots = new Slots(maxParallel);
	const giveUpAt = Date.now() + (extras.length / perSecond) * 1000 + limitMs;

	const send = async (event: string, isForged: boolean): Promise<EventCall> => {
		const name = `${event}.${calls.length + 1}`;
		const call: EventCall = { call: name, event, isForged, at: Date.now() };
		calls.push(call);
		const answer = axios.post(isForged ? forgedUrl(url) : url, bodyOf(event, name), {
			timeout: 15_000,
		});
		call.status = await answer.then(
			({ status }) => status,
			(error: { code?: string }) => error.code ?? 'no answer',
		);
		return call;
	};
	const call = async (event: string) => await slots.run(url, async () => await send(event, false));
	const deliver = async (event: string): Promise<void> => {
		for (let tries = 0; Date.now() < giveUpAt; tries++) {
			if (isAccepted(await call(event))) return;
			await delay(backoffMs[Math.min(tries, backoffMs.length - 1)]);
		}
	};
	const repeat = async (event: string, repeatMs: number): Promise<void> => {
		await delay(repeatMs);
		await call(event);
	};
	const begin = async ({ repeatMs, isForgedBefore }: Extra, index: number): Promise<void> => {
		await delay((index / perSecond) * 1000);
		const number = String(index + 1).padStart(5, '0');
		const event = `event-${number}`;
		await Promise.all([
			isForgedBefore && send(`forged-${number}`, true),
			deliver(event),
			repeatMs !== undefined && repeat(event, repeatMs),
		]);
	};
	await Promise.all(extras.map(begin));
	return calls;
}
