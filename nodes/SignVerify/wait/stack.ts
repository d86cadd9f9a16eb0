import { createHash } from 'crypto';
import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isObject, remember } from '../util/values';

/**
 * n8n's stack of nodes to run. When n8n continues a waiting execution, it runs no code of the node. It
 * marks the first entry of the stack as disabled, and a disabled node outputs its input. This is right
 * only for the last event of a wait:
 *
 * - For an event that is not the last one, {@link runAgainWith} removes the mark. n8n then runs the node
 *   again with the event as its input.
 * - At the limit, and if a stopped execution is retried, n8n continues without an event.
 *   {@link placeSuccessor} has put a second entry for the node behind the first one, which then outputs
 *   nothing. n8n runs the second one, and the node sees which of the two happened.
 * - A retry with the currently saved workflow puts the same node into all entries. As it is disabled, it
 *   would pass on all its input, also in every further round of a loop. With a third entry, for a node
 *   that no workflow has, n8n refuses such a retry.
 *
 * The execution's data is not in n8n's public interface, but every context has it. If it is missing,
 * nothing is sent (start.ts).
 */
interface HoldsExecution {
	runExecutionData?: Pick<IRunExecutionData, 'executionData'> | null;
}

/** The execution's data behind a context of n8n. */
export function runDataOf(context: object): HoldsExecution['runExecutionData'] {
	const { runExecutionData } = context as HoldsExecution;
	return isObject(runExecutionData) ? runExecutionData : undefined;
}

function stackOf(context: object): IExecuteData[] | undefined {
	return runDataOf(context)?.executionData?.nodeExecutionStack;
}

/** Whether a waiting node can run again in this n8n. */
export function canRunAgain(context: object): boolean {
	return Array.isArray(stackOf(context));
}

const eventKey = 'signVerifyEvent';
const successorKey = 'signVerifySuccessor';

/** An event that does not end the wait, as `webhook()` passes it to `execute()`. */
export interface NotedEvent {
	wait: string;
	/** Of the items that it is about. */
	indexes: number[];
	event: string;
	body: IDataObject;
	/** Outputs that exist already, by index: those of identities. */
	outputs: Record<number, IDataObject>;
}

/** The last event of a wait that this process has accepted: its number, and when (epoch-ms). */
interface AcceptedEvent {
	count: number;
	since: number;
}

const acceptedEvents = new Map<string, AcceptedEvent>();
const remembered = 10_000;

/** For how long (ms) after an event another one can come with a state that was read before it. */
const longestProcessing = 60_000;

/**
 * Makes n8n run the node again with an event. If the state was read before the last event, it is refused,
 * because n8n would store it over that event. But if another process has done so, the state never catches
 * up. The events that are sent again then have to be accepted.
 * @param eventCount How many events of the wait were noted when the state was read.
 * @returns The node's input; undefined if another event was accepted since then.
 */
export function runAgainWith(
	context: IWebhookFunctions,
	eventCount: number,
	noted: NotedEvent,
): INodeExecutionData | undefined {
	const { wait } = noted;
	const last = acceptedEvents.get(wait);
	const isRecent = last !== undefined && Date.now() - last.since < longestProcessing;
	if (isRecent && eventCount < last.count) return undefined;
	const entry = stackOf(context)?.[0];
	if (!entry) return undefined;
	entry.node.disabled = false;
	removeSuccessor(context, wait);

	const accepted = { count: eventCount + 1, since: Date.now() };
	remember(acceptedEvents, wait, accepted, remembered);
	const response = context.getResponseObject();
	response.once('close', () => {
		const isTaken = response.writableEnded && response.statusCode < 300;
		if (!isTaken) accepted.count = eventCount;
	});
	return { json: { [eventKey]: noted } };
}

/** Forgets a wait that is over. */
export function forgetEvents(wait: string): void {
	acceptedEvents.delete(wait);
}

/** The event with which the node runs again; undefined for another run. */
export function notedEvent(execute: IExecuteFunctions, wait: string): NotedEvent | undefined {
	const given = execute.getInputData()[0]?.json[eventKey] as NotedEvent | undefined;
	return isObject(given) && given.wait === wait ? given : undefined;
}

/** The node of the third entry. n8n shows the name: "Could not find the node … in workflow." */
const guardName = 'SignVerify waits: choose "Retry with original workflow"';

/**
 * Puts two more entries on the stack: one for the running node, and the one that prevents a retry with
 * the currently saved workflow. n8n then puts the running entry before them.
 */
export function placeSuccessor(execute: IExecuteFunctions, wait: string): void {
	const entry = execute.getExecuteData();
	const { node } = entry;
	const successor = {
		...entry,
		node: { ...node, disabled: false },
		data: { main: [[{ json: {}, [successorKey]: markOf(wait) }]] },
	};
	const guard = {
		...entry,
		node: { ...node, name: guardName, disabled: true },
		data: { main: [] },
	};
	stackOf(execute)?.unshift(successor, guard);
	entry.data.main = [];
	// With "Always Output Data", the first entry would output an empty item.
	entry.node = { ...node, alwaysOutputData: false };
}

/** Removes the further entries of a wait, because its event has arrived. */
export function removeSuccessor(context: object, wait: string): void {
	const stack = stackOf(context);
	const index = stack?.findIndex((entry) => isSuccessor(entry, wait)) ?? -1;
	if (index >= 0) stack?.splice(index, 2);
}

/** Removes the third entry when n8n runs the second one. */
export function removeGuard(execute: IExecuteFunctions): void {
	const stack = stackOf(execute);
	if (stack?.[0]?.node.name === guardName) stack.shift();
}

/** Whether n8n has continued the execution without an event. */
export function isContinuedWithoutEvent(execute: IExecuteFunctions, wait: string): boolean {
	return isSuccessor(execute.getExecuteData(), wait);
}

function isSuccessor({ data }: IExecuteData, wait: string): boolean {
	return data.main?.[0]?.[0]?.[successorKey] === markOf(wait);
}

/** Unique for a wait. It is not a secret, because it can leave the node with the items. */
function markOf(wait: string): string {
	return createHash('sha256').update(wait).digest('base64url');
}
