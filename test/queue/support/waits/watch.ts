import { setTimeout as delay } from 'node:timers/promises';

import type { QueueStage } from '../../../../host/queue/stage';
import type { Delivery } from '../../../../sandbox/types';
import { idsOfStatus } from '../database';
import type { History } from '../history/history';

const REGISTRATIONS_MS = 100;
const OTHERS_MS = 1000;
/** The URL of a waiting execution. The rest of it is a secret, and does not go into the history. */
const waitingUrl = /\/webhook-waiting\/(\d+)\//;

/** The execution whose URL a registration has; undefined where it is not of a wait. */
export function executionOf(url: string): string | undefined {
	return waitingUrl.exec(url)?.[1];
}

/** Notes what the service holds and delivers for waits, and what n8n shows as waiting. */
export class WaitWatch {
	private readonly registered = new Set<string>();
	private readonly documents = new Map<string, string>();
	private readonly attempts = new Map<string, number>();
	private waiting = new Set<string>();
	private isStopping = false;
	private readonly watching: Promise<unknown>;

	constructor(
		private readonly stage: QueueStage,
		private readonly history: History,
		private readonly workflowIds: string[],
	) {
		this.watching = Promise.all([
			this.repeat(REGISTRATIONS_MS, () => this.lookAtRegistrations()),
			this.repeat(OTHERS_MS, () => this.lookAtDeliveries()),
			// The database is away at times: that is what the test is about.
			this.repeat(OTHERS_MS, () => this.lookAtWaiting().catch(() => undefined)),
		]);
	}

	async stop(): Promise<void> {
		this.isStopping = true;
		await this.watching;
	}

	private async repeat(everyMs: number, look: () => void | Promise<void>): Promise<void> {
		for (let isLast = false; !isLast;) {
			isLast = this.isStopping;
			await look();
			if (!isLast) await delay(everyMs);
		}
	}

	private lookAtRegistrations(): void {
		const now = new Set<string>();
		for (const { webHookID, webHookUrl, ...rest } of this.stage.sandbox.webhooks()) {
			const execution = executionOf(webHookUrl);
			if (execution === undefined) continue;
			now.add(webHookID);
			if (this.registered.has(webHookID)) continue;
			this.registered.add(webHookID);
			const at = 'addedOn' in rest ? rest.addedOn : Date.now();
			this.history.note({ type: 'registered', at, registration: webHookID, execution });
		}
		for (const registration of this.registered) {
			if (now.has(registration)) continue;
			this.registered.delete(registration);
			this.history.note({ type: 'removed', registration });
		}
	}

	private lookAtDeliveries(): void {
		for (const delivery of this.stage.sandbox.deliveries()) {
			const { id, url, type, webHookID: registration, attempts } = delivery;
			if (type !== 'completedDocument' || executionOf(url) === undefined) continue;
			const known = this.attempts.get(id) ?? 0;
			this.attempts.set(id, attempts.length);
			for (const { at, durationMs, status, error } of attempts.slice(known)) {
				// What the service did not send is no delivery.
				if (durationMs === 0 && status === undefined) continue;
				const document = this.documentOf(delivery);
				const rest = { answeredAt: at + durationMs, status: status ?? error ?? 'no answer' };
				this.history.note({ type: 'delivery', at, registration, document, ...rest });
			}
		}
	}

	/** Bodies are long, so each is read once. */
	private documentOf(delivery: Delivery): string {
		const known = this.documents.get(delivery.id);
		if (known !== undefined) return known;
		const { Document: document } = delivery.body as { Document: { documentID: string } };
		this.documents.set(delivery.id, document.documentID);
		return document.documentID;
	}

	private async lookAtWaiting(): Promise<void> {
		const at = Date.now();
		const lists = this.workflowIds.map((id) => idsOfStatus(this.stage, id, ['waiting']));
		const now = new Set((await Promise.all(lists)).flat());
		for (const execution of now) {
			if (!this.waiting.has(execution)) this.history.note({ type: 'waiting', at, execution });
		}
		this.waiting = now;
	}
}
