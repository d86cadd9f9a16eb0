import { createHash } from 'crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { KnownIds } from '../registrations/sync';

/**
 * What a trigger keeps in its static data between publishing and unpublishing. Test and production
 * runs each have their own.
 */
export interface TriggerState extends IDataObject {
	/** Whose state it is (`ownerOf`): n8n copies static data along with a workflow. */
	owner?: string;
	/** The node's own address that the registrations are at, without the secret. */
	address?: string;
	secret?: string;
	webHookIDs?: KnownIds;
	/** Whether a deletion of the identity registration got no answer: it may be gone. */
	identityUnsure?: boolean;
	/** Kept also when there is no registration: what was learned about the service. */
	identityListed?: boolean;
	identityRemovable?: boolean;
}

/**
 * Whose state a node found. `none`: it has no registration. `own`: its own. `moved`: its own, from
 * before the address of n8n changed. `foreign`: that of the node that it is a copy of.
 */
export type Standing = 'none' | 'own' | 'moved' | 'foreign';

type Context = Pick<
	IHookFunctions,
	'getInstanceId' | 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'
>;

/** The state of a node, in n8n's static data: n8n stores what is written to it. */
export function stateOf(context: Pick<Context, 'getWorkflowStaticData'>): TriggerState {
	return context.getWorkflowStaticData('node');
}

/**
 * Names a trigger node among all n8n: a hash of instance, workflow and node. A copy differs in at
 * least one of them, or in its address (docs/trigger.md, "Copies").
 */
export function ownerOf(context: Context): string {
	const { id = '' } = context.getWorkflow();
	const parts = [context.getInstanceId(), String(id), context.getNode().id];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Whether a node may believe the secret in its state. The address does not count here: n8n gives a
 * test run its production address, and a process of its own for webhooks may be told another.
 */
export function isOwner(context: Context, state: TriggerState): boolean {
	return state.owner === ownerOf(context);
}

/** Whose state a node with this address found. */
export function standingOf(context: Context, state: TriggerState, address: string): Standing {
	if (!state.owner && !state.secret) return 'none';
	if (!isOwner(context, state)) return 'foreign';
	return state.address === address ? 'own' : 'moved';
}

/** Forgets all that belongs to the registrations; what was learned about the service stays. */
export function forgetRegistrations(state: TriggerState): void {
	for (const name of [
		'owner',
		'address',
		'secret',
		'webHookIDs',
		'identityUnsure',
		'identityListed',
	]) {
		delete state[name];
	}
}
