import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

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

/** What an execution waits for, and how it is to go on. */
export type Awaited =
	| { kind: 'document'; document: AwaitedDocument; simplify: boolean; files: boolean }
	| { kind: 'identity'; validationId: string; email: string; personal: boolean };

export type WaitState = Awaited & { registration: WaitRegistration };

const key = 'signVerifyWait';

/**
 * Keeps the state with the node in the execution's data, which n8n writes to its database when the
 * execution begins to wait: it outlasts a restart, and every process of a queue reads the same.
 */
export function keepState(execute: IExecuteFunctions, state: WaitState): void {
	execute.getContext('node')[key] = state;
}

/**
 * Reads the state in `webhook()`, where n8n offers the node's context to expressions alone.
 * @returns undefined where there is none: nobody waits.
 */
export function readState(context: IWebhookFunctions): WaitState | undefined {
	const name = JSON.stringify(context.getNode().name);
	const state: unknown = context.evaluateExpression(`{{ $node[${name}].context["${key}"] }}`);
	return isObject(state) && isObject(state.registration)
		? (state as unknown as WaitState)
		: undefined;
}
