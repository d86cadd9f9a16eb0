import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import {
	raiseQueueStage,
	type QueueStage,
	type QueueStageOptions,
} from '../../../host/queue/stage';
import { root } from '../../../scripts/tools';

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
