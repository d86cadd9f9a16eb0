import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../../util/async';
import { KeyStore } from '../keyStore';

/** What becomes of a key that somebody wants to begin with. */
export type Begun =
	/** It is the caller's. */
	| 'begun'
	/** Somebody has finished it. */
	| 'processed'
	/** Somebody has begun with it, and may still be at it. */
	| 'underWay';

const begun = 'begun';
const inRetry = 'in a retry';
const processed = 'processed';

/** Who begins with a key. */
interface Beginner {
	/** epoch-ms: what was begun before that and is not finished, is begun again. */
	abandonedBefore: number;
	/** Whether it is the retry of an execution that has ended. */
	isRetry: boolean;
}

/** The list that says who was the first, the second, … to begin with a key. */
function beginning(key: string, turn: number): string {
	return `${key}\nbegun ${turn}`;
}

/** When that was. Written before, so that whatever has begun has a time. */
function timeOf(key: string, turn: number): string {
	return `${key}\ntime ${turn}`;
}

/**
 * The keys that a workflow has processed. Beginning with a key and finishing it are two steps, so that a
 * crash between them is not taken for the end: whoever comes after some time may begin again.
 */
export class ProcessedKeys {
	private constructor(private readonly store: KeyStore) {}

	/** The keys of the workflow that is running. */
	static of(execute: IExecuteFunctions): ProcessedKeys {
		return new ProcessedKeys(KeyStore.ofWorkflow(execute));
	}

	/**
	 * Begins with a key. Of several that do so at once, in whatever process, one gets it. A retry begins
	 * again what no other retry has begun: it may be what the retried execution left unfinished.
	 * @throws n8n's error when its database fails; then nothing has begun.
	 */
	async begin(key: string, { abandonedBefore, isRetry }: Beginner): Promise<Begun> {
		return await this.store.alone(key, async () => {
			if (await this.isProcessed(key)) return 'processed';
			const turn = await this.lastTurn(key);
			const mayTakeOver = turn === 0 || (isRetry && !(await this.isOfRetry(key, turn)));
			if (!mayTakeOver && !(await this.store.isTimeBefore(timeOf(key, turn), abandonedBefore))) {
				return 'underWay';
			}
			await this.store.recordTime(timeOf(key, turn + 1), Date.now());
			const entries = isRetry ? [inRetry] : [];
			const isFirst = await this.store.create(beginning(key, turn + 1), begun, ...entries);
			if (!isFirst) return 'underWay';
			// Finishing a key takes its beginnings away, and this may be the first one after that.
			if (!(await this.isProcessed(key))) return 'begun';
			await this.forgetTurns(key, turn + 1);
			return 'processed';
		});
	}

	/**
	 * Finishes a key: nobody begins with it again.
	 * @returns Whether somebody has begun with it; if not, nothing is recorded.
	 */
	async finish(key: string): Promise<boolean> {
		return await this.store.alone(key, async () => {
			if (await this.isProcessed(key)) return true;
			const turns = await this.lastTurn(key);
			// Somebody may have finished it in between, which takes its beginnings away.
			if (turns === 0) return await this.isProcessed(key);
			await this.store.create(key, processed);
			// It is finished without that, too: this only keeps n8n's table small.
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
