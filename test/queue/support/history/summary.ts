import type { Entry } from './entries';
import { factsOf, isAccepted, isInterrupted, isOriginal } from './facts';
import { type Execution } from './factTypes';

/** What a history of events comes to. */
export interface EventSummary {
	/** How often each part of n8n ended. */
	ends: Record<string, number>;
	events: number;
	accepted: number;
	/** Deliveries of an event that had been accepted before. */
	repeats: number;
	/** Accepted events without an execution that holds them. */
	lost: number;
	/** Accepted events that no execution has done yet. */
	interrupted: number;
	/** Events with two executions or more, by whatever call. */
	twice: number;
	forged: number;
	executions: number;
	/** Executions whose data no longer say what started them. */
	withoutData: number;
}

/** The figures of a history of events, for people. */
export function eventSummary(entries: Entry[]): EventSummary {
	const { calls, executions } = factsOf(entries);
	const events = byEvent(entries);
	const accepted = events.filter((each) => each.isAccepted);
	const forged = [...calls.values()].filter(({ begun }) => begun.forged).length;
	return {
		ends: endsOf(entries),
		events: events.length - forged,
		accepted: accepted.length,
		repeats: events.reduce((sum, { repeats }) => sum + repeats, 0),
		lost: accepted.filter((each) => each.executions.length === 0).length,
		interrupted: accepted.filter((each) => each.executions.every(isInterrupted)).length,
		twice: events.filter((each) => each.executions.filter(isOriginal).length > 1).length,
		forged,
		executions: executions.size,
		withoutData: [...executions.values()].filter(({ started }) => started.call === '').length,
	};
}

/** The executions that "Retry" has to run, one for each accepted event that none has done. */
export function toRetry(entries: Entry[]): string[] {
	return byEvent(entries).flatMap(({ isAccepted: accepted, executions }) => {
		const last = executions.at(-1);
		return accepted && last && executions.every(isInterrupted) ? [last.started.execution] : [];
	});
}

interface Event {
	isAccepted: boolean;
	repeats: number;
	executions: Execution[];
}

function byEvent(entries: Entry[]): Event[] {
	const events = new Map<string, Event>();
	for (const call of factsOf(entries).calls.values()) {
		const { event } = call.begun;
		if (event === undefined) continue;
		const found = events.get(event) ?? { isAccepted: false, repeats: 0, executions: [] };
		if (found.isAccepted) found.repeats++;
		if (isAccepted(call)) found.isAccepted = true;
		found.executions.push(...call.executions);
		events.set(event, found);
	}
	return [...events.values()];
}

/** How often each part of n8n ended. */
export function endsOf(entries: Entry[]): Record<string, number> {
	const ends: Record<string, number> = {};
	for (const entry of entries) {
		if (entry.type === 'down') ends[entry.target] = (ends[entry.target] ?? 0) + 1;
	}
	return ends;
}

/** What a history of documents with a Send Once Key comes to. */
export interface SendSummary {
	ends: Record<string, number>;
	keys: number;
	/** Keys with a document. */
	sent: number;
	/** Keys with two. */
	twice: number;
	/** Keys that an output reported as "may have been created". */
	reported: number;
	/** Of these, those without a document. */
	reportedWithout: number;
	/** Executions by n8n's own word. */
	executions: Record<string, number>;
	outputs: Record<string, number>;
}

/** The figures of a history of documents, for people. */
export function sendSummary(entries: Entry[]): SendSummary {
	const { documents, executions } = factsOf(entries);
	const counts = new Map<string, number>();
	for (const { key } of documents) counts.set(key, (counts.get(key) ?? 0) + 1);
	const keys = new Set<string>();
	const reported = new Set<string>();
	const outputs: Record<string, number> = {};
	for (const entry of entries) {
		if (entry.type === 'send') keys.add(entry.key);
		if (entry.type !== 'output') continue;
		outputs[entry.result] = (outputs[entry.result] ?? 0) + 1;
		if (entry.result === 'mayHaveBeenCreated') reported.add(entry.key);
	}
	const statuses: Record<string, number> = {};
	for (const { finished } of executions.values()) {
		const status = finished?.status ?? 'not over';
		statuses[status] = (statuses[status] ?? 0) + 1;
	}
	return {
		ends: endsOf(entries),
		keys: keys.size,
		sent: counts.size,
		twice: [...counts.values()].filter((count) => count > 1).length,
		reported: reported.size,
		reportedWithout: [...reported].filter((key) => !counts.has(key)).length,
		executions: statuses,
		outputs,
	};
}
