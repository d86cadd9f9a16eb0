import { setTimeout as delay } from 'node:timers/promises';

import type { QueueStage } from '../../../../host/queue/stage';
import { post } from '../../../e2e/support/http';
import { until } from '../../../e2e/support/stage';
import { credentialId, loggedIn } from '../../../e2e/support/trigger';
import {
	executionEntries,
	statusCounts,
	storedExecutions,
	type StoredExecution,
} from '../database';
import { FailedExecutions } from '../failedExecutions';
import type { Entry } from '../history/entries';
import type { History } from '../history/history';
import { keyOf, People } from './people';
import type { PlannedWait, Signing } from './plan';
import { startReceiver, type Receiver } from './receiver';
import { WaitWatch } from './watch';
import { waitWorkflow } from './workflow';

/** A published workflow that waits. */
interface Published {
	id: string;
	url: string;
	limitMs?: number;
	failed: FailedExecutions;
}

/** n8n looks once a minute, so that a shorter limit would not be over sooner. */
const limitMinutes = 1;
/** So long for the answer to a "Retry". */
const retryMs = 8000;

/** Executions that wait, the people who sign, and the history of both. */
export class Waits {
	readonly people: People;
	private calls = 0;
	private readonly signings = new Map<string, Signing>();
	private readonly executions = new Map<string, StoredExecution>();
	private readonly watch: WaitWatch;

	private constructor(
		private readonly stage: QueueStage,
		private readonly history: History,
		private readonly receiver: Receiver,
		private readonly forever: Published,
		private readonly limited: Published,
	) {
		this.people = new People(stage.sandbox, history, (key) => this.signings.get(key));
		this.watch = new WaitWatch(stage, history, [forever.id, limited.id]);
	}

	/** @param takesMs how long what is behind the wait takes */
	static async publish(stage: QueueStage, history: History, takesMs: number): Promise<Waits> {
		const receiver = await startReceiver(history, takesMs);
		const credential = await credentialId(stage.api);
		const publish = async (minutes?: number): Promise<Published> => {
			const made = waitWorkflow(stage.sandbox, credential, receiver.url, minutes);
			const { id } = await stage.api.createWorkflow(made.workflow);
			await stage.api.activate(id);
			const failed = new FailedExecutions(stage, id);
			const url = `${stage.url}/webhook/${made.path}`;
			return { id, url, failed, ...(minutes ? { limitMs: minutes * 60_000 } : {}) };
		};
		return new Waits(stage, history, receiver, await publish(), await publish(limitMinutes));
	}

	/** Starts an execution that waits; again, where the call is not answered 2xx. */
	async start({ isLimited, signings }: Omit<PlannedWait, 'startMs' | 'kind'>): Promise<void> {
		const name = `wait-${String(++this.calls).padStart(5, '0')}`;
		const { url, limitMs } = isLimited ? this.limited : this.forever;
		let tries = 0;
		await until('the call is taken', async () => {
			const call = `${name}#${++tries}`;
			// Of its own, so that a document says which call it comes from.
			const keys = signings.map((_, index) => `${name}-${tries}-${index}`);
			this.history.note({ type: 'call', call });
			for (const [index, key] of keys.entries()) {
				this.signings.set(key, signings[index] ?? {});
				this.history.note({ type: 'wait', call, key, limitMs });
			}
			const status = await post(url, { call, keys }).catch(
				(error: { code?: string }) => error.code ?? 'no answer',
			);
			this.history.note({ type: 'answer', call, status });
			if (status !== 200) await delay(2000);
			return status === 200;
		});
	}

	/**
	 * Waits until nothing more happens by itself, or so long: no execution is under way or has a limit
	 * to reach, and the service has delivered its events or given up.
	 *
	 * @returns how many executions are in each status
	 */
	async settled(limitMs: number): Promise<Record<string, number>> {
		const isDelivering = (): boolean =>
			this.stage.sandbox.deliveries().some(({ state }) => state === 'pending');
		return await this.quiet(limitMs, (_forever, { waiting = 0 }) => waiting > 0 || isDelivering());
	}

	/** Waits until no execution is under way or waits, or so long. */
	async over(limitMs: number): Promise<Record<string, number>> {
		const isWaiting = ({ waiting = 0 }: Record<string, number>): boolean => waiting > 0;
		return await this.quiet(limitMs, (...both) => both.some(isWaiting));
	}

	private async quiet(
		limitMs: number,
		isBusy: (forever: Record<string, number>, limited: Record<string, number>) => boolean,
	): Promise<Record<string, number>> {
		const deadline = Date.now() + limitMs;
		// Looked at twice: between an event and what it leads to there is a moment.
		for (let times = 0; ; await delay(1000)) {
			const forever = await statusCounts(this.stage, this.forever.id);
			const limited = await statusCounts(this.stage, this.limited.id);
			const counts = sumOf(forever, limited);
			const { running = 0, new: fresh = 0 } = counts;
			const isUnderWay = running + fresh > 0 || this.people.isBusy();
			times = isUnderWay || isBusy(forever, limited) ? 0 : times + 1;
			if (times === 2 || Date.now() > deadline) return counts;
		}
	}

	/**
	 * "Retry" in the list of executions, with the original workflow. n8n answers when the new execution
	 * waits or is over, but not always. Whether there is one, is for the rules to say.
	 */
	async retry(executions: string[]): Promise<void> {
		const client = await loggedIn(this.stage.url, this.stage.owner);
		const options = { body: { loadWorkflow: false } };
		for (const execution of executions) {
			this.history.note({ type: 'retry', execution });
			const answer = client.call('POST', `/executions/${execution}/retry`, options);
			await Promise.race([answer.catch(() => undefined), delay(retryMs)]);
		}
	}

	/** Publishes the workflows again: n8n takes one back whose last three executions crashed. */
	async publishAgain(): Promise<void> {
		for (const { id } of [this.forever, this.limited]) await this.stage.api.activate(id);
	}

	/** Adds to the history what n8n and the service show. */
	async show(): Promise<void> {
		const entries: Entry[] = [];
		for (const { id, failed } of [this.forever, this.limited]) {
			// Those that were deleted stay in the history as they were.
			for (const each of await storedExecutions(this.stage, id)) this.executions.set(each.id, each);
			const own = [...this.executions.values()].filter(({ workflow }) => workflow === id);
			entries.push(...executionEntries(own, failed));
		}
		for (const document of this.stage.sandbox.documents()) {
			const key = keyOf(document);
			if (!this.signings.has(key)) continue;
			const { documentID, addedOn: at } = document;
			entries.push({ type: 'document', at, document: documentID, key });
		}
		this.history.show(entries);
	}

	async stop(): Promise<void> {
		await this.people.stop();
		await this.watch.stop();
		await Promise.all([this.forever, this.limited].map(({ failed }) => failed.stop()));
		await this.receiver.close();
	}
}

function sumOf(...all: Array<Record<string, number>>): Record<string, number> {
	const sum: Record<string, number> = {};
	for (const [status, count] of all.flatMap((each) => Object.entries(each))) {
		sum[status] = (sum[status] ?? 0) + count;
	}
	return sum;
}
