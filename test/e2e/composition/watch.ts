import { setTimeout as delay } from 'node:timers/promises';

import type { N8nApi } from '../../../host/api';
import type { Execution } from '../../../host/apiTypes';
import { isRunning } from '../../../host/executions';
import { waitMs } from '../../support/until';

const interval = 120;

interface Watcher {
	id: string;
	alsoWaiting: boolean;
	deadline: number;
	resolve(): void;
	reject(error: Error): void;
}

/**
 * Tells when executions are through. One question to n8n serves all: to ask for each of them would
 * keep n8n busier than the executions do.
 */
export class ExecutionWatch {
	private watchers: Watcher[] = [];
	private asking = false;
	private closed = false;

	constructor(private readonly api: N8nApi) {}

	/**
	 * Waits until an execution waits or has ended.
	 * @throws Error when it still runs after the time.
	 */
	async settled(id: string): Promise<Execution> {
		return await this.whole(id, false, Date.now() + waitMs);
	}

	/**
	 * Waits until an execution has ended.
	 * @throws Error when it still runs or waits after the time.
	 */
	async ended(id: string): Promise<Execution> {
		return await this.whole(id, true, Date.now() + waitMs);
	}

	/** Ends all of it. */
	close(): void {
		this.closed = true;
	}

	private async whole(id: string, alsoWaiting: boolean, deadline: number): Promise<Execution> {
		for (;;) {
			await new Promise<void>((resolve, reject) => {
				this.watchers.push({ id, alsoWaiting, deadline, resolve, reject });
				void this.ask();
			});
			const execution = await this.api.execution(id);
			if (!isRunning(execution) && !(alsoWaiting && execution.status === 'waiting'))
				return execution;
			if (Date.now() > deadline) throw new Error(`Execution ${id} is not through in time.`);
			await delay(interval);
		}
	}

	private async ask(): Promise<void> {
		if (this.asking) return;
		this.asking = true;
		while (this.watchers.length > 0 && !this.closed) {
			await delay(interval);
			const asked = this.watchers;
			try {
				const status = ['new', 'running', 'waiting'] as const;
				const open = await this.api.executions({ status: [...status], limit: 100 });
				const statusOf = new Map(open.map((each) => [each.id, each.status]));
				for (const watcher of asked) this.look(watcher, statusOf.get(watcher.id));
			} catch (error) {
				for (const watcher of asked) watcher.reject(error as Error);
				this.watchers = this.watchers.filter((each) => !asked.includes(each));
			}
		}
		this.asking = false;
	}

	private look(watcher: Watcher, status: string | undefined): void {
		const { id, alsoWaiting, deadline, resolve, reject } = watcher;
		const open = status !== undefined && (alsoWaiting || status !== 'waiting');
		if (open && Date.now() <= deadline) return;
		this.watchers = this.watchers.filter((each) => each !== watcher);
		if (open) reject(new Error(`Execution ${id} is ${status} after its time.`));
		else resolve();
	}
}
