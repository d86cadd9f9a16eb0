import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../../sandbox';
import type { CallName } from '../faults';
import type { Service } from '../service';

/** An item that goes into the node. `n` counts from 1. */
export type Item = IDataObject & { n: number };

/** What the matrix has to know about an operation of the node. */
export interface OperationUnderTest {
	/** As docs and editor call it. */
	words: string;
	/** The node's form. Expressions take the values from the item. */
	parameters: INodeParameters;
	/** The endpoints that it calls. */
	calls: Partial<Record<CallName, string>>;
	/** Makes ready what the items need at the service; gives so many items. */
	prepare(service: Service, count: number): Promise<Item[]>;
	/** An item with a wrong value, which the node can see without asking the service. */
	malformed: IDataObject;
	/** An item that names what is not at the service. */
	absent?(sandbox: Sandbox): IDataObject;
	/** The IDs of what the service created for an item; absent where the operation creates nothing. */
	created?(sandbox: Sandbox, item: Item): string[];
	/** Why an output does not tell of something that was done at the service; nothing if it does. */
	problemOf(sandbox: Sandbox, item: Item, output: INodeExecutionData): string | undefined;
	/** Whether the service did for an item what it was asked for, where this can be seen there. */
	wasDone?(sandbox: Sandbox, item: Item): boolean;
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
