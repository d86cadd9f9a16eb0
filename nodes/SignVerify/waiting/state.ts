import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { EventType } from '../interface';
import { isObject } from '../transport/envelope';
import type { AwaitedDocument } from './matching';

/** The registration that an execution waits with. */
export interface WaitRegistration extends IDataObject {
	type: EventType;
	/** '' where the service gave none. */
	webHookID: string;
	/** Without what follows the path: the signature in it lets its holder end the wait. */
	address: string;
}

/** What an item waits for, and how it is to go on. */
export type Awaited =
	| { kind: 'document'; document: AwaitedDocument; simplify: boolean; files: boolean }
	| { kind: 'identity'; validationId: string; email: string; personal: boolean };

/** One of the items with which an execution waits. */
export interface WaitingItem {
	/** What it says until it is done, and when the time is over. */
	pending: INodeExecutionData;
	/** Absent for an item that has nothing to wait for, such as one that failed. */
	awaited?: Awaited;
	/** Once it is done. */
	output?: INodeExecutionData;
}

export interface WaitState {
	registration: WaitRegistration;
	/** When to give up (epoch-ms); absent for never. */
	until?: number;
	/** In the order in which they come out. */
	items: WaitingItem[];
}

const key = 'signVerifyWait';

/** Whether an item is still waited for. */
export function isOpen({ awaited, output }: WaitingItem): boolean {
	return awaited !== undefined && output === undefined;
}

/** What goes on when one more item is done, or when the time is over. */
export function outputsOf({ items }: WaitState): INodeExecutionData[] {
	return items.map((each) => {
		if (each.output) return each.output;
		const { json, ...rest } = each.pending;
		return each.awaited ? { ...rest, json: { ...json, timedOut: true } } : each.pending;
	});
}

/**
 * Keeps the state with the node in the execution's data, which n8n writes to its database when the
 * execution begins to wait: it outlasts a restart, and every process of a queue reads the same.
 */
export function keepState(execute: IExecuteFunctions, state: WaitState): void {
	execute.getContext('node')[key] = state;
}

/** The state of the wait that the running node was in before. */
export function keptState(execute: IExecuteFunctions): WaitState | undefined {
	return asState(execute.getContext('node')[key]);
}

/**
 * Reads the state in `webhook()`, where n8n offers the node's context to expressions alone.
 * @returns undefined where there is none: nobody waits.
 */
export function readState(context: IWebhookFunctions): WaitState | undefined {
	const name = JSON.stringify(context.getNode().name);
	return asState(context.evaluateExpression(`{{ $node[${name}].context["${key}"] }}`));
}

function asState(value: unknown): WaitState | undefined {
	return isObject(value) && isObject(value.registration) && Array.isArray(value.items)
		? (value as unknown as WaitState)
		: undefined;
}
