import {
	type ICredentials,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWebhookFunctions,
	NodeHelpers,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { isObject, objectOf } from './util/values';

/*
 * What the nodes use of n8n although its interface for nodes does not promise it. Each part says what
 * happens in an n8n that does not have it. test/e2e/internals.test.ts tries them one by one.
 *
 * These places depend on more of it. Look at them, too, when n8n is upgraded:
 * - http/client.ts: n8n writes a renewed token into the credential that it is given, and sets its own signal.
 * - operations/index.ts, SignVerify.node.ts, operations/document/sendAndWait.ts (`@tool`): the forms of the
 *   variants for AI agents. wait/humanReview.ts: what n8n reads from the output of a review.
 * - operations/sendOnceKey.ts: the first entry of a list in the de-duplication store is an insertion.
 * - input/item.ts: what begins with "=" is an expression, also in a part of a parameter.
 * - events/request.ts, events/seen.ts: who has read the body, and that an answer ends with `response.end`.
 * - registrations/wait.ts: the resume URL ends with execution and node, and its parameters are signed.
 * - trigger/lifecycle.ts: the order of `delete` and `create`, their tries, and n8n's deadline for them. n8n
 *   brings back old static data, and copies it along with a workflow.
 * - credentials/: n8n asks for a token if the stored one is empty, and calls again after HTTP 401.
 * - http/messages.ts, http/errors.ts: how n8n wraps an error, and in which properties it looks for a code.
 * - http/errors.ts: the editor shows `context.descriptionTemplate` of an error in place of its description.
 * - http/download.ts: n8n does not store the URL of a file that has a name and a type.
 * - operations/failures.ts: an item whose only key is `error` leaves at the error output.
 */

/**
 * What every context of n8n has: the stored data of its execution, its node, and how all began. Those of a trigger
 * also have what n8n registered for its URL.
 */
interface Internals {
	webhookData?: { isTest?: boolean };
	runExecutionData?: IRunExecutionData | null;
	node?: Pick<INode, 'id' | 'credentials'>;
	additionalData?: {
		rootExecutionMode?: WorkflowExecuteMode;
		credentialsHelper?: {
			getCredentials(saved: object | undefined, type: string): Promise<ICredentials>;
		};
	};
}

/** On the entry of n8n's stack with which a node has begun to wait. */
const waitedMark = 'signVerifyWaited';

/**
 * Whether n8n has all that {@link waitAlone}, {@link passOnAtLimit} and {@link contextOfNode} need, and a
 * resume URL, whatever its types say. If not, nothing is sent.
 */
export function canKeepWait(execute: IExecuteFunctions): boolean {
	const { runExecutionData } = execute as Internals;
	const { node, data } = execute.getExecuteData();
	const hasUrl = (execute as Partial<IExecuteFunctions>).getSignedResumeUrl !== undefined;
	return hasUrl && isObject(runExecutionData?.executionData) && isObject(node) && isObject(data);
}

/** Whether n8n runs its variant of the node as a tool of AI agents, or as the human review of their tools. */
export function isVariant(context: { getNode(): INode }, variant: 'Tool' | 'HitlTool'): boolean {
	return context.getNode().type.endsWith(`.signVerify${variant}`);
}

/**
 * Lets an error of the node end the execution, whatever its setting On Error says. Otherwise, n8n would tell
 * the model of an AI agent that a person has refused the call.
 */
export function endExecutionOnError(execute: IExecuteFunctions): void {
	const entry = execute.getExecuteData();
	entry.node = { ...entry.node, onError: 'stopWorkflow', continueOnFail: false };
}

/**
 * Whether n8n's Engine 2.0 runs the execution: for that of n8n 2.41, a node that waits is done. Its contexts
 * have no signal for cancelling, but n8n plans to give them one. Its execution IDs are UUIDs; those of the
 * engine before it are numbers, or words for an execution that is not saved.
 */
export function isInEngine2(execute: IExecuteFunctions): boolean {
	if (!execute.getExecutionCancelSignal()) return true;
	return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(execute.getExecutionId());
}

/**
 * Gives the running entry of n8n's stack a node object of its own. When a wait ends, n8n disables the node of
 * its entry. If two branches lead to the node, another entry has the same object: its person would never be
 * asked.
 */
export function waitAlone(execute: IExecuteFunctions): void {
	const entry = execute.getExecuteData();
	entry.node = { ...entry.node };
}

/**
 * Sets what leaves the node if no event ends its wait. At the limit, and if a stopped wait is retried, n8n
 * runs no code of the node: it passes on the node's input, which it reads from this entry of its stack.
 */
export function passOnAtLimit(execute: IExecuteFunctions, item: INodeExecutionData): void {
	const entry = execute.getExecuteData();
	entry.data.main = [[item]];
	entry.metadata = { ...entry.metadata, [waitedMark]: true } as IDataObject;
}

/**
 * What n8n should have passed on. It runs the node again with an entry that has waited if it crashed while
 * it continued the execution, and a person retries it with the currently saved workflow. Without the mark,
 * the node would send again.
 * @returns undefined if the node has not yet waited with this entry.
 */
export function passedOn(execute: IExecuteFunctions): INodeExecutionData[] | undefined {
	const metadata = objectOf(execute.getExecuteData().metadata);
	return metadata[waitedMark] === true ? execute.getInputData() : undefined;
}

/**
 * The data that `execute()` has kept with `getContext('node')`, for `webhook()`. n8n offers an expression
 * for it, but a node's name may have characters that end an expression.
 * @returns undefined if n8n has not stored the execution. The event is then refused, to be sent again.
 */
export function contextOfNode(context: IWebhookFunctions): IDataObject | undefined {
	const { runExecutionData } = context as Internals;
	if (!isObject(runExecutionData?.executionData?.contextData)) return undefined;
	return objectOf(NodeHelpers.getContext(runExecutionData, 'node', context.getNode()));
}

/**
 * What {@link passOnAtLimit} has set, for `webhook()`. What the node needs for its output is thus stored once.
 * @returns undefined if n8n has not stored it.
 */
export function itemAtLimit(context: IWebhookFunctions): INodeExecutionData | undefined {
	const [entry] = (context as Internals).runExecutionData?.executionData?.nodeExecutionStack ?? [];
	return entry?.data.main?.[0]?.[0];
}

/** Whether {@link withNodeId} works. If not, a Send Once Key is refused before anything is sent. */
export function hasNodeId(execute: IExecuteFunctions): boolean {
	return typeof (execute as Internals).node?.id === 'string';
}

/**
 * Calls something of n8n that reads the node's ID before it first waits, such as its de-duplication store,
 * with another ID. Check {@link hasNodeId} before.
 */
export async function withNodeId<Value>(
	execute: IExecuteFunctions,
	id: string,
	call: () => Promise<Value>,
): Promise<Value> {
	const node = (execute as Internals).node as { id: string };
	const own = node.id;
	node.id = id;
	let answer: Promise<Value>;
	try {
		answer = call();
	} finally {
		node.id = own;
	}
	return await answer;
}

/**
 * How the execution was started; in a sub-workflow, how the first of its callers was.
 * @returns "integrated" if n8n does not know, as in a sub-workflow that has waited.
 */
export function rootModeOf(execute: IExecuteFunctions): WorkflowExecuteMode {
	const mode = execute.getMode();
	if (mode !== 'integrated') return mode;
	return (execute as Internals).additionalData?.rootExecutionMode ?? mode;
}

/**
 * The credential of the node as it is saved, with its expressions. n8n's interface gives their values for one
 * item.
 * @returns undefined if n8n does not give it. The values of all items are then compared.
 */
export async function savedCredential(
	execute: IExecuteFunctions,
	type: string,
): Promise<IDataObject | undefined> {
	const { node, additionalData } = execute as Internals;
	const credentials = await additionalData?.credentialsHelper?.getCredentials(
		node?.credentials?.[type],
		type,
	);
	return await credentials?.getData();
}

/** What a node's setting "Retry On Fail" asks for. */
export interface RetryOnFail {
	tries: number;
	/** Milliseconds between them. */
	pause: number;
}

/** The setting as n8n reads it: 2 to 5 tries, up to 5 seconds between. */
export function retryOnFailOf(node: INode | undefined): RetryOnFail | undefined {
	if (!node?.retryOnFail) return undefined;
	return {
		tries: Math.min(5, Math.max(2, node.maxTries || 3)),
		pause: Math.min(5000, Math.max(0, node.waitBetweenTries || 1000)),
	};
}

/**
 * Whether a trigger works for a person who tests it in the editor. n8n calls `delete` with the same mode after a test
 * and in production, so the mode tells them apart only in an n8n that does not say what it has registered.
 */
export function isTest(context: { getMode(): WorkflowExecuteMode }): boolean {
	return (context as Internals).webhookData?.isTest ?? context.getMode() === 'manual';
}

type Outputs = INodeExecutionData[][];

/**
 * By n8n's entry for one run of a node, and its input, which are the same objects in each of its tries. If they
 * were not, each try would send again. An AI agent calls a tool several times within one entry, also at once,
 * each time with another input.
 */
const runs = new WeakMap<object, Map<unknown, Promise<Outputs>>>();

/**
 * Does the work of a run of the node once. With Retry On Fail, n8n calls `execute()` again with the same
 * input, and every document would be sent again. The calls themselves retry what certainly did not happen
 * (http/request.ts), and n8n's further tries get the result of the first one.
 */
export async function oncePerRun(
	execute: IExecuteFunctions,
	work: () => Promise<Outputs>,
): Promise<Outputs> {
	const entry = execute.getExecuteData();
	const input = execute.getInputData()[0]?.json;
	const ofEntry = runs.get(entry) ?? new Map<unknown, Promise<Outputs>>();
	runs.set(entry, ofEntry);
	const ended = ofEntry.get(input) ?? work();
	ofEntry.set(input, ended);
	// n8n removes items from the lists that it gets.
	return (await ended).map((items) => [...items]);
}

/** Without the spelling by which n8n ends an execution as Canceled, and not as failed. */
export function notAsCanceled(message: string): string {
	return message.replaceAll('canceled', 'cancelled');
}
