import { setTimeout as delay } from 'node:timers/promises';

import { ExecutionStatusList, type INodePropertyOptions } from 'n8n-workflow';

import { N8nApiError, N8nClient } from './apiClient';
import type {
	Credential,
	CredentialInput,
	CredentialTest,
	DataTableInput,
	DynamicParameterRequest,
	Execution,
	ExecutionFilter,
	ExecutionSummary,
	Owner,
	Workflow,
	WorkflowInput,
} from './apiTypes';
import { decodeExecution, isRunning, type RawExecution } from './executions';
import { waitUntilPublished, waitUntilUnpublished } from './publication';
import { versionOf } from './workflow';

/**
 * n8n sends a manual execution's progress to the editor window that has this ID. In this project, there is no
 * such window.
 */
const pushRef = 'signverify-host';
const pollMs = 100;
const executionTimeoutMs = 60_000;

/**
 * A client for the parts of n8n's REST API that the project uses. Each method does what a user would do in
 * the editor.
 * @throws N8nApiError (from any method) if n8n rejects the call or cannot be reached.
 */
export class N8nApi {
	private readonly client: N8nClient;

	/** @param url n8n's URL, without a trailing slash. */
	constructor(readonly url: string) {
		this.client = new N8nClient(url);
	}

	/** Whether n8n still needs an owner. This is the case after its first start in an empty folder. */
	async needsOwner(): Promise<boolean> {
		const settings = await this.client.call<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('GET', '/settings');
		return settings.userManagement.showSetupOnFirstLoad === true;
	}

	/** Creates the owner's account and logs in. This works only once per n8n instance. */
	async setupOwner(owner: Owner): Promise<void> {
		await this.client.call('POST', '/owner/setup', { body: owner });
	}

	/** Logs in. The session lasts a week. */
	async login({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.client.call('POST', '/login', { body: { emailOrLdapLoginId: email, password } });
	}

	/** Stores a credential. Its name must have 3 to 128 characters. */
	async createCredential(credential: CredentialInput): Promise<Credential> {
		return await this.client.call('POST', '/credentials', { body: credential });
	}

	async updateCredential(id: string, credential: CredentialInput): Promise<Credential> {
		return await this.client.call('PATCH', `/credentials/${id}`, { body: credential });
	}

	/** Returns all stored credentials, without their values. */
	async listCredentials(): Promise<Credential[]> {
		return await this.client.call('GET', '/credentials');
	}

	/**
	 * Runs a credential's test, as the editor does after saving.
	 * @param credential If it has an `id`, n8n tests the stored credential with that ID, but uses the values
	 * given here.
	 */
	async testCredential(credential: CredentialInput & { id?: string }): Promise<CredentialTest> {
		return await this.client.call('POST', '/credentials/test', {
			body: { credentials: { id: '', ...credential } },
		});
	}

	/**
	 * Stores a workflow without publishing it. If n8n accepts the workflow's own ID, the stored workflow has
	 * the same ID.
	 */
	async createWorkflow(workflow: WorkflowInput): Promise<Workflow> {
		const { id, name, nodes, connections, settings, pinData, tags } = workflow;
		return await this.client.call('POST', '/workflows', {
			body: {
				id,
				name,
				nodes,
				connections,
				settings: settings ?? {},
				pinData,
				tags,
				active: false,
			},
		});
	}

	async getWorkflow(id: string): Promise<Workflow> {
		return await this.client.call('GET', `/workflows/${id}`);
	}

	/** Changes a workflow. The published version doesn't change until {@link publish} is called. */
	async updateWorkflow(id: string, changes: Partial<WorkflowInput>): Promise<Workflow> {
		return await this.client.call('PATCH', `/workflows/${id}`, { body: changes });
	}

	/** Returns all workflows, including archived ones, without their nodes. */
	async listWorkflows(): Promise<Array<Pick<Workflow, 'id' | 'name' | 'active'>>> {
		return await this.client.call('GET', '/workflows');
	}

	/** Returns the ID of the tag with the given name. If there is no such tag, creates it. */
	async tag(name: string): Promise<string> {
		const tags = await this.client.call<Array<{ id: string; name: string }>>('GET', '/tags');
		const found = tags.find((tag) => tag.name === name);
		if (found) return found.id;
		return (await this.client.call<{ id: string }>('POST', '/tags', { body: { name } })).id;
	}

	/** Creates a data table for the owner, unless a table with the same name exists. */
	async dataTable(table: DataTableInput): Promise<void> {
		const project = await this.client.call<{ id: string }>('GET', '/projects/personal');
		const tables = `/projects/${project.id}/data-tables`;
		const filter = JSON.stringify({ name: table.name });
		const { data } = await this.client.call<{ data: Array<{ name: string }> }>('GET', tables, {
			query: { filter },
		});
		if (data.some(({ name }) => name === table.name)) return;
		await this.client.call('POST', tables, { body: table });
	}

	/** Unpublishes a workflow and deletes it permanently. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.client.call('POST', `/workflows/${id}/archive`, { body: {} });
		// n8n responds before it has finished unpublishing the archived workflow, and it refuses to delete a
		// workflow that is still published.
		await waitUntilUnpublished(this.client, id);
		await this.client.call('DELETE', `/workflows/${id}`);
	}

	/**
	 * Publishes a workflow and waits until its triggers' hooks have run.
	 * @param publishedVersion The ID of the version to publish. The default is the latest version.
	 * @throws N8nApiError with the reason for each trigger that could not be activated.
	 */
	async publish(id: string, publishedVersion?: string): Promise<void> {
		const versionId = publishedVersion ?? (await this.getWorkflow(id)).versionId;
		await this.client.call('POST', `/workflows/${id}/activate`, { body: { versionId } });
		await waitUntilPublished(this.client, id);
	}

	/** Unpublishes a workflow and waits until its triggers' hooks have run. */
	async unpublish(id: string): Promise<void> {
		await this.client.call('POST', `/workflows/${id}/deactivate`, { body: {} });
		await waitUntilUnpublished(this.client, id);
	}

	/**
	 * Runs a workflow manually.
	 * @param trigger The name of the trigger node to start from. The node must not need an event to start.
	 * @returns The ID of the execution, which may still be running.
	 */
	async run(id: string, trigger: string): Promise<string> {
		const { executionId } = await this.start(id, trigger);
		if (executionId) return executionId;
		throw new N8nApiError(`"${trigger}" waits for an event, so use listen() to test it.`);
	}

	/**
	 * Makes a webhook trigger wait up to 2 minutes for one test event.
	 * @param trigger The name of the trigger node.
	 */
	async listen(id: string, trigger: string): Promise<void> {
		const { waitingForWebhook } = await this.start(id, trigger);
		if (!waitingForWebhook) throw new N8nApiError(`"${trigger}" does not wait for an event.`);
	}

	/** Ends the wait that {@link listen} started, before an event has arrived. */
	async stopListening(id: string): Promise<void> {
		await this.client.call('DELETE', `/test-webhook/${id}`);
	}

	private async start(
		id: string,
		trigger: string,
	): Promise<{ executionId?: string; waitingForWebhook?: boolean }> {
		return await this.client.call('POST', `/workflows/${id}/run`, {
			body: { triggerToStartFrom: { name: trigger } },
			headers: { 'push-ref': pushRef },
		});
	}

	/** Returns an execution with its data, which may be incomplete while the execution is running. */
	async execution(id: string): Promise<Execution> {
		return await decodeExecution(await this.client.call<RawExecution>('GET', `/executions/${id}`));
	}

	/**
	 * Returns executions, newest first, without their data. The filter always lists statuses. Without
	 * statuses, n8n would query running executions separately from all others, and an execution that resumes
	 * between the two queries would be missing from both results.
	 */
	async executions({
		limit = 50,
		status = [...ExecutionStatusList],
		...filter
	}: ExecutionFilter = {}): Promise<ExecutionSummary[]> {
		const { results } = await this.client.call<{ results: ExecutionSummary[] }>(
			'GET',
			'/executions',
			{ query: { filter: JSON.stringify({ ...filter, status }), limit: String(limit) } },
		);
		return results;
	}

	/**
	 * Waits until an execution ends or gets the status `waiting`. An execution that ends in an error is
	 * returned like any other.
	 * @param timeoutMs The time limit. Defaults to 60000.
	 * @throws N8nApiError if the execution is still running when the time is up.
	 */
	async waitForExecution(id: string, timeoutMs = executionTimeoutMs): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(id);
			if (!isRunning(execution)) return execution;
			if (Date.now() > deadline) {
				throw new N8nApiError(`Execution ${id} is still running after ${timeoutMs / 1000} s.`);
			}
			await delay(pollMs);
		}
	}

	/** Returns the options that a drop-down list's `loadOptions` method loads. */
	async options(request: DynamicParameterRequest): Promise<INodePropertyOptions[]> {
		return await this.client.call('POST', '/dynamic-node-parameters/options', {
			body: {
				path: request.path,
				methodName: request.methodName,
				nodeTypeAndVersion: { name: request.nodeType, version: versionOf(request.nodeType) },
				currentNodeParameters: request.parameters,
				credentials: request.credentials,
			},
		});
	}
}
