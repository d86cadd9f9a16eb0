import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../../util/async';
import { KeyStore } from '../keyStore';

export type Begun =
	/** The caller has begun. */
	| 'begun'
	/** An execution has finished it. */
	| 'processed'
	/** Another execution has begun, and may still be running. */
	| 'underWay';

const begun = 'begun';
const inRetry = 'in a retry';
const processed = 'processed';

/** Who begins with a key. */
interface Beginner {
	/** epoch-ms: an execution that began before this, and has not finished, is abandoned. */
	abandonedBefore: number;
	/** Whether it is a retried execution. */
	isRetry: boolean;
}

/** The name of the list for the first, the second, … execution that begins with a key. */
function beginning(key: string, turn: number): string {
	return `${key}\nbegun ${turn}`;
}

/** The name of the list with its time, which is written before. */
function timeOf(key: string, turn: number): string {
	return `${key}\ntime ${turn}`;
}

/**
 * The keys that a workflow has processed. To begin with a key and to finish it are two steps, because an
 * execution may crash in between. After some time, another one may begin again.
 */
export class ProcessedKeys {
	private constructor(private readonly store: KeyStore) {}

	/** The keys of the workflow that is running. */
	static of(execute: IExecuteFunctions): ProcessedKeys {
		return new ProcessedKeys(KeyStore.ofWorkflow(execute));
	}

	/**
	 * Begins with a key. If several executions do this at once, in any process, one of them succeeds. A
	 * retry may begin again, unless another retry has: the retried execution may not have finished.
	 * @throws n8n's error if its database fails. If nothing has begun, the error is marked as repeatable.
	 */
	async begin(key: string, beginner: Beginner): Promise<Begun> {
		return await this.store.alone(key, async () => {
			const turn = await this.beginTurn(key, beginner);
			if (typeof turn !== 'number') return turn;
			// Another execution may just have finished the key, and forgotten its beginnings.
			const finished = await attempt(this.isProcessed(key));
			if (!finished.ok) {
				// Otherwise, a retry would take this beginning for that of another execution.
				await this.store.clear(beginning(key, turn));
				throw finished.error;
			}
			if (!finished.value) return 'begun';
			await this.forgetTurns(key, turn);
			return 'processed';
		});
	}

	/** @returns The turn that the caller has begun, or why it may not. */
	private async beginTurn(
		key: string,
		{ abandonedBefore, isRetry }: Beginner,
	): Promise<number | 'processed' | 'underWay'> {
		if (await this.isProcessed(key)) return 'processed';
		const turn = await this.lastTurn(key);
		const mayTakeOver = turn === 0 || (isRetry && !(await this.isOfRetry(key, turn)));
		// This records nothing if the last execution began later.
		if (!mayTakeOver && !(await this.store.recordTime(timeOf(key, turn), abandonedBefore))) {
			return 'underWay';
		}
		await this.store.recordTime(timeOf(key, turn + 1), Date.now());
		const entries = isRetry ? [inRetry] : [];
		const isFirst = await this.store.create(beginning(key, turn + 1), begun, ...entries);
		return isFirst ? turn + 1 : 'underWay';
	}

	/**
	 * Finishes a key: no execution begins with it again.
	 * @returns Whether an execution has begun with it; if not, nothing is recorded.
	 */
	async finish(key: string): Promise<boolean> {
		return await this.store.alone(key, async () => {
			if (await this.isProcessed(key)) return true;
			const turns = await this.lastTurn(key);
			// Another execution may just have finished it, and forgotten its beginnings.
			if (turns === 0) return await this.isProcessed(key);
			await this.store.create(key, processed);
			// This only keeps n8n's table small.
			await attempt(this.forgetTurns(key, turns));
			return true;
		});
	}

	private async isProcessed(key: string): Promise<boolean> {
		return (await this.store.count(key)) > 0;
	}

	private async isOfRetry(key: string, turn: number): Promise<boolean> {
		return (await this.store.count(beginning(key, turn))) > 1;
	}

	private async lastTurn(key: string): Promise<number> {
		let turn = 0;
		while ((await this.store.count(beginning(key, turn + 1))) > 0) turn++;
		return turn;
	}

	private async forgetTurns(key: string, last: number): Promise<void> {
		for (let turn = last; turn > 0; turn--) {
			await this.store.clear(beginning(key, turn));
			await this.store.clear(timeOf(key, turn));
		}
	}
}
