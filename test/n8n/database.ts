import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteData,
	INode,
	INodeExecutionData,
	INodeParameters,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { ProcessedStore } from './processedStore';

export type NodeSettings = Partial<INode>;

/** A workflow with items, Loop Over Items (optional), and the action node. */
export interface ActionWorkflow {
	id: string;
	nodeId: string;
	parameters: INodeParameters;
	settings: NodeSettings;
	/** The batch size of Loop Over Items, or 0 if there is no loop. */
	batch: number;
	/** The number of branches that lead to the action node. The items are divided among them. */
	branches: number;
	/**
	 * The account of the node's credential. With `byItem`, the credential's fields are expressions that read
	 * the item.
	 */
	account: number | 'byItem';
	items: IDataObject[];
	/** The parameters of individual items, with the values that expressions would have returned. */
	perItem?: IDataObject[];
	/** The files of the first item. */
	binary?: IBinaryKeyData;
	/** The workflow's setting for the engine. By default, n8n's older engine runs the workflow. */
	engineType?: 'v2' | undefined;
}

/**
 * The trigger settings that a user can change. n8n compares them when the workflow is published again.
 */
export interface TriggerVersion {
	events: string[];
	/** The account of the trigger's credential. */
	account: number;
}

/** A workflow that begins with the trigger node, as n8n last published it. */
export interface TriggerWorkflow extends TriggerVersion {
	id: string;
	nodeId: string;
	webhookId: string;
	/** The version that is saved in the editor. */
	draft: TriggerVersion;
	/** Whether the trigger downloads a document's files. */
	files: boolean;
	/** The templates in its filter, if it has one. */
	templates?: string[];
	/** Whether n8n has a published version, even if its trigger could not be created. */
	isPublished: boolean;
	/** Whether n8n accepts events for the trigger. */
	active: boolean;
	staticData: IDataObject;
	/**
	 * The result of the last attempt to publish or unpublish the workflow; undefined if the attempt failed.
	 */
	became?: 'published' | 'unpublished' | undefined;
	/** Whether an execution of the workflow has overwritten newer static data with older data. */
	overwritten?: boolean;
	/**
	 * Whether n8n's process was killed while it published or unpublished the workflow. If so, unsaved changes
	 * are lost.
	 */
	cutOff?: boolean;
}

export type Status = 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';

/** One run of the action node within an execution: its input items, and the items of each output. */
export interface NodeRun {
	input: INodeExecutionData[];
	success: INodeExecutionData[];
	error: INodeExecutionData[];
}

export interface StackEntry extends IExecuteData {
	/** The original input items, because the node may replace the entry's input. */
	came: INodeExecutionData[];
}

/** The data that n8n stores for a running or waiting execution. */
export interface RunData {
	waitTill?: number;
	executionData: {
		contextData: Record<string, IDataObject>;
		nodeExecutionStack: StackEntry[];
	};
	/** The input items of the action node's current run. */
	input: INodeExecutionData[];
	runs: NodeRun[];
	/** Whether a node has returned output. If so, a retry clears the error that ended the execution. */
	hasOutput: boolean;
	loop: { rest: INodeExecutionData[]; done: INodeExecutionData[] } | undefined;
}

export interface Execution {
	id: string;
	workflow: ActionWorkflow;
	mode: WorkflowExecuteMode;
	status: Status;
	data: RunData;
	/**
	 * While the execution runs, the database still contains this data, as it was when a process began or
	 * continued the execution.
	 */
	begun: RunData | undefined;
	waitTill: number | undefined;
	/** When the execution last began to wait (ms since the epoch). */
	waitingSince: number;
	/** The stopped or failed execution that this one retries. */
	retryOf: string | undefined;
	/**
	 * Whether the execution was stopped while it waited. If so, a retry passes on the node's stored items.
	 */
	wasWaiting: boolean;
	/**
	 * The total number of webhooks that had been registered when a process last began or continued the
	 * execution.
	 */
	registeredBefore: number;
	/**
	 * A problem with the wait: n8n cannot make the execution wait, or it has not yet stored the wait's data.
	 */
	trouble?: 'cannotWait' | 'notWritten' | undefined;
	/** What ended each of the execution's waits. */
	endedWaits: Array<'event' | 'limit' | 'retry'>;
	error: Error | undefined;
	hints: NodeExecutionHint[];
}

export interface TriggeredExecution {
	workflowId: string;
	item: INodeExecutionData;
	at: number;
}

/** The database that all processes of one n8n share. */
export interface Database {
	executions: Map<string, Execution>;
	triggered: TriggeredExecution[];
	workflows: Map<string, ActionWorkflow>;
	triggers: Map<string, TriggerWorkflow>;
	processed: ProcessedStore;
	/** One credential for each account, and another credential whose account depends on the item. */
	credentials: Partial<Record<ActionWorkflow['account'], IDataObject>>;
	/**
	 * Faults for the next executions that triggers start, one per execution: n8n either fails to store the
	 * execution, or takes 12 seconds to store it.
	 */
	starts: Array<'refused' | 'slow'>;
}

/** Returns a copy, as the database does. An object that occurs twice in the value is copied only once. */
export function stored<Value>(value: Value): Value {
	return structuredClone(value);
}
