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

export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	/** 8 to 64 characters, including an uppercase letter and a digit. */
	password: string;
}

export interface CredentialInput {
	name: string;
	/** The credential type's name, e.g. `signVerifyApi`. */
	type: string;
	/** The values in plain text. n8n encrypts them. */
	data: IDataObject;
}

/** A stored credential, without its values. */
export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** A workflow to store, in the format of n8n's exported files. */
export interface WorkflowInput {
	/** Needed only if other workflows refer to this one. By default, n8n generates an ID. */
	id?: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IDataObject;
	/** The IDs of the workflow's tags. */
	tags?: string[];
}

export interface Workflow extends WorkflowInput {
	id: string;
	/** Whether a version of the workflow is published. */
	active: boolean;
	/** The ID of the latest saved version, which may not be published. */
	versionId: string;
	/** The ID of the version that is published or about to be. */
	activeVersionId: string | null;
	activeVersion: Pick<WorkflowInput, 'nodes'> | null;
}

export interface DataTableInput {
	name: string;
	columns: Array<{ name: string; type: 'string' | 'number' | 'boolean' | 'date' }>;
}

/** The response of `GET /rest/workflows/:id/publication-status`. */
export interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	liveVersionId: string | null;
	pendingVersionId: string | null;
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	mode: WorkflowExecuteMode;
	workflowId: string;
	/** ISO 8601 */
	startedAt: string;
	/** ISO 8601; absent while the execution is running. */
	stoppedAt?: string;
	/** When the wait ends (ISO 8601), if the execution is waiting. */
	waitTill?: string | null;
}

export interface Execution extends ExecutionSummary {
	/** Each node's runs, in order. A node that did not run is missing. */
	runData: IRunData;
	lastNodeExecuted?: string | undefined;
	error?:
		| { message: string; description?: string | null | undefined; [key: string]: unknown }
		| undefined;
}

export interface ExecutionFilter {
	workflowId?: string;
	status?: ExecutionStatus[];
	/** The maximum number of executions, newest first. The default is 50. */
	limit?: number;
}

/** The editor's request for the entries of a list or the fields of a mapper in a node's form. */
export interface DynamicParameterRequest {
	/** For example `n8n-nodes-signverify.signVerify`. */
	nodeType: string;
	/** The name of the node's method, for example `searchTemplates`. */
	methodName: string;
	/** The path of the parameter, for example `parameters.templateId`. */
	path: string;
	parameters: INodeParameters;
	/** The credentials by type. */
	credentials?: Record<string, { id: string; name: string }>;
}
