import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isObject } from '../transport/envelope';
import { nameOfWait, type WaitState } from './state';

/**
 * Each event but the last one of a wait has to be kept, and n8n keeps nothing that
 * `webhook()` does: it marks the waiting node as disabled, so that it passes on what `webhook()`
 * returns. Taking that mark away makes n8n run the node once more, with the event as its input; the
 * node notes it and puts the execution to wait again, which is written to the database.
 *
 * This is the one place that uses more of n8n than its public interface: the execution's data, which
 * every context of n8n holds. Where it is not there, what needs it is refused before anything is
 * sent (wait.ts).
 */
interface HoldsExecution {
	runExecutionData?: Pick<IRunExecutionData, 'executionData'> | null;
}

/** Whether this n8n lets a waiting node be run again. */
export function canRunAgain(context: IExecuteFunctions): boolean {
	return isObject((context as HoldsExecution).runExecutionData);
}

const key = 'signVerifyProgress';

/** An event that does not end the wait, on its way from `webhook()` to `execute()`. */
export interface Progress {
	/** The wait that it belongs to. */
	wait: string;
	/** Of the item, among those of the wait. */
	index: number;
	event: string;
	body: IDataObject;
	/** An output that is made already, of an identity. */
	json?: IDataObject;
}

/** How many events of a wait are known in this process to be taken. */
const known = new Map<string, number>();

/**
 * Makes n8n run the node again with an event.
 * @returns The node's input; undefined when the event cannot be taken now: another one is just being
 * taken, and this request was read with the state before that.
 */
export function runAgainWith(
	context: IWebhookFunctions,
	state: WaitState,
	progress: Omit<Progress, 'wait'>,
): INodeExecutionData | undefined {
	const wait = nameOfWait(state);
	const { taken } = state;
	if (taken < (known.get(wait) ?? 0)) return undefined;
	const { runExecutionData } = context as HoldsExecution;
	const entry = runExecutionData?.executionData?.nodeExecutionStack[0];
	if (!entry) return undefined;
	entry.node.disabled = false;

	known.set(wait, taken + 1);
	const response = context.getResponseObject();
	response.once('close', () => {
		const isTaken = response.writableEnded && response.statusCode < 300;
		if (!isTaken) known.set(wait, taken);
	});
	return { json: { [key]: { ...progress, wait } } };
}

/** The wait is over. */
export function forgetProgress(state: WaitState): void {
	known.delete(nameOfWait(state));
}

/** The event with which the node was run again; undefined when this is an ordinary run. */
export function progressOf(execute: IExecuteFunctions, state: WaitState): Progress | undefined {
	const given = execute.getInputData()[0]?.json[key] as Progress | undefined;
	return isObject(given) && given.wait === nameOfWait(state) ? given : undefined;
}
