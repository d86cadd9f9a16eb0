import type { N8nApi } from '../../../host/api';
import type { Execution } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import type { Sandbox } from '../../../sandbox';
import { names } from '../../e2e/composition/workflow';
import {
	answersSeen,
	counted,
	executionSeen,
	receiverOf,
	type ExecutionSeen,
	type Outcome,
} from './scenario';
import { triggerName } from './realWorkflows';

/** The workflows of a scenario, by their IDs; empty where there is none. */
export interface RealWorkflows {
	action: string;
	trigger: string;
}

/** Reads what a scenario has led to in a real n8n and at its service. */
export class RealView {
	/** Executions that n8n does not change any more. */
	private readonly over = new Map<string, Execution>();

	constructor(
		private readonly api: N8nApi,
		private readonly sandbox: Sandbox,
		private readonly workflows: RealWorkflows,
		private readonly posted: ReadonlyArray<[what: string, status: number | undefined]>,
	) {}

	/** The IDs of a workflow's executions, oldest first. */
	async executionIds(workflowId = this.workflows.action): Promise<string[]> {
		if (!workflowId) return [];
		const all = await this.api.executions({ workflowId, limit: 100 });
		return all.map(({ id }) => id).sort((one, other) => Number(one) - Number(other));
	}

	/** The outcome as it is now. */
	async outcome(): Promise<Outcome> {
		const { sandbox, workflows } = this;
		const ids = await this.executionIds();
		const own = this.created();
		const createdIds = own.map(({ id }) => id);
		const executions: ExecutionSeen[] = [];
		for (const id of ids) executions.push(seen(await this.execution(id), createdIds));
		const receiver = (url: string) => receiverOf(url, ids);
		return {
			executions,
			started: counted(await this.startedBy(workflows.trigger)),
			created: counted(own.map(({ kind, email }) => `${kind} for ${email}`)),
			registrations: counted(
				sandbox.webhooks().map(({ type, webHookUrl }) => `${type} of ${receiver(webHookUrl)}`),
			),
			answers: answersSeen([
				...sandbox.deliveries().flatMap(({ type, url, attempts }) =>
					attempts.map(({ status }): [string, number | undefined] => {
						return [`${type} to ${receiver(url)}`, status];
					}),
				),
				...this.posted,
			]),
		};
	}

	/** What the workflow's people got. */
	private created(): Array<Record<'kind' | 'email' | 'id', string>> {
		const documents = this.sandbox.documents().map(({ documentID: id, signatory }) => {
			return { kind: 'document', email: signatory[0]?.emailID ?? '', id };
		});
		const requests = this.sandbox.identityRequests().map(({ validationId: id, emailId: email }) => {
			return { kind: 'identity', email, id };
		});
		return [...documents, ...requests].filter(({ email }) => email.startsWith('w0-'));
	}

	private async startedBy(workflow: string): Promise<string[]> {
		const started: string[] = [];
		for (const id of await this.executionIds(workflow)) {
			const [item] = outputOf(await this.execution(id), triggerName);
			started.push(String(item?.json.event));
		}
		return started;
	}

	private async execution(id: string): Promise<Execution> {
		const known = this.over.get(id);
		if (known) return known;
		const execution = await this.api.execution(id);
		if (['success', 'error'].includes(execution.status)) this.over.set(id, execution);
		return execution;
	}
}

function seen({ status, runData, error }: Execution, createdIds: string[]): ExecutionSeen {
	const isRunning = status === 'running' || status === 'new';
	// The run that waits is not over: n8n replaces it.
	const runs = (runData[names.node] ?? []).filter((run) => run.executionStatus !== 'waiting');
	const outputs = runs.map(({ data }) => ({
		success: data?.main?.[0] ?? [],
		error: data?.main?.[1] ?? [],
	}));
	return executionSeen(isRunning ? 'running' : status, isRunning ? [] : outputs, error, createdIds);
}
