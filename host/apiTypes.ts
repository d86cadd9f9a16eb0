import type {
	IConnections,
	IDataObject,
	INode,
	INodeParameters,
	IRunData,
	IWorkflowSettings,
	ExecutionStatus,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** The account that owns an n8n. */
export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	/** 8 to 64 characters, with a capital letter and a digit. */
	password: string;
}

/** A credential to be stored or tested. */
export interface CredentialInput {
	name: string;
	/** The credential type's name, e.g. `signVerifyApi`. */
	type: string;
	/** Plain values; n8n encrypts them. */
	data: IDataObject;
}

/** A stored credential, without its values. */
export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** What n8n says of a credential that it tried. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** A workflow to be stored; the shape of an exported file fits. */
export interface WorkflowInput {
	/** For a workflow that others name; n8n makes one up otherwise. */
	id?: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IDataObject;
	/** IDs of tags. */
	tags?: string[];
}

/** A stored workflow. */
export interface Workflow extends WorkflowInput {
	id: string;
	/** True while a version of it is published. */
	active: boolean;
	/** The version as edited. */
	versionId: string;
	/** The version that is published, or to be published. */
	activeVersionId: string | null;
}

/** A data table of n8n to be made. */
export interface DataTableInput {
	name: string;
	columns: Array<{ name: string; type: 'string' | 'number' | 'boolean' | 'date' }>;
}

/** What `GET /rest/workflows/:id/publication-status` says. */
export interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	liveVersionId: string | null;
	pendingVersionId: string | null;
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** One line of the list of executions. */
export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	mode: WorkflowExecuteMode;
	workflowId: string;
	/** ISO 8601 */
	startedAt: string;
	/** ISO 8601; absent while it runs. */
	stoppedAt?: string;
	/** ISO 8601, while it waits. */
	waitTill?: string | null;
}

/** An execution with its data. */
export interface Execution extends ExecutionSummary {
	/** What each node did, in the order of its runs; a node that did not run is absent. */
	runData: IRunData;
	/** The node that ran last. */
	lastNodeExecuted?: string;
	/** What ended the execution, when something did. */
	error?: { message: string; description?: string | null; [key: string]: unknown };
}

/** Which executions to list. */
export interface ExecutionFilter {
	workflowId?: string;
	status?: ExecutionStatus[];
	/** At most this many, newest first. Default 50. */
	limit?: number;
}

/** A node as the editor describes it when it asks for a list or for mapped fields. */
export interface DynamicParameterRequest {
	/** e.g. `n8n-nodes-signverify.signVerify` */
	nodeType: string;
	/** The node's method, e.g. `searchTemplates`. */
	methodName: string;
	/** The parameter that is asked for, e.g. `parameters.templateId`. */
	path: string;
	/** The node's parameters as they stand. */
	parameters: INodeParameters;
	/** By credential type. */
	credentials?: Record<string, { id: string; name: string }>;
}
