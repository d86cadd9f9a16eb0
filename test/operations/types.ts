import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { Service } from './service';

/** An item that goes into the node. `n` counts from 1. */
export type Item = IDataObject & { n: number };

/** The calls of an operation, by what they are for. */
export type CallName =
	| 'token'
	/** A list that is loaded once for all items. */
	| 'list'
	/** The call for one item. */
	| 'call'
	| 'registration'
	| 'webhooks'
	| 'deletion'
	/** What is looked up when a wait ends. */
	| 'request'
	| 'results';

/**
 * What the tests have to know of an operation of the node. Its names, its words and its form come from
 * the operation itself.
 */
export interface OperationEntry {
	/** The node's form, filled in right. Expressions (`={{ $json.name }}`) take values from the item. */
	parameters: INodeParameters;
	/** The endpoints that it calls (`METHOD /path`, as sandbox/contract/operations.ts names them). */
	calls: Partial<Record<CallName, string>>;
	/** Makes ready what the items need at the service; gives so many items. */
	prepare(service: Service, count: number): Promise<Item[]>;
	/** Values of an item that are wrong, which the node can see without asking the service. */
	malformed: IDataObject;
	/** Values of an item that name what is not at the service. */
	absent?(sandbox: Sandbox): IDataObject;
	/** The IDs of what the service created for an item; absent if the operation creates nothing. */
	created?(sandbox: Sandbox, item: Item): string[];
	/** Why an output does not tell of something that was done at the service; undefined if it does. */
	problemOf(sandbox: Sandbox, item: Item, output: INodeExecutionData): string | undefined;
	/** Whether the service did for an item what it was asked for, if this can be seen there. */
	wasDone?(sandbox: Sandbox, item: Item): boolean;
	/** Other forms whose output has more fields, for the schema. */
	variants?: INodeParameters[];
	/** For a list or a look-up: the fields that an AI agent gets of it. */
	simplified?: string[];
	/** For an operation that waits. */
	waits?: {
		/** The event that it waits for. */
		event: string;
		/** Ends what is waited for, as the person would. */
		finish(sandbox: Sandbox, id: string): Promise<void>;
		/** Makes something of another client that the same event is about. */
		other(service: Service): Promise<string>;
	};
}

/** The entries of a resource, by the values that workflows are saved with: these never change. */
export type Entries = Record<string, OperationEntry>;
