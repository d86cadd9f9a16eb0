import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../transport/errors';
import { attempt, KeyedMutex } from '../util/async';
import { textOf } from '../util/values';

const scope = 'node';
/** More than any list of a key gets, so that n8n drops none of them. */
const mostEntries = 10;
const longestKey = 500;
/** How often something is written that the database may refuse because of another worker. */
const mostTries = 3;

/** Every context of n8n holds the node that it is for, by whose id n8n's store finds its list. */
interface HoldsNode {
	node?: { id: string };
}

/** Turns of items with the same key, by workflow, owner and key. */
const mutex = new KeyedMutex();

/**
 * n8n's own de-duplication store (its database), so that what is kept outlasts the execution, a
 * restart, and holds in every worker.
 *
 * n8n keeps one list for each node, reads it whole, changes it and writes it back, without a lock:
 * two workers that do so at once lose what one of them wrote. So each key gets a list of its own, by
 * lending the node another id for the moment in which n8n reads it. The first entry of a list is an
 * insertion, and of two insertions the database refuses one: that is the lock.
 *
 * The node in the context is not in n8n's published interface; see {@link readKeyToKeep}.
 */
export class KeyStore {
	private constructor(
		private readonly execute: IExecuteFunctions,
		private readonly node: { id: string },
		/** Whose lists they are. */
		private readonly owner: string,
	) {}

	/** Whether this n8n can keep lists for the node that is running. */
	static isAvailable(execute: IExecuteFunctions): boolean {
		return typeof (execute as HoldsNode).node?.id === 'string';
	}

	/** The lists of the node that is running. */
	static ofNode(execute: IExecuteFunctions): KeyStore {
		const node = (execute as HoldsNode).node ?? { id: '' };
		return new KeyStore(execute, node, node.id);
	}

	/** The lists that all nodes of the workflow share. */
	static ofWorkflow(execute: IExecuteFunctions): KeyStore {
		return new KeyStore(execute, (execute as HoldsNode).node ?? { id: '' }, 'signVerify');
	}

	/** Does something for a key while no other item of this process does anything for that key. */
	async alone<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
		return await mutex.run(`${this.execute.getWorkflow().id} ${this.owner} ${key}`, work);
	}

	/** How many entries the list of a key has. */
	async count(key: string): Promise<number> {
		const { helpers } = this.execute;
		return await this.inListOf(
			key,
			async () => await helpers.getProcessedDataCount(scope, { mode: 'entries' }),
		);
	}

	/**
	 * Adds entries to the list of a key.
	 * @param most How many entries the list is to keep, the newest ones.
	 * @returns Which of them were there before, as far as nobody writes to the list at the same time.
	 */
	async add(key: string, entries: string[], most = mostEntries): Promise<{ before: string[] }> {
		const { helpers } = this.execute;
		const { processed } = await this.inListOf(
			key,
			async () =>
				await helpers.checkProcessedAndRecord(entries, scope, {
					mode: 'entries',
					maxEntries: most,
				}),
		);
		return { before: processed.map(String) };
	}

	/**
	 * Makes the list of a key. Of several that do so at the same moment one succeeds, in whatever process.
	 * @returns Whether the list is this caller's.
	 * @throws n8n's error when its database fails.
	 */
	async create(key: string, entry: string, ...more: string[]): Promise<boolean> {
		for (let tries = 1; ; tries++) {
			const made = await attempt(this.add(key, [entry, ...more]));
			if (made.ok) return !made.value.before.includes(entry);
			if ((await this.count(key)) > 0) return false;
			// Whoever was first has cleared it again; or the database failed.
			if (tries === mostTries) throw made.error;
		}
	}

	/** Records a time (epoch-ms) for a key; the latest stays. */
	async recordTime(key: string, time: number): Promise<void> {
		await this.moveTime(key, time);
	}

	/**
	 * Whether the time that is recorded for a key is before another one (epoch-ms). n8n tells it only by
	 * recording the other one, if it is later: that leaves the answer for every later time as it was.
	 */
	async isTimeBefore(key: string, time: number): Promise<boolean> {
		return (await this.moveTime(key, time)).new.length > 0;
	}

	/** Forgets the list, or the time, of a key. */
	async clear(key: string): Promise<void> {
		const { helpers } = this.execute;
		await this.inListOf(
			key,
			async () => await helpers.clearAllProcessedItems(scope, { mode: 'entries' }),
		);
	}

	private async moveTime(key: string, time: number) {
		const { helpers } = this.execute;
		const options = { mode: 'latestIncrementalKey' } as const;
		for (let tries = 1; ; tries++) {
			const moved = await attempt(
				this.inListOf(
					key,
					async () => await helpers.checkProcessedAndRecord([time], scope, options),
				),
			);
			if (moved.ok) return moved.value;
			// Where another worker recorded the first time in the same moment, it can be moved now.
			if (tries === mostTries) throw moved.error;
		}
	}

	/** Calls n8n's store for the list of a key. n8n reads the node's id before it first waits. */
	private async inListOf<Value>(key: string, call: () => Promise<Value>): Promise<Value> {
		const { id } = this.node;
		this.node.id = `${this.owner}:${createHash('sha256').update(key).digest('base64url')}`;
		let answer: Promise<Value>;
		try {
			answer = call();
		} finally {
			this.node.id = id;
		}
		return await answer;
	}
}

/**
 * Reads a key that is to be kept.
 * @param field How the error calls it.
 * @param remedy What to enter, as a sentence.
 * @throws InputError for a value that is no key, and where this n8n, or a workflow that was never
 * saved, cannot keep it.
 */
export function readKeyToKeep(
	execute: IExecuteFunctions,
	value: unknown,
	field: string,
	remedy: string,
): string {
	const key = textOf(value).trim();
	if (!key) {
		const isEmpty = value === undefined || value === null || value === '';
		const problem = isEmpty
			? 'the expression gives nothing for this item'
			: 'it is not a text or a number';
		throw new InputError(field, problem, remedy);
	}
	if (key.length > longestKey) {
		throw new InputError(field, `it is longer than ${longestKey} characters`, remedy);
	}
	if (!KeyStore.isAvailable(execute)) {
		throw new InputError(
			field,
			'this version of n8n cannot keep it',
			'Remove the key, or use another version of n8n.',
		);
	}
	// n8n keeps the keys with the workflow, so there has to be one in its database.
	if (execute.getWorkflow().id) return key;
	throw new InputError(
		field,
		'this workflow has not been saved',
		'Save the workflow: n8n keeps the keys with it.',
	);
}
