import type { StoredExecution } from './stage';
import type { Outages } from './kills';
import { setTimeout as delay } from 'node:timers/promises';

import { Slots } from '../../../sandbox/util/async';
import { axios } from '../../support/http';

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

	const post = async (event: string, isForged: boolean): Promise<EventCall> => {
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
	const call = async (event: string) => await slots.run(url, async () => await post(event, false));
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
			isForgedBefore && post(`forged-${number}`, true),
			deliver(event),
			repeatMs !== undefined && repeat(event, repeatMs),
		]);
	};
	await Promise.all(extras.map(begin));
	return calls;
}

/** One delivery of an event to n8n. */
export interface EventCall {
	/** Different for every call, and part of what the execution gets: `event-00001.2`. */
	call: string;
	event: string;
	/** Whether it lacks the secret. */
	isForged: boolean;
	/** Epoch-ms. */
	at: number;
	/** The HTTP status, or why there was none; undefined while it is under way. */
	status?: number | string;
}

/** What was sent and answered, and what n8n has of it. */
export interface EventRun {
	calls: EventCall[];
	executions: StoredExecution[];
	outages: Outages;
}

/** Whether n8n accepted a call: after that it may not lose it. */
export function isAccepted({ status }: Pick<EventCall, 'status'>): boolean {
	return typeof status === 'number' && status >= 200 && status < 300;
}

/** An event, with all its deliveries and all executions that hold one of them, oldest first. */
interface Event {
	name: string;
	calls: EventCall[];
	executions: StoredExecution[];
}

function eventsOf({ calls, executions }: EventRun): Event[] {
	const events = new Map<string, Event>();
	const byCall = new Map<string, Event>();
	for (const call of calls) {
		const event = events.get(call.event) ?? { name: call.event, calls: [], executions: [] };
		event.calls.push(call);
		events.set(call.event, event);
		byCall.set(call.call, event);
	}
	for (const execution of executions) byCall.get(execution.call)?.executions.push(execution);
	for (const event of events.values()) event.executions.sort((a, b) => a.created - b.created);
	return [...events.values()];
}

/** @returns What docs/trigger.md rules out, each in a sentence. */
export function eventProblems(run: EventRun): string[] {
	const known = new Set(run.calls.map(({ call }) => call));
	return [
		// n8n can lose what an execution was started with. The event is then missing.
		...run.executions
			.filter(({ call }) => call !== '' && !known.has(call))
			.map(({ id, call }) => `Execution ${id} holds ${call}, which nobody sent.`),
		...eventsOf(run).flatMap((event) => [
			...refusedProblems(event),
			...lostProblems(event),
			...repeatProblems(event, run),
		]),
	];
}

function refusedProblems({ calls, executions }: Event): string[] {
	return calls.flatMap((delivery) => {
		const { call, isForged, status } = delivery;
		if (isForged && isAccepted(delivery)) return [`The forged ${call} was answered ${status}.`];
		const isRefused = typeof status === 'number' && status >= 400 && status < 500;
		const started = executions.find((one) => one.call === call);
		if (!started || !(isForged || isRefused)) return [];
		return [`${call} was answered ${status}, and started execution ${started.id}.`];
	});
}

function lostProblems({ name, calls, executions }: Event): string[] {
	const accepted = calls.find(isAccepted);
	if (!accepted || executions.length > 0) return [];
	return [`${name} is lost: ${accepted.call} was answered ${accepted.status}.`];
}

/** An event is executed once, unless a crash lies between its acceptance and its repetition. */
function repeatProblems({ name, calls, executions }: Event, { outages }: EventRun): string[] {
	const originals = executions.filter(({ retryOf }) => retryOf === '');
	return originals.slice(1).flatMap((second, index) => {
		const first = originals[index] ?? second;
		const sent = calls.find(({ call }) => call === first.call)?.at ?? first.created;
		// What the process remembered went with it; and what was stored could not be answered.
		const isExcused =
			first.call !== second.call && outages.during(['webhook', 'store'], sent, second.created);
		if (isExcused) return [];
		return [`${name} was executed twice: ${textOf(first)}, ${textOf(second)}.`];
	});
}

/** The last execution of each accepted event that none has done: a person retries it. */
export function undoneEvents(run: EventRun): StoredExecution[] {
	return eventsOf(run).flatMap(({ calls, executions }) => {
		const isDone = executions.some(({ status }) => status === 'success');
		return isDone || !calls.some(isAccepted) ? [] : executions.slice(-1);
	});
}

const textOf = ({ id, status, call }: StoredExecution): string =>
	`execution ${id} (${status}, ${call})`;

/** The figures of a run, for docs/dev/benchmarks.md. */
export function eventSummary(run: EventRun): Record<string, unknown> {
	const events = eventsOf(run).filter(({ calls }) => !calls.some(({ isForged }) => isForged));
	return {
		events: events.length,
		accepted: events.filter(({ calls }) => calls.some(isAccepted)).length,
		forged: run.calls.filter(({ isForged }) => isForged).length,
		twice: events.filter((event) => event.executions.filter((one) => !one.retryOf).length > 1)
			.length,
		undone: undoneEvents(run).length,
	};
}
