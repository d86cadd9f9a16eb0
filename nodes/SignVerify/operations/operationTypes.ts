import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { EventSubject } from '../api/events';
import type { IncludedValues } from '../item/includedInput';
import type { ItemContext, ItemOutput } from '../item/item';
import type { Settled } from '../util/async';
import type { ComparedContent, ContentKey } from './comparedContent';

export type ResourceName = 'document' | 'template' | 'webhook' | 'identity';

interface OperationForm {
	resource: ResourceName;
	/** The operation's name in saved workflows. It must never change. */
	value: string;
	name: string;
	action: string;
	description: string;
	/**
	 * The form's fields. operations/nodeForm.ts adds the display options that show them only for this operation.
	 */
	fields: INodeProperties[];
	/**
	 * Whether the operation downloads files, so it calls hosts other than the service. If so, its items do not
	 * count toward the maximum number of items that call the service in parallel, and it isn't available as a
	 * tool for AI agents.
	 */
	callsOthers?: true;
	/**
	 * Set if the operation makes the execution wait (`startWaiting`). It then accepts only one item, and isn't
	 * available as a tool for AI agents. `instead` is what to do where an execution can't wait, and completes
	 * "Alternatively, …".
	 */
	waits?: { instead: string };
	/** What the operation sends or waits for. If it does either, its output contains each item's outcome. */
	about?: EventSubject;
}

interface PlainOperation extends OperationForm {
	sends?: false;
	/** @throws InputError before anything is sent, or ServiceError afterward. */
	run(item: ItemContext): Promise<ItemOutput[]>;
}

/**
 * A checked item, ready to send. A run keeps this object in memory until the item is sent, so it contains
 * only the data needed for sending. The values from the form are public fields so that a test can check how a
 * form was read.
 */
export interface Prepared {
	/**
	 * Everything that is sent to the real people. Two items with the same values would create the same thing. A
	 * test recipient's address isn't part of it. `comparedContentOf` derives it from the body.
	 */
	readonly content: ComparedContent;
	/** Returns the name that a value of the `content` has in the form; undefined for a key without one. */
	nameInForm(key: ContentKey): string | undefined;
	/** The addresses that it is sent to. A Send Once Key belongs to them. */
	readonly people: string[];
	/** Returns the output if nothing is sent: the expected output, as far as it's known before sending. */
	preview(): IDataObject;
	/**
	 * Sends the item. Reads nothing from the form, because an InputError at this point would falsely report
	 * that nothing was sent.
	 * @param included What to include in the output after a wait. If the operation doesn't wait, the caller adds it
	 * to the output.
	 * @throws ServiceError, whose `mayHaveCreated` is true if the item may have been sent.
	 */
	send(included: IncludedValues): Promise<ItemOutput>;
}

/** How an operation that sends something describes what it does. */
export interface SendingWords {
	/** What it creates, such as "the document". */
	noun: string;
	/** What it does when it is executed. Completes "Executing this step …". */
	effect: string;
	/** Why someone would have it sent to themselves. Completes "…, set In Test Runs to Send to Me." */
	toTry: string;
	/** Whom it reaches. Completes "When the published workflow runs, the node …". */
	whenPublished: string;
	/** The description of the test recipient's address, as several sentences. */
	toMe: string;
	/** @returns What reached the test recipient. Completes "This was a test: …". */
	afterTest: (testRecipient: string) => string;
}

/** What an item that isn't sent is about. */
export interface Description {
	/**
	 * The people and the title, as far as they can be read. The fields have the same names as in the output of an
	 * item that was sent.
	 */
	output: IDataObject;
	/**
	 * The people's addresses, as sending would read them. Nothing else about the people matters here. An InputError or
	 * n8n's error about an expression if the item couldn't be sent to these addresses, or a ServiceError if a lookup
	 * failed.
	 */
	addresses: Settled<string[]>;
}

/**
 * An operation that sends something to people. Its items can have a "Send Once Key", and can be checked
 * without sending.
 */
export interface SendingOperation extends OperationForm {
	sends: true;
	about: EventSubject;
	words: SendingWords;
	/**
	 * Returns what a Send Once Key belongs to besides the account: the same text is a different key for
	 * another resource or template. Stored with the keys, so it must never change.
	 */
	keyOwner(item: ItemContext): Promise<string[]>;
	/**
	 * Looks up and checks everything for one item. Sends nothing.
	 * @param testRecipient The address that replaces the people's addresses. The people are still checked,
	 * but nothing is sent to them.
	 * @throws InputError for a wrong value, or ServiceError if a lookup fails.
	 */
	prepare(item: ItemContext, testRecipient?: string): Promise<Prepared>;
	/** Reads the people of an item that isn't sent, and its title. Warns of nothing. */
	describe(item: ItemContext): Promise<Description>;
	/**
	 * Whether the people of an empty row come from its columns, and come out empty. The row is then left out.
	 * @throws InputError if the form can't be read.
	 */
	lacksPeople(item: ItemContext): boolean;
}

/**
 * One of the action node's operations: its form and its behavior. operations/nodeForm.ts builds the node's form
 * from the list of all operations, and operations/run.ts finds the chosen operation in that list.
 */
export type Operation = PlainOperation | SendingOperation;
