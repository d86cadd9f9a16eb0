import { createHash } from 'crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { KnownWebhooks } from '../webhooks/sync';

/** A trigger's static data while it is published. Test and production runs each have their own. */
export interface TriggerState extends IDataObject, Partial<KnownWebhooks> {
	/** Whose state it is (`ownerOf`), because n8n copies static data along with a workflow. */
	owner?: string;
	/** The node's registered URL, without the secret. */
	url?: string;
}

type Context = Pick<IHookFunctions, 'getInstanceId' | 'getWorkflow' | 'getNode'>;

/** The state of a node. n8n stores what is written to it. */
export function stateOf(context: Pick<IHookFunctions, 'getWorkflowStaticData'>): TriggerState {
	return context.getWorkflowStaticData('node');
}

/**
 * A name for a trigger node in any n8n: a hash of instance, workflow and node. A copy has at least one
 * other part, or another URL (docs/trigger.md, "Copies").
 */
export function ownerOf(context: Context): string {
	const { id = '' } = context.getWorkflow();
	const parts = [context.getInstanceId(), String(id), context.getNode().id];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Whether a node may use the state that it found: it can be that of the node of which it is a copy, or
 * nobody's. For the hashes in it, the URL is not compared: n8n gives a test run its production URL, and a
 * separate process for webhooks may have another one.
 */
export function isOwner(context: Context, state: TriggerState, url = state.url): boolean {
	return state.owner === ownerOf(context) && state.url === url;
}

/** Forgets everything. n8n stores the same object, so it is emptied. */
export function forget(state: TriggerState): void {
	for (const name of Object.keys(state)) delete state[name];
}
