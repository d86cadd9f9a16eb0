import type { QueueStage } from '../../../host/queue/stage';
import { loggedIn } from '../../e2e/support/trigger';

/** "Retry" in n8n's list of executions. */
export async function retry(
	stage: QueueStage,
	executions: string[],
	noted: (execution: string) => void = () => undefined,
): Promise<void> {
	const client = await loggedIn(stage.url, stage.owner);
	for (const id of executions) {
		noted(id);
		await client.call('POST', `/executions/${id}/retry`, { body: { loadWorkflow: false } });
	}
}
