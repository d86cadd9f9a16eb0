import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { contextOfNode } from '../n8nInternals';
import { isObject } from '../util/values';
import type { AwaitedDocument } from './document';
import type { AwaitedIdentity } from './identity';
import type { WaitWebhook } from './webhook';

/** What an execution waits for, and how to output it. */
export type WaitTarget =
	| { kind: 'document'; document: AwaitedDocument; simplify: boolean; files: boolean }
	| ({ kind: 'identity' } & AwaitedIdentity);

/** What an execution must know while it waits. */
export interface WaitState {
	webhook: WaitWebhook;
	target: WaitTarget;
}

const key = 'signVerifyWait';

/**
 * Keeps the state with the node in the execution's data. n8n writes it to its database when the execution
 * begins to wait. So it survives a restart, and every process in queue mode reads the same.
 */
export function keepState(execute: IExecuteFunctions, state: WaitState): void {
	execute.getContext('node')[key] = state;
}

/** Reads the state in `webhook()`; undefined if nobody waits, or n8n has not stored it yet. */
export function readState(context: IWebhookFunctions): WaitState | undefined {
	const state = contextOfNode(context)?.[key];
	const isState = isObject(state) && isObject(state.webhook) && isObject(state.target);
	return isState ? (state as unknown as WaitState) : undefined;
}
