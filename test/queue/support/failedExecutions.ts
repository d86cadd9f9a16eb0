import { setTimeout as delay } from 'node:timers/promises';

import type { QueueStage } from '../../../host/queue/stage';
import { idsOfStatus } from './database';

const POLL_MS = 2000;
const failed = ['error', 'crashed'];

/**
 * Notes when the executions of a workflow were first seen as failed. n8n does not keep that moment:
 * when it recovers an execution from its log, it sets its end to the last sign of life.
 */
export class FailedExecutions {
	private readonly seenAt = new Map<string, number>();
	private readonly stopping = new AbortController();
	private readonly watching: Promise<void>;

	constructor(
		private readonly stage: QueueStage,
		private readonly workflowId: string,
	) {
		this.watching = this.watch();
	}

	/** When it was seen as failed: at most two seconds late, and a store's absence. */
	momentOf(execution: string): number {
		return this.seenAt.get(execution) ?? Date.now();
	}

	async stop(): Promise<void> {
		this.stopping.abort();
		await this.watching;
	}

	private async watch(): Promise<void> {
		const { signal } = this.stopping;
		while (!signal.aborted) {
			// The database is away at times: that is what the tests are about.
			const ids = await idsOfStatus(this.stage, this.workflowId, failed).catch(() => []);
			for (const id of ids) if (!this.seenAt.has(id)) this.seenAt.set(id, Date.now());
			await delay(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
		}
	}
}
