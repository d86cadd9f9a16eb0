import type { StoredExecution } from './stage';
import type { Outages } from './kills';
import { setTimeout as delay } from 'node:timers/promises';

import { Slots } from '../../../sandbox/util/async';
import { axios } from '../../support/http';

/**
 * The delay (ms) before each retry, as in the sandbox, except that the last delay is used for all later
 * retries.
 */
const backoffMs = [500, 2000, 5000, 15_000];
/** The same limit as in the sandbox. Without a limit, calls that hang would pile up. */
const maxParallel = 64;

/** Additional deliveries of an event. */
export interface Extra {
	/** After this time (ms), the event is delivered once more, even if it was accepted. */
	repeatMs?: number | undefined;
	/** Whether a notification with a wrong secret is sent before the event. */
	isForgedBefore: boolean;
}

export interface SendingOptions {
	url: string;
	perSecond: number;
	/** Returns the notification to send in a call that delivers an event, such as `event-00001`. */
	bodyOf: (event: string, call: string) => unknown;
	/** How long (ms) to keep retrying after the first delivery of the last event. */
	limitMs: number;
	/** The additional deliveries of each event. */
	extras: Extra[];
}

/** The URL with its secret replaced by a wrong one of the same length. */
function forgedUrl(url: string): string {
	const forged = new URL(url);
	const secret = forged.searchParams.get('secret');
	if (!secret) throw new Error("The trigger's URL doesn't contain a secret.");
	forged.searchParams.set('secret', [...secret].reverse().join(''));
	return forged.href;
}

/**
 * Sends events at a steady rate, even if deliveries fail. Like the sandbox, sends each event again until n8n
 * responds with a 2xx.
 * @returns Every delivery that was started.
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
		const response = axios.post(isForged ? forgedUrl(url) : url, bodyOf(event, name), {
			timeout: 15_000,
		});
		call.status = await response.then(
			({ status }) => status,
			(error: { code?: string }) => error.code ?? 'no response',
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
	/** The unique name of the call, such as `event-00001.2`, which is part of the execution's data. */
	call: string;
	event: string;
	/** Whether the call's secret is wrong. */
	isForged: boolean;
	/** Epoch-ms. */
	at: number;
	/** The HTTP status, or why there was none; undefined until the call has ended. */
	status?: number | string;
}

/**
 * What happened in a test: every call with its response, the executions that n8n stored, and the times when a
 * part of n8n was down.
 */
export interface EventRun {
	calls: EventCall[];
	executions: StoredExecution[];
	outages: Outages;
}

/** Whether n8n accepted a call. After that, n8n must not lose the event. */
export function isAccepted({ status }: Pick<EventCall, 'status'>): boolean {
	return typeof status === 'number' && status >= 200 && status < 300;
}

/** An event with all its deliveries, and every execution whose data contains one of them, oldest first. */
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

/** @returns One sentence for each violation of the rules in docs/trigger.md. */
export function eventProblems(run: EventRun): string[] {
	const known = new Set(run.calls.map(({ call }) => call));
	return [
		// n8n can lose the data that an execution started with. In that case, `call` is '', and the event is
		// reported as lost.
		...run.executions
			.filter(({ call }) => call !== '' && !known.has(call))
			.map(({ id, call }) => `Execution ${id} holds ${call}, which no one sent.`),
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
		if (isForged && isAccepted(delivery)) return [`The forged ${call} got ${status}.`];
		const isRefused = typeof status === 'number' && status >= 400 && status < 500;
		const started = executions.find((one) => one.call === call);
		if (!started || !(isForged || isRefused)) return [];
		return [`${call} got ${status}, and started execution ${started.id}.`];
	});
}

function lostProblems({ name, calls, executions }: Event): string[] {
	const accepted = calls.find(isAccepted);
	if (!accepted || executions.length > 0) return [];
	return [`${name} is lost: ${accepted.call} got ${accepted.status}.`];
}

/**
 * Rule: an event is executed only once, unless n8n crashed after accepting the event and before receiving it
 * again.
 */
function repeatProblems({ name, calls, executions }: Event, { outages }: EventRun): string[] {
	const originals = executions.filter(({ retryOf }) => retryOf === '');
	return originals.slice(1).flatMap((second, index) => {
		const first = originals[index] ?? second;
		const sent = calls.find(({ call }) => call === first.call)?.at ?? first.created;
		// A killed process forgets the events that it accepted. Without its database, n8n cannot accept an
		// event, even one that it has already stored.
		const isExcused =
			first.call !== second.call && outages.during(['webhook', 'store'], sent, second.created);
		if (isExcused) return [];
		return [`${name} was executed twice: ${textOf(first)}, ${textOf(second)}.`];
	});
}

/**
 * The executions that a user must retry: the last one of each accepted event that no execution has completed.
 */
export function undoneEvents(run: EventRun): StoredExecution[] {
	return eventsOf(run).flatMap(({ calls, executions }) => {
		const isDone = executions.some(({ status }) => status === 'success');
		return isDone || !calls.some(isAccepted) ? [] : executions.slice(-1);
	});
}

const textOf = ({ id, status, call }: StoredExecution): string =>
	`execution ${id} (${status}, ${call})`;

/** A run's figures for docs/dev/benchmarks.md. */
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
