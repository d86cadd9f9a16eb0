import { setTimeout as delay } from 'node:timers/promises';

import { N8nApiError, type N8nClient } from './apiClient';
import type { PublicationStatus, Workflow } from './apiTypes';

const pollMs = 100;
/** If a trigger fails, n8n calls its create() up to 5 times, with pauses that add up to 15 s. */
const timeoutMs = 90_000;
/**
 * How long after publishing or unpublishing n8n may keep reporting the previous version's final status.
 */
const settleMs = 3_000;

async function settledStatus(client: N8nClient, workflowId: string): Promise<PublicationStatus> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const status = await client.call<PublicationStatus>(
			'GET',
			`/workflows/${workflowId}/publication-status`,
		);
		if (status.status !== 'in_progress') return status;
		if (Date.now() > deadline) {
			throw new N8nApiError(
				`n8n was still working on workflow ${workflowId} after ${timeoutMs / 1000} s.`,
			);
		}
		await delay(pollMs);
	}
}

function explain(workflow: Workflow, status: PublicationStatus): string {
	const failures = status.triggers
		.filter((trigger) => trigger.status === 'failed')
		.map(({ nodeId, errorMessage }) => {
			const name = workflow.nodes.find((node) => node.id === nodeId)?.name ?? nodeId;
			return `"${name}": ${errorMessage ?? 'no reason given'}`;
		});
	return failures.join('; ') || "n8n didn't give a reason, so check its log";
}

/**
 * Waits until the published version is active. This is necessary because n8n responds to a call that
 * publishes before it has run any of the triggers' hooks.
 * @throws N8nApiError if publishing fails, with the reason for each trigger that failed.
 */
export async function waitUntilPublished(client: N8nClient, workflowId: string): Promise<void> {
	const deadline = Date.now() + settleMs;
	for (;;) {
		const status = await settledStatus(client, workflowId);
		const workflow = await client.call<Workflow>('GET', `/workflows/${workflowId}`);
		const isCurrent = status.liveVersionId === workflow.activeVersionId;
		if (status.status === 'published' && isCurrent) return;
		const hasFailed = status.status === 'failed' || status.status === 'partial';
		// n8n reports the previous version's status until the new version is active. If n8n gives up before
		// it reaches the triggers, that status never changes.
		if (hasFailed || Date.now() > deadline) {
			throw new N8nApiError(
				`Couldn't publish the workflow "${workflow.name}" (${status.status}). ${explain(workflow, status)}`,
			);
		}
		await delay(pollMs);
	}
}

/**
 * Waits until a workflow is no longer active. By then, all triggers' delete hooks have run, or n8n has given
 * up after three attempts. If n8n has given up, only its log shows the failure.
 * @throws N8nApiError if the workflow remains active.
 */
export async function waitUntilUnpublished(client: N8nClient, workflowId: string): Promise<void> {
	const deadline = Date.now() + settleMs;
	for (;;) {
		const { status } = await settledStatus(client, workflowId);
		if (status === 'not_published') return;
		if (Date.now() > deadline) {
			throw new N8nApiError(
				`Couldn't unpublish the workflow ${workflowId} (${status}). Check n8n's log for the reason.`,
			);
		}
		await delay(pollMs);
	}
}
