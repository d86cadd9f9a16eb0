import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { ItemContext, ItemOutput } from '../input/item';
import type { StartedItem, TimeLimit } from '../wait/start';

/** The resources that operations belong to, as workflows save them. */
export type ResourceName = 'document' | 'template' | 'webhook' | 'identity';

/** Something that is checked and ready to be sent to people. */
export interface Prepared<Data> {
	/** The output as far as it is known before anything is sent, for "Check Only". */
	preview: IDataObject;
	/** What `send` gets. A run keeps that of all its items, so it has only what sending needs. */
	data: Data;
}

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
	 * @throws InputError, or ServiceError for a look-up.
	 */
	prepare(item: ItemContext): Promise<Prepared<Data>>;
	/**
	 * Sends what was prepared for the item.
	 * @throws ServiceError; its `mayHaveCreated` says whether it may have been sent.
	 */
	send(item: ItemContext, data: Data): Promise<ItemOutput>;
}

/** An operation that then puts the execution to wait: for one item, and not for an AI agent. */
export interface WaitingOperation<
	Data extends TimeLimit = TimeLimit,
> extends SendingOperation<Data> {
	/** The event that ends the wait. */
	waits: EventType;
	/** Also says what the execution waits for ({@link SendingOperation.send}). */
	send(item: ItemContext, data: Data): Promise<StartedItem>;
}

/**
 * One operation of the action node: its form and its work. The node's description and the dispatch
 * are made from a list of these (operations/index.ts).
 */
export type Operation = PlainOperation | SendingOperation | WaitingOperation;
