import { createHash } from 'crypto';
import { type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import type { EventSubject } from '../api/events';
import { emptyColumns, emptyParts } from '../columns/columnsRead';
import { readItemText } from '../columns/itemText';
import { enteredIn } from '../form/texts';
import { enteredText, isBlank, trimUnseen } from '../form/valueReaders';
import type { ItemContext } from '../item/item';
import { hasNodeId, withNodeId } from '../n8nInternals';
import { mistakeInKey } from '../text/contentMistakes';
import { InputError, MissingValue } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { settle, KeyedMutex } from '../util/async';
import { comparedEmail } from '../util/comparedEmail';
import { normalText } from '../util/names';
import { isNumber } from '../util/values';
import { checkHasWorkflow } from './needsWorkflow';
import { accountOfItem } from './accountCheck';
import { keyProblems } from './sendingProblems';
import type { SendingOperation } from './operationTypes';

export const keyLabel = 'Send Once Key';
const keyName = 'sendOnceKey';

/**
 * @param subject What a key identifies, such as a contract.
 * @param owner A sentence about what a key belongs to besides the account.
 */
export function sendOnceOption(subject: string): INodeProperties {
	return {
		displayName: keyLabel,
		name: keyName,
		type: 'string',
		default: '',
		placeholder: "e.g. {{ $json['Contract number'] }}",
		description: `A unique value, such as the ${subject} number. An item is skipped if its key was already used for the same people.`,
		builderHint: {
			propertyHint: `Set this if the workflow could run twice for the same ${subject}.`,
		},
	};
}

/** The scope of n8n's de-duplication store in which each node has its own list. */
const scope = 'node';

/** The first entry in a key's list, added before the item is sent. */
const claimed = 'claimed';

/** The second entry in a key's list, added after the item was sent. */
const confirmed = 'sent';

/** The only entry in the list of the people that a key was used for. */
const reached = 'people';

/** Hyphens, dashes, and the minus sign, which a program may write instead of a hyphen. */
const hyphens = /[\p{Pd}\u2212]/gu;

/** The maximum number of entries that n8n keeps in a list. It must be at least two. */
const maxStoredEntries = 10;

/**
 * A key's state. `unknown` means that an execution began to send the item, but did not record whether it was
 * sent.
 */
export type KeyState = 'new' | 'sent' | 'unknown';

/** One lock per workflow and key. */
const mutex = new KeyedMutex();

/**
 * A Send Once Key, shared by all nodes of a workflow. It is stored in n8n's de-duplication store, which is
 * part of n8n's database. So the key survives a restart, and every worker reads the same state.
 *
 * n8n keeps one list of entries per node. To add an entry, n8n reads the entire list, changes it and writes
 * it back, without a lock. If two workers do this at the same time, one of them loses its entry. So each key
 * has a separate list: the node's ID is replaced with the key's ID while n8n reads it (n8nInternals.ts).
 * Adding a list's first entry inserts a row. If two workers do this at the same time, the database refuses
 * one of the insertions, so the insertion works as a lock. The key's ID does not contain the node's ID,
 * because the existing keys must still be found if the node is copied, or is deleted and added again.
 *
 * A key belongs to the people that it was used for. n8n has no call that reads an entry without recording it, so
 * a second list, whose ID contains the people as well, shows by its existence that the key was used for them. It is
 * written only after the item was sent, because releasing the key removes only the first list.
 * @n8n
 */
export class StoredKey {
	/** The text that identifies the key. Keys with the same one and different owners have different IDs. */
	readonly comparedText: string;

	/** The key's ID. n8n treats this as a node's ID, and therefore keeps a separate list for the key. */
	readonly id: string;

	/**
	 * @param context The node's context. {@link hasNodeId} must return true for it.
	 * @param text The key as entered.
	 * @param owner The account, the resource and the template. The same text is a different key for each
	 * owner.
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		readonly text: string,
		private readonly owner: string[],
	) {
		this.comparedText = text.replace(hyphens, '-');
		this.id = this.listId();
	}

	private listId(...people: string[][]): string {
		const whole = JSON.stringify([...this.owner, this.comparedText, ...people]);
		return `signVerify:${createHash('sha256').update(whole).digest('base64url')}`;
	}

	private peopleId(addresses: string[]): string {
		return this.listId(addresses.map(comparedEmail).sort());
	}

	/** Runs `work` while no other item in this process uses the same key. */
	async alone<Value>(work: () => Promise<Value>): Promise<Value> {
		return await mutex.run(`${this.context.getWorkflow().id} ${this.id}`, work);
	}

	/**
	 * Records that the caller is about to send the item. If several callers claim a key at the same time,
	 * even in different processes, at most one of them gets `new`.
	 * @returns The key's state before the claim; `new` means that the caller may send the item.
	 */
	async claim(): Promise<KeyState> {
		const before = await this.state();
		if (before !== 'new') return before;
		const added = await settle(this.add(claimed));
		if (added.ok && added.value) return 'new';
		// Either another caller was first, or the database failed.
		const now = await this.state();
		if (now === 'new' && !added.ok) throw added.error;
		return now === 'new' ? 'unknown' : now;
	}

	/** Returns the key's state without recording anything, unlike {@link claim}. */
	async state(): Promise<KeyState> {
		const entries = await this.count(this.id);
		if (entries === 0) return 'new';
		// If n8n ever returns something other than a number, the state is `unknown`, so nothing is sent
		// twice.
		return entries > 1 ? 'sent' : 'unknown';
	}

	/**
	 * Call this whenever the key's state is `sent`, before the item is skipped.
	 * @param addresses The addresses of the item's people.
	 * @throws InputError if the key was used for other people.
	 */
	async checkPeople(addresses: string[], about: EventSubject): Promise<void> {
		if ((await this.count(this.peopleId(addresses))) > 0) return;
		throw new InputError(keyLabel, keyProblems.otherPeople(this.text, about));
	}

	/**
	 * Records that the item was sent. If the people can't be recorded, the key stays claimed.
	 * @param addresses The addresses of the item's people.
	 */
	async confirm(addresses: string[]): Promise<void> {
		await this.add(reached, this.peopleId(addresses));
		await this.add(confirmed);
	}

	/** Removes the claim, because the item definitely wasn't sent. */
	async release(): Promise<void> {
		await this.inStore(
			this.id,
			async (store) => await store.clearAllProcessedItems(scope, { mode: 'entries' }),
		);
	}

	private async count(listId: string): Promise<number> {
		return await this.inStore(
			listId,
			async (store) => await store.getProcessedDataCount(scope, { mode: 'entries' }),
		);
	}

	/**
	 * Only the first entry of the key's list is protected against two processes that add it at the same time.
	 * Later ones don't need to be.
	 * @returns false if the list already contained the entry.
	 * @throws n8n's error if the database fails or refuses the entry.
	 */
	private async add(entry: string, listId = this.id): Promise<boolean> {
		const options = { mode: 'entries', maxEntries: maxStoredEntries } as const;
		const { processed } = await this.inStore(
			listId,
			async (store) => await store.checkProcessedAndRecord([entry], scope, options),
		);
		return Array.isArray(processed) && processed.length === 0;
	}

	private async inStore<Value>(
		listId: string,
		call: (store: IExecuteFunctions['helpers']) => Promise<Value>,
	): Promise<Value> {
		return await withNodeId(this.context, listId, async () => await call(this.context.helpers));
	}
}

/**
 * @returns undefined if the option has not been added.
 * @throws InputError if the item's key is empty, or if n8n cannot store the key: without a key, nothing would keep
 * the item from being sent twice.
 */
export async function readKey(
	item: ItemContext,
	operation: SendingOperation,
): Promise<StoredKey | undefined> {
	const text = readKeyText(item);
	if (text === undefined) return undefined;
	checkStorable(item);
	const { id } = await accountOfItem(item);
	return new StoredKey(item.context, text, [id, ...(await operation.keyOwner(item))]);
}

function readKeyText(item: ItemContext): string | undefined {
	const name = `options.${keyName}`;
	const saved = item.rawParameter(name);
	if (saved === undefined) return undefined;
	const isFromItem = isExpression(saved);
	const remedy = isFromItem
		? 'Have the expression return a short, unique value, such as the contract number.'
		: 'Drag a column with unique values, such as the contract number, onto the field. To send without a key, remove this option.';
	const emptied = emptyColumns(item, saved);
	const entered = enteredIn(item, { name, label: keyLabel });
	const text = readItemText(item, entered, {
		read({ value }) {
			// Values such as true, or NaN from a failed calculation, can't be keys, because many items may have the
			// same value.
			const mayBeUnique = typeof value === 'string' || isNumber(value);
			const keyText = mayBeUnique ? enteredText(value, keyLabel, remedy) : '';
			const key = isBlank(keyText) ? '' : normalText(trimUnseen(keyText));
			if (key) return key;
			const row = isFromItem ? keyProblems.noValue : valueProblems.empty;
			throw new MissingValue(keyLabel, { ...row, remedy });
		},
		mistakeIn(key) {
			const mistake = mistakeInKey(key);
			// An empty column says more than what is left of the key, such as "-".
			return emptied && mistake?.severity !== 'wrong' ? undefined : mistake;
		},
		// Without this part, items may have the same key, and the node would skip all but the first.
		missingPart: 'wrong',
		judgesEmptyParts: true,
	});
	item.judge(keyLabel, emptied ?? emptyParts(entered));
	if (!isFromItem) {
		item.judge(keyLabel, { severity: 'looksWrong', ...keyProblems.sameForAll, remedy });
	}
	return text;
}

function checkStorable(item: ItemContext): void {
	checkHasWorkflow(item, keyLabel);
	const { context } = item;
	if (!hasNodeId(context)) {
		throw new InputError(keyLabel, keyProblems.notStorable);
	}
	// n8n stores the keys with the workflow, so the workflow must have been saved.
	if (!context.getWorkflow().id) {
		throw new InputError(keyLabel, keyProblems.workflowNotSaved);
	}
}
