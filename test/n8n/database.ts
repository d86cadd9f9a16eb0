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

/** The settings of the action node. */
export type NodeSettings = Partial<INode>;

/** A workflow: its items, maybe Loop Over Items, the action node. */
export interface ActionWorkflow {
	id: string;
	nodeId: string;
	parameters: INodeParameters;
	settings: NodeSettings;
	/** Batch size of Loop Over Items; 0 for no loop. */
	batch: number;
	/** How many branches lead to the action node: each brings a part of the items. */
	branches: number;
	/** The account of its credential; `byItem`: the credential's fields are expressions of the item. */
	account: number | 'byItem';
	items: IDataObject[];
	/** Parameters of single items, as expressions would give them. */
	perItem?: IDataObject[];
	/** Files that the first item has. */
	binary?: IBinaryKeyData;
}

/** What a person changes of a trigger, and n8n compares when its workflow is published again. */
export interface TriggerVersion {
	events: string[];
	/** The account of its credential. */
	account: number;
}

/** A workflow that begins with the trigger node, as n8n has published it last. */
export interface TriggerWorkflow extends TriggerVersion {
	id: string;
	nodeId: string;
	webhookId: string;
	/** As it is saved in the editor. */
	draft: TriggerVersion;
	/** Whether it takes the files of a document. */
	files: boolean;
	/** The templates that it is filtered by, if it is. */
	templates?: string[];
	/** Whether n8n has a published version of it: also if its trigger could not be created. */
	isPublished: boolean;
	/** Whether n8n takes events for it. */
	active: boolean;
	staticData: IDataObject;
	/** What the last attempt to publish or unpublish it came to; undefined if it failed or was cut off. */
	became?: 'published' | 'unpublished' | undefined;
	/** Whether an execution of the workflow has put older static data in the place of newer. */
	overwritten?: boolean;
	/** Whether its process was killed while it published or unpublished, so that it lost what it did. */
	cutOff?: boolean;
}

export type Status = 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';

/** One run of the action node within an execution: what came in, what left by which output. */
export interface NodeRun {
	input: INodeExecutionData[];
	success: INodeExecutionData[];
	error: INodeExecutionData[];
}

/** An entry of n8n's stack. */
export interface StackEntry extends IExecuteData {
	/** What came in: the node may put something else in its place. */
	came: INodeExecutionData[];
}

/** What n8n keeps of a running or waiting execution. */
export interface RunData {
	waitTill?: number;
	executionData: {
		contextData: Record<string, IDataObject>;
		nodeExecutionStack: StackEntry[];
	};
	/** What came in for the run of the action node that is under way. */
	input: INodeExecutionData[];
	runs: NodeRun[];
	/** Whether a node has output something: n8n then forgets, for a retry, what ended it before. */
	hasOutput: boolean;
	/** Of Loop Over Items. */
	loop: { rest: INodeExecutionData[]; done: INodeExecutionData[] } | undefined;
}

/** An execution of an action workflow. */
export interface Execution {
	id: string;
	workflow: ActionWorkflow;
	mode: WorkflowExecuteMode;
	status: Status;
	data: RunData;
	/** What the database has of it while it runs: as it was when a process began or continued it. */
	begun: RunData | undefined;
	waitTill: number | undefined;
	/** When it began to wait last (epoch-ms). */
	waitingSince: number;
	/** The execution that was stopped and of which this is the retry. */
	retryOf: string | undefined;
	/** Whether it was stopped while it waited: its retry then passes on what the node has put there. */
	wasWaiting: boolean;
	/** How many webhooks had been registered when a process began or continued it last. */
	registeredBefore: number;
	/** Whether n8n fails to put it to wait, or has not written yet what it waits with. */
	trouble?: 'cannotWait' | 'notWritten' | undefined;
	/** What ended its waits. */
	endedWaits: Array<'event' | 'limit' | 'retry'>;
	error: Error | undefined;
	hints: NodeExecutionHint[];
}

/** An execution that a trigger has started. */
export interface TriggeredExecution {
	workflowId: string;
	item: INodeExecutionData;
	at: number;
}

/** What all processes of one n8n share. */
export interface Database {
	executions: Map<string, Execution>;
	triggered: TriggeredExecution[];
	workflows: Map<string, ActionWorkflow>;
	triggers: Map<string, TriggerWorkflow>;
	processed: ProcessedStore;
	/** One for each account, and one whose account is that of the item. */
	credentials: Partial<Record<ActionWorkflow['account'], IDataObject>>;
	/** What becomes of the next executions that triggers start: not stored, or after 12 seconds. */
	starts: Array<'refused' | 'slow'>;
}

/** What goes to the database and comes back is a copy; what it shares within itself stays shared. */
export function stored<Value>(value: Value): Value {
	return structuredClone(value);
}
