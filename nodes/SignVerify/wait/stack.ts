import { createHash } from 'crypto';
import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isObject } from '../util/values';

/**
 * n8n's stack of nodes to run, as far as waiting needs it. n8n runs no code of a node when it
 * continues a waiting execution: it marks the first entry of the stack as disabled, and a disabled
 * node outputs what it was given. That is right for the last event of a wait, and for nothing else:
 *
 * - An event that is not the last one has to be kept. {@link runAgainWith} takes the mark away, so
 *   that n8n runs the node once more, with the event as its input.
 * - n8n continues an execution without an event when its limit is reached, and also when somebody
 *   retries one that was stopped. {@link placeSuccessor} puts a second entry for the node behind the
 *   first one, which then outputs nothing: n8n runs the second, and the node finds out which it is.
 * - A retry with the currently saved workflow puts one and the same node into all entries. Marked as
 *   disabled it would pass everything on that comes to it, in every further round of a loop, too. A
 *   third entry, for a node that no workflow has, makes n8n refuse such a retry.
 *
 * This is the one place that uses more of n8n than its public interface: the execution's data, which
 * every context of n8n holds. Where it is not there, nothing is sent (start.ts).
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

/** Whether this n8n lets a waiting node be run again. */
export function canRunAgain(context: object): boolean {
	return Array.isArray(stackOf(context));
}

const eventKey = 'signVerifyEvent';
const successorKey = 'signVerifySuccessor';

/** An event that does not end the wait, on its way from `webhook()` to `execute()`. */
export interface NotedEvent {
	/** The wait that it belongs to. */
	wait: string;
	/** Of the items of the wait that it is about. */
	indexes: number[];
	event: string;
	body: IDataObject;
	/** Outputs that are made already, by index: of identities. */
	outputs: Record<number, IDataObject>;
}

/** How many events of a wait this process has accepted. */
const eventCounts = new Map<string, number>();

/**
 * Makes n8n run the node again with an event.
 * @param eventCount How many events of the wait had been noted when this one was read.
 * @returns The node's input; undefined when the event cannot be accepted now: another one is being
 * accepted, and this request was read with the state before that.
 */
export function runAgainWith(
	context: IWebhookFunctions,
	eventCount: number,
	noted: NotedEvent,
): INodeExecutionData | undefined {
	const { wait } = noted;
	if (eventCount < (eventCounts.get(wait) ?? 0)) return undefined;
	const entry = stackOf(context)?.[0];
	if (!entry) return undefined;
	entry.node.disabled = false;
	removeSuccessor(context, wait);

	eventCounts.set(wait, eventCount + 1);
	const response = context.getResponseObject();
	response.once('close', () => {
		const isTaken = response.writableEnded && response.statusCode < 300;
		if (!isTaken) eventCounts.set(wait, eventCount);
	});
	return { json: { [eventKey]: noted } };
}

/** The wait is over: this process need not remember it. */
export function forgetEvents(wait: string): void {
	eventCounts.delete(wait);
}

/** The event with which the node was run again; undefined when this is another run. */
export function notedEvent(execute: IExecuteFunctions, wait: string): NotedEvent | undefined {
	const given = execute.getInputData()[0]?.json[eventKey] as NotedEvent | undefined;
	return isObject(given) && given.wait === wait ? given : undefined;
}

/** The node of the third entry. n8n shows the name: "Could not find the node … in workflow." */
const guardName = 'SignVerify waits: choose "Retry with original workflow"';

/**
 * Puts two more entries on the stack: one for the running node, and one that keeps n8n from a retry
 * with the currently saved workflow. n8n then puts the entry that is running before them, and
 * continues with all three when it continues the execution without an event.
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
	// "Always Output Data" would let the first entry output an empty item.
	entry.node = { ...node, alwaysOutputData: false };
}

/** Takes the further entries of a wait off the stack again: its event has come. */
export function removeSuccessor(context: object, wait: string): void {
	const stack = stackOf(context);
	const index = stack?.findIndex((entry) => isSuccessor(entry, wait)) ?? -1;
	if (index >= 0) stack?.splice(index, 2);
}

/** Takes the third entry off the stack, when n8n runs the second one. */
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

/** Tells a wait from every other one, and is no secret: it can leave the node with the items. */
function markOf(wait: string): string {
	return createHash('sha256').update(wait).digest('base64url');
}
