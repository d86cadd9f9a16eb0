import { createHash } from 'crypto';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { enteredText, trimUnseen } from '../input/parameters';
import { isInForm } from '../input/savedForm';
import { hasNodeId, withNodeId } from '../n8nInternals';
import { settle, KeyedMutex } from '../util/async';
import { isEmpty, normalText } from '../util/values';
import { chosenTemplateId } from './template/fields';
import type { ResourceName } from './types';

/** An option of the operations that send something to people. */
export const sendOnceOption: INodeProperties = {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. C-1042',
	description:
		'A unique value, such as the contract number. If this workflow has already sent an item with this key and template, the item is skipped.',
	builderHint: { propertyHint: 'Set it where a workflow can run twice for one contract.' },
};

const scope = 'node';
/** The entries of a key, one after the other. */
const claimed = 'claimed';
const confirmed = 'sent';
/** More than the list of any key gets, because n8n drops what is above this number. */
const maxEntries = 10;

/** What is known about a key. `unknown`: an execution began to send it, but not how that ended. */
export type KeyState = 'new' | 'sent' | 'unknown';

/** By workflow and key. */
const mutex = new KeyedMutex('Send Once Keys in use');

/**
 * A key that the nodes of a workflow share, in n8n's own de-duplication store, in its database. It
 * survives a restart and is the same in every worker.
 *
 * n8n keeps one list for each node, reads it whole, changes it and writes it back, without a lock. If two
 * workers do this at once, one of them loses what it wrote. So each key has its own list: the node has
 * another ID for the moment in which n8n reads it (n8nInternals.ts). The first entry of a list is an
 * insertion, and of two insertions the database refuses one. This is the lock. That ID says nothing of the
 * node, because a node that is copied or added again must find the keys.
 */
export class StoredKey {
	/** The ID under which n8n keeps the list. */
	readonly id: string;

	/**
	 * @param execute Of an n8n that has {@link hasNodeId}.
	 * @param text The key as a person knows it.
	 * @param owner What it belongs to: the same text is another key for another owner.
	 */
	constructor(
		private readonly execute: IExecuteFunctions,
		readonly text: string,
		owner: string[],
	) {
		const whole = JSON.stringify([...owner, text]);
		this.id = `signVerify:${createHash('sha256').update(whole).digest('base64url')}`;
	}

	/** Does something while no other item of this process does anything for the same key. */
	async alone<Value>(work: () => Promise<Value>): Promise<Value> {
		return await mutex.run(`${this.execute.getWorkflow().id} ${this.id}`, work);
	}

	/**
	 * Records that it will be sent now. If several callers do this at once, in any process, one of them
	 * gets `new`.
	 * @returns Its state before; `new` means that the caller may send it.
	 * @throws n8n's error if its database fails.
	 */
	async claim(): Promise<KeyState> {
		const before = await this.state();
		if (before !== 'new') return before;
		const added = await settle(this.add(claimed));
		if (added.ok && added.value) return 'new';
		// Another caller was first, or the database failed.
		const now = await this.state();
		if (now === 'new' && !added.ok) throw added.error;
		return now === 'new' ? 'unknown' : now;
	}

	/** As {@link claim}, without recording anything. */
	async state(): Promise<KeyState> {
		const entries = await this.inStore(
			async (store) => await store.getProcessedDataCount(scope, { mode: 'entries' }),
		);
		if (entries === 0) return 'new';
		// What is no number of entries must not let anything be sent again.
		return entries > 1 ? 'sent' : 'unknown';
	}

	/** Records that it was sent. */
	async confirm(): Promise<void> {
		await this.add(confirmed);
	}

	/** Forgets that it was claimed, because it was certainly not sent. */
	async release(): Promise<void> {
		await this.inStore(
			async (store) => await store.clearAllProcessedItems(scope, { mode: 'entries' }),
		);
	}

	/** @returns Whether the entry was not there before. This is certain only if nobody else writes. */
	private async add(entry: string): Promise<boolean> {
		const options = { mode: 'entries', maxEntries } as const;
		const { processed } = await this.inStore(
			async (store) => await store.checkProcessedAndRecord([entry], scope, options),
		);
		return Array.isArray(processed) && processed.length === 0;
	}

	private async inStore<Value>(
		call: (store: IExecuteFunctions['helpers']) => Promise<Value>,
	): Promise<Value> {
		return await withNodeId(this.execute, this.id, async () => await call(this.execute.helpers));
	}
}

/**
 * Reads what makes an item unique.
 * @returns undefined if the form has no key.
 * @throws InputError if it has one, and the item's key is missing or cannot be kept: without a key, the
 * item would not have the protection that the user wants.
 */
export async function readKey(
	item: ItemContext,
	resource: ResourceName,
): Promise<StoredKey | undefined> {
	const name = `options.${sendOnceOption.name}`;
	const value = item.parameter(name);
	if (isEmpty(value) && !isInForm(item, name)) return undefined;
	const field = sendOnceOption.displayName;
	// Other values are the same for many items: true, and NaN for a calculation that fails.
	const canBeKey = typeof value === 'string' || Number.isFinite(value);
	item.checkTyped(value, field);
	const remedy = 'Make the expression return a short, unique text, such as the contract number.';
	const entered = canBeKey ? enteredText(value, field, remedy) : '';
	const text = normalText(trimUnseen(entered));
	if (!text) {
		throw new InputError(
			field,
			'the expression returns no text or number for this item',
			remedy,
			'the-expression-gives-no-text-or-number-for-this-item',
		);
	}
	if (!hasNodeId(item.execute)) {
		const remedy = 'Remove the key, or use another version of n8n.';
		throw new InputError(
			field,
			"this version of n8n can't store it",
			remedy,
			'this-version-of-n8n-cannot-keep-it',
		);
	}
	// n8n keeps the keys with the workflow, so its database must have the workflow.
	if (!item.execute.getWorkflow().id) {
		const remedy = 'Save the workflow first, because n8n stores the keys with it.';
		throw new InputError(
			field,
			"this workflow hasn't been saved",
			remedy,
			'this-workflow-has-not-been-saved',
		);
	}
	// Once for all items: until there is a token, each reading is one of n8n's database.
	const { id } = await item.memoize('account', async () => await item.service.account());
	const template = resource === 'document' ? await chosenTemplateId(item) : '';
	return new StoredKey(item.execute, text, [id, resource, template]);
}
