import { NodeHelpers } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { KnownIds } from '../webhooks/remove';
import { isObject } from '../util/values';
import type { AwaitedDocument } from './document';
import { runDataOf } from './stack';

/** The registrations that an execution waits with: one for each event. */
export interface WaitRegistration {
	/** By event; '' if the service gave none. */
	ids: KnownIds;
	/** The random part of the registered URLs. */
	wait: string;
	/** The execution whose URL is registered. A retry has another one. */
	execution: string;
}

/** What an item waits for, and how to output it. */
export type WaitTarget =
	| { kind: 'document'; document: AwaitedDocument; simplify: boolean; files: boolean }
	| { kind: 'identity'; validationId: string; email: string; personal: boolean };

/** One of the items with which an execution waits. */
export interface WaitingItem {
	/** The output until it is done, and when the limit has passed. */
	pending: INodeExecutionData;
	/** Absent if there is nothing to wait for, such as for an item that failed. */
	target?: WaitTarget;
	/** Present when its document is completed or its person verified. */
	output?: INodeExecutionData;
}

/** What an execution must know while it waits. */
export interface WaitState {
	registration: WaitRegistration;
	/** How many events have been noted. */
	eventCount: number;
	/** The end of the wait (epoch-ms); absent if there is no limit. */
	until?: number;
	/** In the order in which they are output. */
	items: WaitingItem[];
}

const key = 'signVerifyWait';

/** Whether an item still waits. */
export function isOpen({ target, output }: WaitingItem): boolean {
	return target !== undefined && output === undefined;
}

/** What an item waits for, in a message; undefined if the service gave no ID. */
export function nameOfTarget(target: WaitTarget): string | undefined {
	if (target.kind === 'identity') return `identity request ${target.validationId}`;
	const { documentId } = target.document;
	return documentId === '' ? undefined : `document ${documentId}`;
}

/** The events that a wait has registered for. */
export function eventsOf({ registration }: WaitState): EventType[] {
	return Object.keys(registration.ids) as EventType[];
}

/** The items of a wait that is over. Those without an event have `timedOut: true`. */
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
 * Keeps the state with the node in the execution's data. n8n writes it to its database when the execution
 * begins to wait. So it survives a restart, and every process in queue mode reads the same.
 */
export function keepState(execute: IExecuteFunctions, state: WaitState): void {
	execute.getContext('node')[key] = state;
}

/** The state of the last wait of the running node in this execution. */
export function keptState(execute: IExecuteFunctions): WaitState | undefined {
	return asState(execute.getContext('node')[key]);
}

/**
 * Reads the state in `webhook()`. n8n offers an expression for this, but a node's name may have
 * characters that end an expression.
 * @returns undefined if nobody waits.
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
