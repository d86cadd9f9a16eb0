import { setTimeout as delay } from 'node:timers/promises';

import { N8nApiError, type N8nClient } from './apiClient';
import type { PublicationStatus, Workflow } from './apiTypes';

const POLL_MS = 100;
/** n8n tries a trigger's create() 5 times, with 15 s of waiting in all. */
const TIMEOUT_MS = 90_000;
/** How long a settled status may still be that of the version before. */
const SETTLE_MS = 3_000;

async function settledStatus(client: N8nClient, workflowId: string): Promise<PublicationStatus> {
	const deadline = Date.now() + TIMEOUT_MS;
	for (;;) {
		const status = await client.call<PublicationStatus>(
			'GET',
			`/workflows/${workflowId}/publication-status`,
		);
		if (status.status !== 'in_progress') return status;
		if (Date.now() > deadline) {
			throw new N8nApiError(
				`n8n was still working on workflow ${workflowId} after ${TIMEOUT_MS / 1000} s.`,
			);
		}
		await delay(POLL_MS);
	}
}

function explain(workflow: Workflow, status: PublicationStatus): string {
	const failures = status.triggers
		.filter((trigger) => trigger.status === 'failed')
		.map(({ nodeId, errorMessage }) => {
			const name = workflow.nodes.find((node) => node.id === nodeId)?.name ?? nodeId;
			return `"${name}": ${errorMessage ?? 'no reason given'}`;
		});
	return failures.join('; ') || 'n8n gives no reason here; its log holds one';
}

/**
 * Waits until the version that n8n was told to publish is live: every trigger's hooks have run.
 * The call that activates a workflow is answered before any of them.
 *
 * @throws N8nApiError with each trigger's reason when publication failed
 */
export async function waitUntilPublished(client: N8nClient, workflowId: string): Promise<void> {
	const deadline = Date.now() + SETTLE_MS;
	for (;;) {
		const status = await settledStatus(client, workflowId);
		const workflow = await client.call<Workflow>('GET', `/workflows/${workflowId}`);
		const isCurrent = status.liveVersionId === workflow.activeVersionId;
		if (status.status === 'published' && isCurrent) return;
		const hasFailed = status.status === 'failed' || status.status === 'partial';
		// Rows of the version before stay until the new one is through, or for good where n8n
		// gave up on it before it came to the triggers.
		if (hasFailed || Date.now() > deadline) {
			throw new N8nApiError(
				`Workflow "${workflow.name}" was not activated (${status.status}). ${explain(workflow, status)}`,
			);
		}
		await delay(POLL_MS);
	}
}

/**
 * Waits until nothing of a workflow is live any more: every trigger's delete hook has run, or
 * n8n has given up on it (three attempts; it then says so only in its log).
 *
 * @throws N8nApiError when it is still live after that
 */
export async function waitUntilUnpublished(client: N8nClient, workflowId: string): Promise<void> {
	const deadline = Date.now() + SETTLE_MS;
	for (;;) {
		const { status } = await settledStatus(client, workflowId);
		if (status === 'not_published') return;
		if (Date.now() > deadline) {
			throw new N8nApiError(
				`Workflow ${workflowId} was not deactivated (${status}); n8n's log holds the reason.`,
			);
		}
		await delay(POLL_MS);
	}
}
