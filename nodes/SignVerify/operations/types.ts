import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemContext, ItemOutput } from '../input/item';

/** The resources that operations belong to, as workflows save them. */
export type ResourceName = 'document' | 'template' | 'webhook' | 'identity';

/** What every operation has. */
interface OperationForm {
	resource: ResourceName;
	/** As workflows save it; never changes. */
	value: string;
	/** In the list of operations. */
	name: string;
	/** In the node picker. */
	action: string;
	description: string;
	/** The form, without the display options that tie it to this operation. */
	fields: INodeProperties[];
	/** Whether it calls others than the service: its items then take no places of the account. */
	callsOthers?: true;
	/** Whether it puts the execution to wait (`startWaiting`): for one item, and not for an AI agent. */
	waits?: true;
}

/** An operation that sends nothing to people. */
interface PlainOperation extends OperationForm {
	sends?: false;
	/**
	 * Does the work for one item.
	 * @throws InputError before anything is sent, ServiceError afterwards.
	 */
	run(item: ItemContext): Promise<ItemOutput[]>;
}

/**
 * An item that is checked, and can be sent. A run keeps that of all its items, so it has only what sending needs. What
 * was read from the form is in its fields: a test compares them to find out how a form was understood.
 */
export interface Prepared {
	/** The output as far as it is known before anything is sent, for "Check Only". */
	preview(): IDataObject;
	/** @throws ServiceError; its `mayHaveCreated` says whether it may have been sent. */
	send(): Promise<ItemOutput>;
}

/** An operation that sends something to people: its items can have a "Send Once Key", and be only checked. */
export interface SendingOperation extends OperationForm {
	sends: true;
	/**
	 * Looks up and checks everything for one item; nothing is sent.
	 * @param testRecipient Who gets everything instead of the people, who are still checked: no address of theirs is
	 * left in what is sent.
	 * @throws InputError, or ServiceError for a look-up.
	 */
	prepare(item: ItemContext, testRecipient?: string): Promise<Prepared>;
}

/**
 * One operation of the action node: its form and its work. The node's description and the dispatch
 * are made from a list of these (operations/index.ts).
 */
export type Operation = PlainOperation | SendingOperation;
