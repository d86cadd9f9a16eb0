import { setTimeout as delay } from 'node:timers/promises';

import type { QueueStage } from '../../../host/queue/stage';
import { loggedIn } from '../../e2e/support/trigger';

/** n8n answers a "Retry" when the new execution waits or is over, but not always. */
const answerMs = 8000;

/** "Retry" in the list of executions, with the original workflow. */
export async function retry(
	{ url, owner }: Pick<QueueStage, 'url' | 'owner'>,
	executions: Array<{ id: string }>,
): Promise<void> {
	const client = await loggedIn(url, owner);
	for (const { id } of executions) {
		const answer = client.call('POST', `/executions/${id}/retry`, {
			body: { loadWorkflow: false },
		});
		// Whether there is a new execution, is for the check to say.
		await Promise.race([answer.catch(() => undefined), delay(answerMs)]);
	}
}
