import { NodeHelpers } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { KnownIds } from '../registrations/sync';
import { isObject } from '../util/values';
import type { AwaitedDocument } from './document';
import { runDataOf } from './stack';

/** The registrations that an execution waits with: one for each event. */
export interface WaitRegistration {
	/** By event; '' where the service gave none. */
	ids: KnownIds;
	/** Random, and part of the registered addresses: tells this wait from every other one. */
	wait: string;
	/** The execution whose address is registered: a retry has another one. */
	execution: string;
}

/** What an item waits for, and how it is to be output. */
export type WaitTarget =
	| { kind: 'document'; document: AwaitedDocument; simplify: boolean; files: boolean }
	| { kind: 'identity'; validationId: string; email: string; personal: boolean };

/** One of the items with which an execution waits. */
export interface WaitingItem {
	/** What it says until it is done, and when the time is over. */
	pending: INodeExecutionData;
	/** Absent for an item that has nothing to wait for, such as one that failed. */
	target?: WaitTarget;
	/** Once it is done: its document is completed, its person verified. */
	output?: INodeExecutionData;
}

/** All that an execution has to know while it waits. */
export interface WaitState {
	registration: WaitRegistration;
	/** How many events have been noted. */
	eventCount: number;
	/** When to give up (epoch-ms); absent for never. */
	until?: number;
	/** In the order in which they are output. */
	items: WaitingItem[];
}

const key = 'signVerifyWait';

/** Whether an item is still waited for. */
export function isOpen({ target, output }: WaitingItem): boolean {
	return target !== undefined && output === undefined;
}

/** The events that a wait has registered for. */
export function eventsOf({ registration }: WaitState): EventType[] {
	return Object.keys(registration.ids) as EventType[];
}

/** The items of a wait that is over; those whose event did not come say `timedOut: true`. */
export function outputsOf({ items }: WaitState): INodeExecutionData[] {
	return items.map((item) => {
		if (item.output) return item.output;
		const { json, ...rest } = item.pending;
		if (!item.target) return item.pending;
		const completed = item.target.kind === 'document' ? { completed: false } : {};
		return { ...rest, json: { ...json, ...completed, timedOut: true } };
	});
}

/**
 * Keeps the state with the node in the execution's data, which n8n writes to its database when the
 * execution begins to wait: it outlasts a restart, and every process of a queue reads the same.
 */
export function keepState(execute: IExecuteFunctions, state: WaitState): void {
	execute.getContext('node')[key] = state;
}

/** The state of the last wait of the running node in this execution. */
export function keptState(execute: IExecuteFunctions): WaitState | undefined {
	return asState(execute.getContext('node')[key]);
}

/**
 * Reads the state in `webhook()`. Not by an expression, as n8n offers it there: a node's name may
 * hold what ends an expression.
 * @returns undefined where there is none: nobody waits.
 */
export function readState(context: IWebhookFunctions): WaitState | undefined {
	const data = runDataOf(context);
	if (!data?.executionData) return undefined;
	const kept = NodeHelpers.getContext(data as IRunExecutionData, 'node', context.getNode());
	return asState(kept[key]);
}

function asState(value: unknown): WaitState | undefined {
	return isObject(value) && isObject(value.registration) && Array.isArray(value.items)
		? (value as unknown as WaitState)
		: undefined;
}
