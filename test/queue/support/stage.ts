import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
	type QueueStage,
	type QueueStageOptions,
	raiseQueueStage,
} from '../../../host/queue/stage';
import { root } from '../../../scripts/tools';
import { createDocument, loggedIn, retry as retryOne } from '../../e2e/support/trigger';
import type { Sandbox } from '../../../sandbox';

/** Five processes of n8n and the migrations of a new database, on a machine that does other work. */
const startMs = 420_000;

/**
 * A queue-mode n8n with the package and a sandbox, for the tests of the calling file: on free ports
 * and an empty folder, with the onboarding workflows deactivated.
 */
export function useQueueStage(
	name: string,
	options: Omit<QueueStageOptions, 'folder' | 'log'> = {},
	onboarding?: 'with the onboarding',
): QueueStage {
	const folder = path.join(root, '.run', `queue-${name}`);
	const holder = {} as QueueStage;
	beforeAll(async () => {
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		Object.assign(holder, await raiseQueueStage({ folder, log: report, ...options }));
		if (onboarding) return;
		for (const id of Object.values(holder.workflows)) await holder.api.deactivate(id);
	}, startMs);
	afterAll(async () => {
		await holder.close?.();
		// QUEUE_KEEP=1 leaves logs and data to be looked at.
		if (!process.env.QUEUE_KEEP) await rm(folder, { recursive: true, force: true });
	}, startMs);
	return holder;
}

const began = Date.now();

/** Prints a line at once, with the seconds since the beginning: these tests take minutes. */
export function report(line: string): void {
	const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4);
	process.stdout.write(`${seconds} s  ${line}\n`);
}

/** n8n answers a "Retry" when the new execution waits or is over, but not always. */
const answerMs = 8000;

/** "Retry" in the list of executions, with the original workflow. */
export async function retry(
	{ url, owner }: Pick<QueueStage, 'url' | 'owner'>,
	executions: Array<{ id: string }>,
): Promise<void> {
	const client = await loggedIn(url, owner);
	for (const { id } of executions) {
		const answer = retryOne(client, id, false);
		// Whether there is a new execution, is for the check to say.
		await Promise.race([answer.catch(() => undefined), delay(answerMs)]);
	}
}

/**
 * Has the sandbox send one event to whoever registered for it.
 *
 * @returns makes notifications like that one, each of another document. The call that delivers it
 *   becomes the document's title: n8n's data then say which call an execution comes from, and a
 *   repeated event stays the same event, since its ID has nothing of the title.
 */
export async function genuine(
	sandbox: Sandbox,
): Promise<(documentID: string, call?: string) => unknown> {
	const [delivery] = await sandbox.fire('signDocument', await createDocument(sandbox));
	await sandbox.idle();
	const body = delivery?.body as { Document: object };
	return (documentID, call = `${documentID}.1`) => ({
		...body,
		Document: { ...body.Document, documentID, title: call },
	});
}
