import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isObject } from '../transport/envelope';
import { isOpen, type WaitState } from './state';

/**
 * Where several items wait, each event but the last one has to be kept, and n8n keeps nothing that
 * `webhook()` does: it marks the waiting node as disabled, so that it passes on what `webhook()`
 * returns. Taking that mark away makes n8n run the node once more, with the event as its input; the
 * node notes the item and puts the execution to wait again, which is written to the database.
 *
 * This is the one place that uses more of n8n than its public interface: the execution's data, which
 * every context of n8n holds. Where it is not there, several items are refused before anything is
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

/** An event for one of several items, on its way from `webhook()` to `execute()`. */
export interface Progress {
	/** Of the wait that it belongs to. */
	address: string;
	/** Of the item, among those of the wait. */
	index: number;
	event: string;
	body: IDataObject;
	/** An output that is made already, of an identity. */
	json?: IDataObject;
}

/** How many items of a wait are known in this process to be done. */
const known = new Map<string, number>();

/**
 * Makes n8n run the node again with an event.
 * @returns The node's input; undefined when the event cannot be taken now: another one is just being
 * taken, and this request was read with the state before that.
 */
export function runAgainWith(
	context: IWebhookFunctions,
	state: WaitState,
	progress: Progress,
): INodeExecutionData | undefined {
	const { address } = progress;
	const done = state.items.filter((each) => !isOpen(each)).length;
	if (done < (known.get(address) ?? 0)) return undefined;
	const { runExecutionData } = context as HoldsExecution;
	const entry = runExecutionData?.executionData?.nodeExecutionStack[0];
	if (!entry) return undefined;
	entry.node.disabled = false;

	known.set(address, done + 1);
	const response = context.getResponseObject();
	response.once('close', () => {
		const taken = response.writableEnded && response.statusCode < 300;
		if (!taken) known.set(address, done);
	});
	return { json: { [key]: { ...progress } } };
}

/** The wait is over. */
export function forgetProgress(address: string): void {
	known.delete(address);
}

/** The event with which the node was run again; undefined when this is an ordinary run. */
export function progressOf(execute: IExecuteFunctions, state: WaitState): Progress | undefined {
	const given = execute.getInputData()[0]?.json[key] as Progress | undefined;
	return isObject(given) && given.address === state.registration.address ? given : undefined;
}
