import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { ServiceClient } from '../transport/client';
import type { WaitTarget } from '../wait/state';

/** The resources that operations belong to, as workflows save them. */
export type ResourceName = 'document' | 'template' | 'webhook' | 'identity' | 'item';

/** What an operation gets to work on one input item. */
export interface ItemContext {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	readonly service: ServiceClient;
	/**
	 * Looks something up once for all items of the execution.
	 * @param key Names what is looked up; items with the same key share it.
	 * @param load Does the look-up; a failure is shared, too.
	 */
	shared<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
	/** A parameter's value for this item, expressions resolved; undefined where it is not set. */
	parameter(name: string): unknown;
	/** A resource locator's value (the ID chosen or typed), trimmed; empty where nothing is chosen. */
	locator(name: string): string;
	/** Shows a warning beside the node's output, once however many items give it. */
	hint(message: string): void;
}

/** What an operation makes of an item; the pairing with the input is added around it. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'> & {
	/** What the execution is to wait for before the output goes out; of operations that wait. */
	target?: WaitTarget;
	/**
	 * Names what was created for it ("document 64f…"), so that a run which fails later can say what
	 * exists already.
	 */
	created?: string;
	/** The ID that the service gave to what was sent, of operations that mail people. */
	sentId?: string;
};

/**
 * How much of a list's or look-up's answer goes to an AI agent. n8n's guideline for tools asks for this
 * choice, because a model reads all of it, and is charged for it.
 */
export interface ToolOutput {
	/** What the answer is about; always there with "Selected Fields". */
	id: string;
	/** The fields that can be selected, in the order of the answer. */
	fields: string[];
	/** The answer, reduced to what a workflow works with. */
	simplify: (json: IDataObject) => IDataObject;
}

/** Something that is checked and ready to go out to people. */
export interface Prepared {
	/** The output as far as it is known before anything is sent; "Check Only" gives it out. */
	preview: IDataObject;
	/** @throws ServiceError; its `mayHaveCreated` says whether it may have gone out all the same. */
	send(): Promise<ItemOutput[]>;
}

/** What every operation says of itself. */
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
	/** Whether it puts the execution to wait; such an operation is not offered to AI agents. */
	waits?: boolean;
}

/** An operation that mails nobody. */
interface PlainOperation extends OperationForm {
	/**
	 * Does the work for one item.
	 * @throws InputError before anything is sent, ServiceError afterwards.
	 */
	run(item: ItemContext): Promise<ItemOutput[]>;
	/** For a list or a look-up: how much of the answer an AI agent gets. */
	toolOutput?: ToolOutput;
}

/** An operation that mails people: its items can have a "Send Once Key", and be only checked. */
export interface SendingOperation extends OperationForm {
	/** The name that the ID of what is sent has in the output. */
	idField: 'documentId' | 'validationId';
	/**
	 * Looks up and checks everything for one item; nothing is sent.
	 * @throws InputError, or ServiceError for a look-up.
	 */
	prepare(item: ItemContext): Promise<Prepared>;
}

/**
 * One operation of the action node: its form and its work. The node's description and the dispatch
 * are made from a list of these (operations/index.ts).
 */
export type Operation = PlainOperation | SendingOperation;
