import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../http/client';

/** The resources that operations belong to, as workflows save them. */
export type ResourceName = 'document' | 'template' | 'webhook' | 'identity';

/** What an operation gets to work on one input item. */
export interface ItemContext {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	/** The input item. */
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/** Looks something up once for all items with the same key. They share the result, or the failure. */
	memoize<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
	/** A parameter's value for this item, expressions resolved; undefined if it is not set. */
	parameter(name: string): unknown;
	/** A parameter as the workflow has saved it, which may be an expression; undefined if it is not set. */
	rawParameter(name: string): unknown;
	/**
	 * A resource locator's value (the ID chosen or typed), trimmed; empty if nothing is chosen.
	 * @throws InputError, with the field's name in the form, for a number that is not exact.
	 */
	locator(name: string, field: string): string;
	/**
	 * The values of a form that is loaded ("resource mapper"), by the IDs of its fields.
	 * @throws InputError, with what the form calls itself, if an expression for the whole gives none.
	 */
	mapped(name: string, field: string): Map<string, unknown>;
	/** Shows a message beside the node's output, once for all items; by default a warning. */
	hint(message: string, type?: NodeExecutionHint['type']): void;
}

/** An output of an operation for an item. The pairing with the input is added around it. */
export interface ItemOutput extends Pick<INodeExecutionData, 'json' | 'binary'> {
	/** What was created ("document 64f…"). If the run fails later, its error says what exists already. */
	created?: string;
}

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
	/** Whether it puts the execution to wait: for one item, and not for an AI agent. */
	waits?: boolean;
}

/** An operation that mails nobody. */
interface PlainOperation extends OperationForm {
	/**
	 * Does the work for one item.
	 * @throws InputError before anything is sent, ServiceError afterwards.
	 */
	run(item: ItemContext): Promise<ItemOutput[]>;
}

/** An operation that mails people: its items can have a "Send Once Key", and be only checked. */
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
	send(item: ItemContext, data: Data): Promise<ItemOutput[]>;
}

/**
 * One operation of the action node: its form and its work. The node's description and the dispatch
 * are made from a list of these (operations/index.ts).
 */
export type Operation = PlainOperation | SendingOperation;
