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

import { remember } from './util/singleFlight';
import { parseUrl, withoutSlashes } from './util/urls';
import { isObject, objectOf } from './util/values';

/*
 * The functions in this file use parts of n8n that its node API doesn't guarantee. Each function's comment
 * explains what happens in n8n versions that lack its part. test/e2e/internals.nightly.test.ts tests every part.
 *
 * Other files also depend on behavior that n8n does not guarantee. There, the comment that describes the behavior
 * has the tag @n8n. Check all of them when you upgrade n8n: `grep -rn @n8n nodes credentials`.
 */

/**
 * The properties of n8n's contexts that this file uses. They are optional, because n8n's types do not
 * guarantee them.
 */
interface Internals {
	/** Exists only in a trigger's context. */
	webhookData?: { isTest?: boolean };
	runExecutionData?: IRunExecutionData | null;
	node?: Pick<INode, 'id' | 'credentials'>;
	additionalData?: {
		/** The address of n8n's endpoint for waiting executions, without a slash at the end. */
		webhookWaitingBaseUrl?: string;
		formBaseUrl?: string;
		mcpBaseUrl?: string;
		/** The addresses of other endpoints. n8n creates all of them from the same base URL. */
		webhookBaseUrl?: string;
		formWaitingBaseUrl?: string;
		restApiUrl?: string;
		/** The addresses of the endpoints for tests in the editor, which can have another base URL. */
		webhookTestBaseUrl?: string;
		formTestBaseUrl?: string;
		mcpTestBaseUrl?: string;
		rootExecutionMode?: WorkflowExecuteMode;
		/** The workflow as it was when the execution started: null means that it wasn't published. */
		hooks?: { workflowData?: { activeVersionId?: string | null } };
		credentialsHelper?: {
			getCredentials(saved: object | undefined, type: string): Promise<ICredentials>;
		};
	};
}

/**
 * The metadata key that marks an entry in n8n's stack once its node has begun to wait. The stack has one
 * entry for each unfinished node run.
 */
const waitedMark = 'signVerifyWaited';

/**
 * Whether the node can wait for an event in this version of n8n. This requires the function that returns the
 * resume URL (n8n's types guarantee it, but old versions lack it) and everything that
 * {@link signedResumeUrl}, {@link waitAlone}, {@link passOnAtLimit} and {@link contextOfNode} use. If this
 * returns false, the node must throw an error before sending anything.
 */
export function canKeepWait(context: IExecuteFunctions): boolean {
	const { runExecutionData } = context as Internals;
	const { node, data } = context.getExecuteData();
	const hasUrl = (context as Partial<IExecuteFunctions>).getSignedResumeUrl !== undefined;
	const hasAddresses = endpointsOf(context) !== undefined;
	const hasData = isObject(runExecutionData?.executionData) && isObject(node) && isObject(data);
	return hasUrl && hasAddresses && hasData;
}

/**
 * Whether n8n is running a variant of the node: `Tool` for an AI agent's tool, or `HitlTool` for the human
 * review of an agent's tool calls.
 */
export function isVariant(context: { getNode(): INode }, variant: 'Tool' | 'HitlTool'): boolean {
	return context.getNode().type.endsWith(`.signVerify${variant}`);
}

/**
 * Whether one of n8n's Agents (an area of its own in n8n) runs the node as its tool. Agents run a node without
 * a workflow around it, so the workflow that n8n passes has no ID.
 */
export function isToolOfAgents(context: IExecuteFunctions): boolean {
	return context.getMode() === 'internal' && !context.getWorkflow().id;
}

/** Whether an AI agent, or a client of n8n's MCP Server Trigger, is running the node as its tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return isVariant(context, 'Tool') || isToolOfAgents(context);
}

/**
 * Makes the node's next error end the execution, regardless of its On Error setting. In a human review, n8n
 * would otherwise tell the AI agent's model that a person refused the tool's call.
 */
export function endExecutionOnError(context: IExecuteFunctions): void {
	const entry = context.getExecuteData();
	entry.node = { ...entry.node, onError: 'stopWorkflow', continueOnFail: false };
}

/**
 * Whether n8n's Engine 2.0 is running the execution. A node must not wait there: in n8n 2.41, that engine
 * continues as if a waiting node had finished. Either of two signs identifies it: a context without a cancel
 * signal (n8n plans to add one), or an execution ID that is a UUID. The older engine's IDs are numbers, or
 * words if the execution isn't saved.
 */
export function isInEngine2(context: IExecuteFunctions): boolean {
	if (!context.getExecutionCancelSignal()) return true;
	return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(context.getExecutionId());
}

/**
 * Whether n8n keeps only an error's message, which must then also contain what to do, and what was already sent:
 * n8n passes nothing else to the model of an AI agent, and its Engine 2.0 stores nothing else.
 */
export function keepsOnlyMessages(context: IExecuteFunctions): boolean {
	return isTool(context) || isInEngine2(context);
}

/**
 * Replaces the node object of the running entry in n8n's stack with a copy. When a wait ends, n8n disables
 * the node object of the wait's entry. If two branches lead to this node, their two entries share one node
 * object. Without the copy, n8n would also disable the node for the second entry, and the second document
 * would never be sent.
 */
export function waitAlone(context: IExecuteFunctions): void {
	const entry = context.getExecuteData();
	entry.node = { ...entry.node };
}

/**
 * Sets the item that n8n outputs if no event ends the wait. When the time limit is reached, or a user retries
 * a stopped wait, n8n runs none of the node's code. It outputs the node's input, which it reads from this
 * entry in its stack.
 */
export function passOnAtLimit(context: IExecuteFunctions, item: INodeExecutionData): void {
	const entry = context.getExecuteData();
	entry.data.main = [[item]];
	entry.metadata = { ...entry.metadata, [waitedMark]: true } as IDataObject;
}

/**
 * Returns the items that n8n should have output after a wait. Normally, n8n doesn't run a node again after
 * its wait. The exception is when n8n crashes while continuing an execution, and a user then retries the
 * execution with the currently saved workflow. Such a run must output these items, because otherwise it would
 * send everything again.
 * @returns undefined if no wait has begun for this entry.
 */
export function itemsAfterWait(context: IExecuteFunctions): INodeExecutionData[] | undefined {
	const metadata = objectOf(context.getExecuteData().metadata);
	return metadata[waitedMark] === true ? context.getInputData() : undefined;
}

/**
 * Returns the data that `execute()` stored with `getContext('node')`, for use in `webhook()`. n8n offers an
 * expression for this data, but a node's name may contain characters that break an expression.
 * @returns undefined if n8n has not stored the execution yet. The caller then refuses the event so that the
 * service sends it again.
 */
export function contextOfNode(context: IWebhookFunctions): IDataObject | undefined {
	const { runExecutionData } = context as Internals;
	if (!isObject(runExecutionData?.executionData?.contextData)) return undefined;
	return objectOf(NodeHelpers.getContext(runExecutionData, 'node', context.getNode()));
}

/**
 * Returns the item that {@link passOnAtLimit} set, for use in `webhook()`. When an event ends the wait, everything
 * that its output includes of the sent item is copied from this one, so n8n stores it only once.
 * @returns undefined if n8n has not stored the item.
 */
export function itemAtLimit(context: IWebhookFunctions): INodeExecutionData | undefined {
	const [entry] = (context as Internals).runExecutionData?.executionData?.nodeExecutionStack ?? [];
	return entry?.data.main?.[0]?.[0];
}

/**
 * Returns the signed URL that continues the execution, with the given parameters. Check {@link canKeepWait}
 * first.
 *
 * If n8n's public URL has a path, such as https://example.com/n8n/, a proxy removes the path from each call.
 * n8n signs the URL with the path, but checks the signature without it, so it would refuse every call with
 * 401. So this function has n8n sign the URL without the path, and adds the path afterward.
 */
export function signedResumeUrl(
	context: IExecuteFunctions,
	parameters: Record<string, string> = {},
): string {
	const { additionalData } = context as Internals;
	const address = additionalData?.webhookWaitingBaseUrl;
	const { publicUrl = '' } = endpointsOf(context) ?? {};
	const path = withoutSlashes(parseUrl(publicUrl)?.pathname ?? '');
	if (!address || !path) return context.getSignedResumeUrl(parameters);
	const withoutPath = new URL(address);
	withoutPath.pathname = withoutPath.pathname.slice(path.length);
	// n8n reads the address before this call returns, so no other code sees the changed one.
	additionalData.webhookWaitingBaseUrl = withoutPath.href;
	let url: URL;
	try {
		url = new URL(context.getSignedResumeUrl(parameters));
	} finally {
		additionalData.webhookWaitingBaseUrl = address;
	}
	url.pathname = path + url.pathname;
	return url.href;
}

/** Where n8n receives calls, as in its settings. */
interface Endpoints {
	/** What n8n puts before the names of its endpoints, such as "https://example.com/n8n/". */
	publicUrl: string;
	/** The names of the endpoints at this URL that receive calls for webhooks, such as "webhook-waiting". */
	webhookNames: string[];
}

/**
 * Returns n8n's public URL, and the names of its endpoints for webhooks. Users can change the names, even to names with
 * slashes, so only all of the addresses together show what comes before the names.
 * @param isTest Whether a test in the editor is to receive the calls.
 * @returns undefined if n8n doesn't provide the addresses.
 */
export function endpointsOf(context: object, isTest = false): Endpoints | undefined {
	const {
		webhookWaitingBaseUrl,
		webhookBaseUrl,
		formWaitingBaseUrl,
		restApiUrl,
		formBaseUrl = restApiUrl,
		mcpBaseUrl = restApiUrl,
		webhookTestBaseUrl,
		formTestBaseUrl,
		mcpTestBaseUrl = formTestBaseUrl,
	} = (context as Internals).additionalData ?? {};
	const addresses = isTest
		? [webhookTestBaseUrl, formTestBaseUrl, mcpTestBaseUrl]
		: [
				webhookWaitingBaseUrl,
				webhookBaseUrl,
				formWaitingBaseUrl,
				restApiUrl,
				formBaseUrl,
				mcpBaseUrl,
			];
	const given = addresses.filter((address) => address !== undefined);
	if (given.length < addresses.length) return undefined;
	const parts = commonStart(given.map((address) => address.split('/')));
	const publicUrl = parts.map((part) => `${part}/`).join('');
	const ofWebhooks = [webhookWaitingBaseUrl, webhookBaseUrl, webhookTestBaseUrl];
	const webhookNames = ofWebhooks
		.filter((address) => address?.startsWith(publicUrl))
		.map((address = '') => address.slice(publicUrl.length));
	return { publicUrl, webhookNames };
}

/** Returns the parts with which all of the lists begin. */
function commonStart([first = [], ...others]: string[][]): string[] {
	const end = first.findIndex((part, index) => others.some((parts) => parts[index] !== part));
	return first.slice(0, Math.max(end, 0));
}

/**
 * Returns what this node has output so far in this execution. In a loop, n8n runs the node several times. If the node
 * is the tool of an AI agent, the current run is already there, with the model's values in place of an output.
 * @returns undefined if n8n does not provide the data of earlier runs.
 */
export function outputsOfEarlierRuns(context: IExecuteFunctions): IDataObject[] | undefined {
	const data: Partial<IRunExecutionData> = (context as Internals).runExecutionData ?? {};
	if (!isObject(data.resultData?.runData)) return undefined;
	const runs = data.resultData.runData[context.getNode().name] ?? [];
	const ended = runs.filter(({ executionStatus }) => executionStatus !== 'running');
	const branches = ended.flatMap(({ data }) => Object.values(data ?? {}).flat());
	return branches.flatMap((items) => items ?? []).map(({ json }) => json);
}

/**
 * Whether {@link withNodeId} works. If not, the caller must refuse a Send Once Key before sending anything.
 */
export function hasNodeId(context: IExecuteFunctions): boolean {
	return typeof (context as Internals).node?.id === 'string';
}

/**
 * Calls an n8n function as if the node had a different ID. This works only for functions that read the ID
 * before their first `await`, such as the functions of the de-duplication store. Check {@link hasNodeId}
 * first.
 */
export async function withNodeId<Value>(
	context: IExecuteFunctions,
	id: string,
	call: () => Promise<Value>,
): Promise<Value> {
	const node = (context as Internals).node as { id: string };
	const realId = node.id;
	node.id = id;
	let result: Promise<Value>;
	try {
		result = call();
	} finally {
		node.id = realId;
	}
	return await result;
}

/**
 * What each of n8n's execution modes says about whether an execution is a test run. docs/sending.md shows
 * users the same by how an execution was started.
 */
export const runPurposes = {
	manual: 'test',
	evaluation: 'test',
	// In this mode, n8n's Chat runs a workflow of its own for a model with tools, which is never published, and n8n's
	// MCP server runs a published workflow that starts with a chat. Chat itself runs such a workflow as `webhook`.
	chat: 'live if published',
	// In these modes, triggers and webhooks start published workflows, and n8n's AI Assistant tries out drafts.
	trigger: 'test if not published',
	webhook: 'test if not published',
	// n8n starts an error workflow even for a test, for example if it fails in a sub-workflow, or on Retry.
	error: 'as the failed execution',
	cli: 'live',
	// These two modes don't show what started the execution, so modeAtStart() looks further.
	retry: 'unknown',
	integrated: 'unknown',
	internal: 'unknown',
	// n8n 2.41.1 knows this mode, but doesn't use it.
	agent: 'unknown',
} as const satisfies Record<
	WorkflowExecuteMode,
	| 'test'
	| 'live'
	| 'live if published'
	| 'test if not published'
	| 'as the failed execution'
	| 'unknown'
>;

/** Whether an execution is a test run; "unknown" if n8n does not report it. */
type RunPurpose = 'test' | 'live' | 'unknown';

/** Returns whether the execution is a test run. In a sub-workflow, what counts is what started its caller. */
export function runPurposeOf(context: IExecuteFunctions): RunPurpose {
	if (isToolOfPublishedAgent(context)) return 'live';
	const mode = modeAtStart(context);
	// n8n tells neither a sub-workflow nor a retry whether the workflow was published at the start.
	const isPublished = mode === context.getMode() ? reportedAsPublished(context) : undefined;
	const purpose = purposeOfMode(mode);
	switch (purpose) {
		case 'live if published':
			if (isPublished === undefined) return 'unknown';
			return isPublished ? 'live' : 'test';
		case 'test if not published':
			// Almost all executions in these modes are live. So unless n8n reports that the workflow isn't
			// published, this one is live as well, or else a real document would go to the test recipient or to no one.
			return isPublished === false ? 'test' : 'live';
		case 'as the failed execution':
			return purposeOfFailedExecution(context);
		default:
			return purpose;
	}
}

/**
 * Returns the mode in which an execution began, which n8n stores with its data. On Retry, that is the mode of the
 * first try. In a sub-workflow, it is the mode of the outermost workflow, or, after a wait or on Retry, the mode in
 * which the direct caller began.
 * @returns A mode that {@link runPurposes} calls unknown if n8n didn't store it, as versions before 2.41 didn't.
 */
function modeAtStart(context: IExecuteFunctions): WorkflowExecuteMode {
	const { additionalData, runExecutionData } = context as Internals;
	const mode = context.getMode();
	const { source } = runExecutionData?.executionData?.runtimeData ?? {};
	const ownMode = mode === 'retry' ? (source ?? mode) : mode;
	if (ownMode !== 'integrated') return ownMode;
	const { rootExecutionMode } = additionalData ?? {};
	const isRootKnown = rootExecutionMode !== undefined && rootExecutionMode !== 'retry';
	if (isRootKnown && mode !== 'retry') return rootExecutionMode;
	return runExecutionData?.parentExecution?.executionContext?.source ?? ownMode;
}

/** Returns whether the execution for which n8n started an error workflow was a test run. */
function purposeOfFailedExecution(context: IExecuteFunctions): RunPurpose {
	const { parentExecution } = (context as Internals).runExecutionData ?? {};
	// If a published workflow's trigger fails to start, there is no execution.
	if (!parentExecution) return 'live';
	const { source, triggerNode } = parentExecution.executionContext ?? {};
	switch (source) {
		case 'manual':
		case 'evaluation':
			return 'test';
		case 'trigger':
		case 'webhook':
			return 'live';
		case 'integrated':
			// A sub-workflow inherits its caller's trigger. Only a manual trigger shows what started it, because n8n says
			// the same of a published workflow and of a test with any other trigger.
			return triggerNode?.type === 'n8n-nodes-base.manualTrigger' ? 'test' : 'unknown';
		default:
			return 'unknown';
	}
}

/** Whether one of n8n's Agents that is published runs the workflow as its tool. A draft's mode is `manual`. */
function isToolOfPublishedAgent(context: IExecuteFunctions): boolean {
	const { parentAgentRun, parentExecution } = (context as Internals).runExecutionData ?? {};
	const isTool = parentAgentRun !== undefined && parentExecution === undefined;
	return isTool && context.getMode() === 'integrated';
}

/**
 * Whether the workflow was published when the execution started. `getWorkflow().active` doesn't tell: it is
 * also false in the workers of queue mode and in Engine 2.0, and true after a wait.
 * @returns undefined if n8n doesn't report it. It isn't among the data that workers get.
 */
function reportedAsPublished(context: IExecuteFunctions): boolean | undefined {
	const { activeVersionId } = (context as Internals).additionalData?.hooks?.workflowData ?? {};
	return activeVersionId === undefined ? undefined : activeVersionId !== null;
}

/** A newer n8n may have modes that the table doesn't contain. */
function purposeOfMode(mode: WorkflowExecuteMode): (typeof runPurposes)[WorkflowExecuteMode] {
	const purposes: Partial<typeof runPurposes> = runPurposes;
	return purposes[mode] ?? 'unknown';
}

/**
 * Loads the node's credential as saved, with its expressions. n8n's own function would replace the
 * expressions with their values for a single item.
 * @param type The name of the credential type.
 * @returns undefined if n8n does not return the credential.
 */
export async function savedCredential(
	context: IExecuteFunctions,
	type: string,
): Promise<IDataObject | undefined> {
	const { node, additionalData } = context as Internals;
	const credentials = await additionalData?.credentialsHelper?.getCredentials(
		node?.credentials?.[type],
		type,
	);
	return await credentials?.getData();
}

/**
 * Whether the trigger is running for a test in the editor. The mode is only a fallback for n8n versions
 * without `webhookData`, because n8n uses the same mode for `delete` after a test as in production.
 */
export function isTriggerTest(context: { getMode(): WorkflowExecuteMode }): boolean {
	return (context as Internals).webhookData?.isTest ?? purposeOfMode(context.getMode()) === 'test';
}

type Outputs = INodeExecutionData[][];

/**
 * A node's runs, keyed first by n8n's stack entry for the run and then by the first input item. n8n passes
 * the same two objects for every retry of a run. If a future version of n8n passed copies, every retry would
 * send the document again. The input is part of the key because an AI agent calls a tool several times within
 * one entry, even in parallel, each time with a different input.
 */
const outputsByRun = new WeakMap<object, Map<unknown, Promise<Outputs>>>();

/**
 * Does a node's work only once per run. With Retry On Fail, n8n calls `execute()` again with the same input,
 * which would send every document again. To prevent this, later tries return the first try's result.
 */
export async function oncePerRun(
	context: IExecuteFunctions,
	work: () => Promise<Outputs>,
): Promise<Outputs> {
	const entry = context.getExecuteData();
	const firstInput = context.getInputData()[0]?.json;
	const runs = remember(outputsByRun, entry, () => new Map<unknown, Promise<Outputs>>());
	const outputs = await remember(runs, firstInput, work);
	// Return a new list every time, because n8n removes items from the lists that a node returns.
	return outputs.map((items) => [...items]);
}

/**
 * Changes "canceled" to "cancelled" in an error message. If the message contained "canceled", n8n would mark
 * the execution as Canceled instead of Failed.
 */
export function notAsCanceled(message: string): string {
	return message.replaceAll('canceled', 'cancelled');
}
