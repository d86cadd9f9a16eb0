import { isInterrupted, type StartCall, type StoredExecution } from './stage';
import type { Outages } from './kills';

/** What the node behind the waiting one says of the item that it got. */
export interface Told {
	/** Epoch-ms. */
	at: number;
	execution: string;
	/** The call whose item it is. */
	call: string;
	document: string;
	completed: boolean;
	timedOut: boolean;
	/** The end of the wait, if the item left because of it. */
	waitUntil?: string;
}

/** A delivery of an event to a waiting execution. */
export interface WaitDelivery {
	execution: string;
	document: string;
	at: number;
	answeredAt: number;
	isAccepted: boolean;
}

/** What was asked for, signed, delivered and passed on, and what n8n and the service have. */
export interface WaitRun {
	/** When that was looked at (epoch-ms). */
	at: number;
	/** Calls of n8n; each sends one document, and its execution waits for it. */
	calls: StartCall[];
	executions: StoredExecution[];
	/** Oldest first: "Retry" can send another one. */
	documents: Array<{ document: string; call: string }>;
	/** When each document was signed by everybody. */
	signedAt: Map<string, number>;
	deliveries: WaitDelivery[];
	told: Told[];
	/** The executions that have a webhook at the service. */
	webhooks: string[];
	outages: Outages;
}

/** A call, with all that there is of it. */
interface Wait {
	call: string;
	isAccepted: boolean;
	executions: StoredExecution[];
	documents: string[];
	told: Told[];
}

/** n8n looks for limits that are over once a minute (docs/how-waiting-works.md); and it needs a moment. */
const limitDelayMs = 75_000;
/** n8n's timers and the clocks of its processes need not agree to the millisecond. */
const toleranceMs = 1000;
/** So long a removal may take, and so near an outage may have prevented it (ms). */
const removalMs = 30_000;

function waitsOf({ calls, executions, documents, told }: WaitRun): Wait[] {
	return calls.map(({ call, isAccepted }) => ({
		...{ call, isAccepted },
		executions: executions.filter((execution) => execution.call === call),
		documents: documents.filter((sent) => sent.call === call).map(({ document }) => document),
		told: told.filter((item) => item.call === call),
	}));
}

/** @returns What docs/how-waiting-works.md rules out, each in a sentence. */
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

/** A document is sent again only by "Retry" of an execution that did not wait yet. */
function sentProblems({ call, isAccepted, executions, documents }: Wait): string[] {
	const retries = executions.filter(({ retryOf }) => retryOf !== '').length;
	return [
		...(isAccepted && executions.length === 0 ? [`${call} was accepted and started nothing.`] : []),
		...(documents.length > 1 + retries
			? [`${call} was sent ${documents.length} times: ${documents.join(', ')}.`]
			: []),
	];
}

/** A wait continues with its own document, and as completed only after everybody has signed. */
function ownEventProblems(told: Told, { call, executions, documents }: Wait, run: WaitRun) {
	const { execution, document, completed, timedOut, at } = told;
	const who = `The wait of ${call} (execution ${execution})`;
	if (!executions.some(({ id }) => id === execution)) return [`${who} ended in that of another.`];
	if (!documents.includes(document)) {
		const owner = run.documents.find((sent) => sent.document === document)?.call ?? 'nobody';
		return [`${who} ended by the event of ${owner} (document ${document}).`];
	}
	if (completed === timedOut) return [`${who} neither completed nor timed out.`];
	if (!completed || (run.signedAt.get(document) ?? Infinity) <= at) return [];
	return [`${who} continued as completed before document ${document} was signed.`];
}

/** A wait times out at its limit: not before, unless somebody retries it, and not much later. */
function limitProblems(told: Told, { call, executions }: Wait, { outages }: WaitRun): string[] {
	const { execution, completed, waitUntil, at } = told;
	const isRetry = executions.some(({ id, retryOf }) => id === execution && retryOf !== '');
	if (completed || isRetry) return [];
	const who = `The wait of ${call} (execution ${execution})`;
	if (waitUntil === undefined) return [`${who} timed out, and does not say when.`];
	const limit = Date.parse(waitUntil);
	const lateMs = at - limit;
	if (lateMs < -toleranceMs) return [`${who} timed out ${-lateMs} ms before its limit.`];
	if (lateMs <= limitDelayMs) return [];
	const isExcused = outages.during(['main', 'worker', 'store'], limit, at);
	return isExcused ? [] : [`${who} timed out ${lateMs} ms after its limit.`];
}

/** A wait continues once, and again only by "Retry" of an execution that was interrupted. */
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

/** The first delivery of a wait's own event that was answered 2xx, if it was sent until a moment. */
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

/** An accepted event continues its wait, by itself or by "Retry". */
function acceptedProblems(wait: Wait, run: WaitRun): string[] {
	const { call, executions, told } = wait;
	const last = executions.at(-1);
	const event = acceptedDelivery(wait, run);
	if (!last || !event || isInterrupted(last) || told.some(({ completed }) => completed)) return [];
	const limit = told.find(({ execution }) => execution === last.id)?.waitUntil;
	if (limit && event.answeredAt > Date.parse(limit) - toleranceMs) return [];
	// A process of n8n that starts writes back the waits that its log shows as unfinished.
	const { at, answeredAt } = event;
	if (run.outages.during(['main', 'webhook', 'worker'], at, answeredAt)) return [];
	return [`The event of ${call} was accepted, and execution ${last.id} did not continue.`];
}

/** An execution that waits has its webhook; one that an event ended has removed it. */
function webhookProblems(wait: Wait, run: WaitRun): string[] {
	const { call, executions, told } = wait;
	return executions.flatMap(({ id, status }) => {
		const hasWebhook = run.webhooks.includes(id);
		if (status === 'waiting' && !hasWebhook && !acceptedDelivery(wait, run)) {
			return [`Execution ${id} waits for ${call} without a webhook.`];
		}
		const end = told.find(({ execution, completed }) => execution === id && completed);
		if (!end || !hasWebhook || status !== 'success' || run.at < end.at + removalMs) return [];
		// If n8n could not say that it accepted the event, it is sent again, and n8n answers that itself.
		const isUnsaid = !acceptedDelivery(wait, run, end.at);
		const roles = ['webhook', 'worker', 'store'] as const;
		const isExcused = run.outages.during([...roles], end.at - removalMs, end.at + removalMs);
		return isUnsaid || isExcused ? [] : [`The wait of ${call} (execution ${id}) left its webhook.`];
	});
}

/** The last execution of each call, if it was interrupted: a person retries it. */
export function interruptedWaits(run: WaitRun): StoredExecution[] {
	return waitsOf(run).flatMap(({ executions }) => executions.slice(-1).filter(isInterrupted));
}

/** The accepted calls that no execution has continued for. */
export function openWaits(run: WaitRun): string[] {
	const open = waitsOf(run).filter(({ isAccepted, told }) => isAccepted && told.length === 0);
	return open.map(({ call }) => call);
}

/** The figures of a run, for docs/dev/benchmarks.md. */
export function waitSummary(run: WaitRun) {
	const waits = waitsOf(run).filter(({ executions }) => executions.length > 0);
	const count = (is: (wait: Wait) => boolean): number => waits.filter(is).length;
	return {
		waits: waits.length,
		completed: count(({ told }) => told.some(({ completed }) => completed)),
		timedOut: count(({ told }) => told.some(({ completed }) => !completed)),
		open: openWaits(run).length,
		interrupted: run.executions.filter(isInterrupted).length,
	};
}
