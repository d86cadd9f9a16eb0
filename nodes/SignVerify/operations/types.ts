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
	/**
	 * Does the work for one item.
	 * @throws InputError before anything is sent, ServiceError afterwards.
	 */
	run(item: ItemContext): Promise<ItemOutput[]>;
}

/** An operation that sends something to people: its items can have a "Send Once Key", and be only checked. */
export interface SendingOperation<Data = unknown> extends OperationForm {
	/**
	 * Looks up and checks everything for one item; nothing is sent.
	 * @returns What `send` gets. A run keeps that of all its items, so it has only what sending needs.
	 * @throws InputError, or ServiceError for a look-up.
	 */
	prepare(item: ItemContext): Promise<Data>;
	/** The output as far as it is known before anything is sent, for "Check Only". */
	preview(data: Data): IDataObject;
	/** The same for "Test Recipient", who gets everything instead of the people: no address of theirs is left. */
	redirect(data: Data, testRecipient: string): Data;
	/**
	 * Sends what was prepared for the item.
	 * @param testRecipient Who gets it instead of the people, for what is output later than this returns.
	 * @throws ServiceError; its `mayHaveCreated` says whether it may have been sent.
	 */
	send(item: ItemContext, data: Data, testRecipient?: string): Promise<ItemOutput>;
}

/**
 * One operation of the action node: its form and its work. The node's description and the dispatch
 * are made from a list of these (operations/index.ts).
 */
export type Operation = PlainOperation | SendingOperation;
