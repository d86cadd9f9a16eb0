import { setTimeout as delay } from 'node:timers/promises';

import type { INodePropertyOptions } from 'n8n-workflow';

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

/** Names the (absent) editor window that n8n would push a manual run's progress to. */
const PUSH_REF = 'signverify-host';
const POLL_MS = 100;
const EXECUTION_TIMEOUT_MS = 60_000;

/**
 * n8n's REST interface, as far as the project drives it: what a person does in the editor.
 * Every method throws {@link N8nApiError} when n8n refuses or cannot be reached.
 */
export class N8nApi {
	private readonly client: N8nClient;

	/** @param url n8n's address, without a slash at the end */
	constructor(readonly url: string) {
		this.client = new N8nClient(url);
	}

	/** True while n8n has no owner yet: it was started on an empty folder. */
	async needsOwner(): Promise<boolean> {
		const settings = await this.client.call<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('GET', '/settings');
		return settings.userManagement.showSetupOnFirstLoad === true;
	}

	/** Creates the owner account and is logged in as it. Works once in an n8n's life. */
	async setupOwner(owner: Owner): Promise<void> {
		await this.client.call('POST', '/owner/setup', { body: owner });
	}

	/** Logs in; the session lasts a week. */
	async login({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.client.call('POST', '/login', { body: { emailOrLdapLoginId: email, password } });
	}

	/** Stores a credential; its name takes 3 to 128 characters. */
	async createCredential(credential: CredentialInput): Promise<Credential> {
		return await this.client.call('POST', '/credentials', { body: credential });
	}

	/** Replaces a stored credential's name and values. */
	async updateCredential(id: string, credential: CredentialInput): Promise<Credential> {
		return await this.client.call('PATCH', `/credentials/${id}`, { body: credential });
	}

	/** All stored credentials, without their values. */
	async listCredentials(): Promise<Credential[]> {
		return await this.client.call('GET', '/credentials');
	}

	/**
	 * Runs a credential's test, as the editor does after saving.
	 *
	 * @param credential with `id`: the stored one, with the values given here over its own
	 */
	async testCredential(credential: CredentialInput & { id?: string }): Promise<CredentialTest> {
		return await this.client.call('POST', '/credentials/test', {
			body: { credentials: { id: '', ...credential } },
		});
	}

	/** Stores a workflow, not active; under its own ID if it has one and n8n accepts that. */
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

	/** A workflow as it is stored. */
	async getWorkflow(id: string): Promise<Workflow> {
		return await this.client.call('GET', `/workflows/${id}`);
	}

	/** Changes a workflow. What is published stays as it was until {@link activate}. */
	async updateWorkflow(id: string, changes: Partial<WorkflowInput>): Promise<Workflow> {
		return await this.client.call('PATCH', `/workflows/${id}`, { body: changes });
	}

	/** All workflows, without their nodes. */
	async listWorkflows(): Promise<Array<Pick<Workflow, 'id' | 'name' | 'active'>>> {
		return await this.client.call('GET', '/workflows');
	}

	/** The ID of the tag with a name, which is made when it is missing. */
	async tag(name: string): Promise<string> {
		const tags = await this.client.call<Array<{ id: string; name: string }>>('GET', '/tags');
		const found = tags.find((tag) => tag.name === name);
		if (found) return found.id;
		return (await this.client.call<{ id: string }>('POST', '/tags', { body: { name } })).id;
	}

	/** Makes a data table of the owner, unless there is one of its name. */
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

	/** Deletes a workflow for good, deactivating it first. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.client.call('POST', `/workflows/${id}/archive`, { body: {} });
		// Archiving unpublishes, after its answer; until that is through n8n refuses to delete.
		await waitUntilUnpublished(this.client, id);
		await this.client.call('DELETE', `/workflows/${id}`);
	}

	/**
	 * Publishes a workflow as it now stands and waits until its triggers' hooks have run.
	 *
	 * @throws N8nApiError with the reason of each trigger that could not be activated
	 */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		await this.client.call('POST', `/workflows/${id}/activate`, { body: { versionId } });
		await waitUntilPublished(this.client, id);
	}

	/** Deactivates a workflow and waits until its triggers' hooks have run. */
	async deactivate(id: string): Promise<void> {
		await this.client.call('POST', `/workflows/${id}/deactivate`, { body: {} });
		await waitUntilUnpublished(this.client, id);
	}

	/**
	 * Runs a workflow by hand.
	 *
	 * @param trigger the name of the trigger node to start from, one that needs no event
	 * @returns the id of the execution, which goes on after this returns
	 */
	async run(id: string, trigger: string): Promise<string> {
		const { executionId } = await this.start(id, trigger);
		if (executionId) return executionId;
		throw new N8nApiError(`"${trigger}" waits for an event: use listen() to test it.`);
	}

	/**
	 * "Listen for test event": registers a webhook trigger for one event, at most 2 minutes.
	 *
	 * @param trigger the name of the trigger node
	 */
	async listen(id: string, trigger: string): Promise<void> {
		const { waitingForWebhook } = await this.start(id, trigger);
		if (!waitingForWebhook) throw new N8nApiError(`"${trigger}" does not wait for an event.`);
	}

	/** Ends {@link listen} without an event. */
	async stopListening(id: string): Promise<void> {
		await this.client.call('DELETE', `/test-webhook/${id}`);
	}

	private async start(
		id: string,
		trigger: string,
	): Promise<{ executionId?: string; waitingForWebhook?: boolean }> {
		return await this.client.call('POST', `/workflows/${id}/run`, {
			body: { triggerToStartFrom: { name: trigger } },
			headers: { 'push-ref': PUSH_REF },
		});
	}

	/** An execution with its data, which may still be incomplete while it runs. */
	async execution(id: string): Promise<Execution> {
		return await decodeExecution(await this.client.call<RawExecution>('GET', `/executions/${id}`));
	}

	/** Executions, newest first, without their data. */
	async executions({ limit = 50, ...filter }: ExecutionFilter = {}): Promise<ExecutionSummary[]> {
		const { results } = await this.client.call<{ results: ExecutionSummary[] }>(
			'GET',
			'/executions',
			{ query: { filter: JSON.stringify(filter), limit: String(limit) } },
		);
		return results;
	}

	/**
	 * Waits until an execution has ended, or waits for something outside (status `waiting`).
	 *
	 * @param timeoutMs in milliseconds, default 60000
	 * @throws N8nApiError when it still runs after that time; not when it ended in an error
	 */
	async waitForExecution(id: string, timeoutMs = EXECUTION_TIMEOUT_MS): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(id);
			if (!isRunning(execution)) return execution;
			if (Date.now() > deadline) {
				throw new N8nApiError(`Execution ${id} still runs after ${timeoutMs / 1000} s.`);
			}
			await delay(POLL_MS);
		}
	}

	/** The choices of a drop-down, from a `loadOptions` method. */
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
