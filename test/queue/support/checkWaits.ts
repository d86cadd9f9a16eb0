import { isInterrupted, type StartCall, type StoredExecution } from './stage';
import type { Outages } from './kills';

/** What the node that follows the waiting node reports about each item that it receives. */
export interface Told {
	/** Epoch-ms. */
	at: number;
	execution: string;
	/** The call that led to this item. */
	call: string;
	document: string;
	outcome: string;
	/** The time limit of the wait, if the wait timed out. */
	waitUntil?: string;
}

export interface WaitDelivery {
	execution: string;
	document: string;
	at: number;
	respondedAt: number;
	isAccepted: boolean;
}

/** What happened in a test, according to the test itself and the records of n8n and the service. */
export interface WaitRun {
	/** When these records were read (epoch-ms). */
	at: number;
	/** The calls to n8n. Each call starts an execution that sends one document and waits for it. */
	calls: StartCall[];
	executions: StoredExecution[];
	/** The documents of each call, oldest first. A retry can send one more document. */
	documents: Array<{ document: string; call: string }>;
	/** When each document was signed by everyone (epoch-ms). */
	signedAt: Map<string, number>;
	deliveries: WaitDelivery[];
	told: Told[];
	/** The executions that have a registered webhook. */
	webhooks: string[];
	outages: Outages;
}

/** A call with all its executions, documents, deliveries and reports. */
interface Wait {
	call: string;
	isAccepted: boolean;
	executions: StoredExecution[];
	documents: string[];
	told: Told[];
}

/**
 * n8n checks time limits once a minute (docs/waiting.md) and then needs a moment to resume the
 * execution.
 */
const limitDelayMs = 75_000;
/** n8n's timers and the clocks of its processes can differ by milliseconds. */
const toleranceMs = 1000;
/**
 * How long (ms) n8n may take to remove a webhook. A webhook that was not removed is excused if there was an
 * outage within this time before or after the end of the wait.
 */
const removalMs = 30_000;

function waitsOf({ calls, executions, documents, told }: WaitRun): Wait[] {
	return calls.map(({ call, isAccepted }) => ({
		call,
		isAccepted,
		executions: executions.filter((execution) => execution.call === call),
		documents: documents.filter((sent) => sent.call === call).map(({ document }) => document),
		told: told.filter((item) => item.call === call),
	}));
}

/** @returns One sentence for each violation of the rules in docs/waiting.md. */
export function waitProblems(run: WaitRun): string[] {
	const known = new Set(run.calls.map(({ call }) => call));
	return [
		...run.told
			.filter(({ call }) => !known.has(call))
			.map(({ execution, call }) => `Execution ${execution} continued for ${call}, unknown.`),
		...waitsOf(run).flatMap((wait) => [
			...sentProblems(wait),
			...wait.told.flatMap((told) => [
				...ownEventProblems(told, wait, run),
				...limitProblems(told, wait, run),
			]),
			...onceProblems(wait),
			...acceptedProblems(wait, run),
			...webhookProblems(wait, run),
		]),
	];
}

/** Rule: a document is sent again only if an execution that was not yet waiting is retried. */
function sentProblems({ call, isAccepted, executions, documents }: Wait): string[] {
	const retries = executions.filter(({ retryOf }) => retryOf !== '').length;
	return [
		...(isAccepted && executions.length === 0 ? [`${call} was accepted and started nothing.`] : []),
		...(documents.length > 1 + retries
			? [`${call} was sent ${documents.length} times: ${documents.join(', ')}.`]
			: []),
	];
}

const isCompleted = ({ outcome }: Told) => outcome === 'completed';

/** Rule: a wait continues with its own document, and reports completion only after everyone has signed. */
function ownEventProblems(told: Told, { call, executions, documents }: Wait, run: WaitRun) {
	const { execution, document, outcome, at } = told;
	const who = `The wait of ${call} (execution ${execution})`;
	if (!executions.some(({ id }) => id === execution)) return [`${who} ended in that of another.`];
	if (!documents.includes(document)) {
		const owner = run.documents.find((sent) => sent.document === document)?.call ?? 'no one';
		return [`${who} ended by the event of ${owner} (document ${document}).`];
	}
	if (!['completed', 'timedOut'].includes(outcome)) return [`${who} ended with "${outcome}".`];
	if (outcome === 'timedOut' || (run.signedAt.get(document) ?? Infinity) <= at) return [];
	return [`${who} continued as completed before document ${document} was signed.`];
}

/** Rule: a wait times out at its limit: no earlier (unless a user retries it) and not much later. */
function limitProblems(told: Told, { call, executions }: Wait, { outages }: WaitRun): string[] {
	const { execution, outcome, waitUntil, at } = told;
	const isRetry = executions.some(({ id, retryOf }) => id === execution && retryOf !== '');
	if (outcome === 'completed' || isRetry) return [];
	const who = `The wait of ${call} (execution ${execution})`;
	if (waitUntil === undefined) return [`${who} timed out, and does not say when.`];
	const limit = Date.parse(waitUntil);
	const lateMs = at - limit;
	if (lateMs < -toleranceMs) return [`${who} timed out ${-lateMs} ms before its limit.`];
	if (lateMs <= limitDelayMs) return [];
	const isExcused = outages.during(['main', 'worker', 'store'], limit, at);
	return isExcused ? [] : [`${who} timed out ${lateMs} ms after its limit.`];
}

/** Rule: a wait continues exactly once, unless a user retries an interrupted execution. */
function onceProblems({ call, executions, told }: Wait): string[] {
	const succeeded = executions.find(({ status }) => status === 'success');
	const twice = told.slice(1).filter(({ execution }, index) => {
		const first = executions.find(({ id }) => id === told[index]?.execution);
		return !first || first.id === execution || !isInterrupted(first);
	});
	return [
		...twice.map(({ execution }) => `The wait of ${call} continued twice, in ${execution}.`),
		...(succeeded && told.length === 0
			? [`Execution ${succeeded.id} succeeded, and ${call} did not continue.`]
			: []),
	];
}

/**
 * The first delivery of the wait's own event that n8n accepted (2xx) and that was sent no later than `until`.
 */
function acceptedDelivery(
	{ executions, documents }: Wait,
	{ deliveries }: WaitRun,
	until = Infinity,
): WaitDelivery | undefined {
	const own = new Set(executions.map(({ id }) => id));
	const document = documents.at(-1);
	return deliveries
		.filter(
			(delivery) => delivery.isAccepted && own.has(delivery.execution) && delivery.at <= until,
		)
		.find((delivery) => delivery.document === document);
}

/** Rule: an accepted event continues its wait, directly or after a retry. */
function acceptedProblems(wait: Wait, run: WaitRun): string[] {
	const { call, executions, told } = wait;
	const last = executions.at(-1);
	const event = acceptedDelivery(wait, run);
	if (!last || !event || isInterrupted(last) || told.some(isCompleted)) return [];
	const limit = told.find(({ execution }) => execution === last.id)?.waitUntil;
	if (limit && event.respondedAt > Date.parse(limit) - toleranceMs) return [];
	return [`The event of ${call} was accepted, and execution ${last.id} did not continue.`];
}

/** Rule: an execution has a webhook while it waits, and removes the webhook when an event ends the wait. */
function webhookProblems(wait: Wait, run: WaitRun): string[] {
	const { call, executions, told } = wait;
	return executions.flatMap(({ id, status }) => {
		const hasWebhook = run.webhooks.includes(id);
		if (status === 'waiting' && !hasWebhook && !acceptedDelivery(wait, run)) {
			return [`Execution ${id} waits for ${call} without a webhook.`];
		}
		const end = told.find((one) => one.execution === id && isCompleted(one));
		if (!end || !hasWebhook || status !== 'success' || run.at < end.at + removalMs) return [];
		// If n8n's response did not reach the service, the service sends the event again. n8n responds to it
		// without running the node.
		const isUnsaid = !acceptedDelivery(wait, run, end.at);
		const roles = ['webhook', 'worker', 'store'] as const;
		const isExcused = run.outages.during([...roles], end.at - removalMs, end.at + removalMs);
		return isUnsaid || isExcused ? [] : [`The wait of ${call} (execution ${id}) left its webhook.`];
	});
}

/** The executions that a user must retry: the last one of each call, if it was interrupted. */
export function interruptedWaits(run: WaitRun): StoredExecution[] {
	return waitsOf(run).flatMap(({ executions }) => executions.slice(-1).filter(isInterrupted));
}

/** The accepted calls whose executions have not continued. */
export function openWaits(run: WaitRun): string[] {
	const open = waitsOf(run).filter(({ isAccepted, told }) => isAccepted && told.length === 0);
	return open.map(({ call }) => call);
}

/** A run's figures for docs/dev/benchmarks.md. */
export function waitSummary(run: WaitRun) {
	const waits = waitsOf(run).filter(({ executions }) => executions.length > 0);
	const count = (is: (wait: Wait) => boolean): number => waits.filter(is).length;
	return {
		waits: waits.length,
		completed: count(({ told }) => told.some(isCompleted)),
		timedOut: count(({ told }) => told.some((one) => !isCompleted(one))),
		open: openWaits(run).length,
		interrupted: run.executions.filter(isInterrupted).length,
	};
}
