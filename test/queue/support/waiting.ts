import { outputOf } from '../../../host/executions';
import type { QueueStage } from '../../../host/queue/stage';
import { post } from '../../e2e/support/http';
import { until } from '../../e2e/support/stage';
import { credentialId } from '../../e2e/support/trigger';
import { ended, nextName, sendAndWait, signAll, waitingWorkflow } from '../../e2e/support/wait';

/** An execution that waits for documents of its own. */
export interface Waiting {
	execution: string;
	documents: string[];
}

/** Workflows of document / sendAndWait, started by a call from outside, so that workers run them. */
export class WaitingExecutions {
	private constructor(
		private readonly stage: QueueStage,
		private readonly id: string,
		private readonly path: string,
		private readonly items: number,
	) {}

	/** @param items how many documents each execution waits for */
	static async publish(stage: QueueStage, items: number): Promise<WaitingExecutions> {
		const { workflow, path } = waitingWorkflow(
			`Waits for ${items}`,
			sendAndWait(stage.sandbox),
			await credentialId(stage.api),
			items,
		);
		const { id } = await stage.api.createWorkflow(workflow);
		await stage.api.activate(id);
		return new WaitingExecutions(stage, id, path, items);
	}

	/** Starts one, and gives it when it waits. */
	async start(): Promise<Waiting> {
		const { api, sandbox, url } = this.stage;
		const before = new Set((await this.all()).map(({ id }) => id));
		expect(await post(`${url}/webhook/${this.path}`, {})).toBe(200);
		const execution = await until(
			'it waits',
			async () =>
				(await this.all()).find((each) => !before.has(each.id) && each.status === 'waiting')?.id,
			60_000,
		);
		expect((await api.execution(execution)).error).toBeUndefined();
		const documents = sandbox.documents().slice(-this.items);
		return { execution, documents: documents.map(({ documentID }) => documentID) };
	}

	/** Everybody signs an execution's documents, one document after another. */
	async sign({ documents }: Waiting): Promise<void> {
		for (const each of documents) await signAll(this.stage.sandbox, each);
	}

	/** How the execution ended, and the documents that it went on with, in their order. */
	async outcome({ execution }: Waiting): Promise<{ status: string; documents: unknown[] }> {
		const done = await ended(this.stage.api, execution, 150_000);
		const documents = outputOf(done, nextName).map(({ json }) => json.documentId);
		return { status: done.status, documents };
	}

	/** How many executions there are of it. */
	async count(): Promise<number> {
		return (await this.all()).length;
	}

	private async all() {
		return await this.stage.api.executions({ workflowId: this.id, limit: 100 });
	}
}
