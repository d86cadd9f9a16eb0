import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { KnownIds } from '../notifications/registrations';
import { isObject } from '../transport/envelope';
import type { AwaitedDocument } from './matching';

/** The registrations that an execution waits with: one for each event, all at one address. */
export interface WaitRegistration {
	/** By event; '' where the service gave none. */
	ids: KnownIds;
	/** Without what follows the path: the signature in it lets its holder end the wait. */
	address: string;
}

/** What an item waits for, and how it is to go on. */
export type Awaited =
	| {
			kind: 'document';
			document: AwaitedDocument;
			simplify: boolean;
			files: boolean;
			/** E-mails (lower case) of those known to have signed; absent where nobody can know. */
			signed?: string[];
	  }
	| { kind: 'identity'; validationId: string; email: string; personal: boolean };

/** One of the items with which an execution waits. */
export interface WaitingItem {
	/** What it says until it is done, and when the time is over. */
	pending: INodeExecutionData;
	/** Absent for an item that has nothing to wait for, such as one that failed. */
	awaited?: Awaited;
	/** Once it is done: its document is completed, its person verified. */
	output?: INodeExecutionData;
}

/** All that an execution has to know while it waits. */
export interface WaitState {
	registration: WaitRegistration;
	/** When it began (epoch-ms): tells the waits of one node in one execution apart. */
	begun: number;
	/** Whether it also goes on each time somebody signs (waiting/rounds.ts). */
	eachSignature: boolean;
	/** False while a signature is out in the workflow and has not come back. */
	asleep: boolean;
	/** How many events have been noted. */
	taken: number;
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

/** Names a wait among all of this n8n. */
export function nameOfWait({ registration, begun }: WaitState): string {
	return `${registration.address} ${begun}`;
}

/** What goes on when the last item is done, or when the time is over. */
export function outputsOf({ items }: WaitState): INodeExecutionData[] {
	return items.map((each) => {
		if (each.output) return each.output;
		const { json, ...rest } = each.pending;
		if (!each.awaited) return each.pending;
		const completed = each.awaited.kind === 'document' ? { completed: false } : {};
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
