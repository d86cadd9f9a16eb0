import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { EventType } from '../interface';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';
import { InputFailure } from '../transport/failure';
import { textOf } from '../transport/text';
import { addressWithSecret, makeSecret } from './authenticity';
import { isEvent } from './events';
import { readFileSeconds } from './files';
import { establishRegistrations } from './register';
import {
	compareRegistrations,
	listRegistrations,
	type KnownIds,
	type WantedRegistrations,
} from './registrations';
import { removeRegistrations, type RemovableRegistrations } from './remove';
import { readSenders } from './senders';

/**
 * What a trigger keeps in its static data between activation and deactivation. Test and production
 * runs each have their own.
 */
interface TriggerState extends IDataObject {
	secret?: string;
	/** The address of the registrations, its secret included. */
	address?: string;
	webHookIDs?: KnownIds;
	/** Kept also when there is no registration: what was learned about the service. */
	identityListed?: boolean;
	identityRemovable?: boolean;
}

/**
 * Reads the event types that a trigger is to listen for.
 * @throws InputFailure when there is none, or one that does not exist.
 */
export function readEvents(value: unknown): EventType[] {
	const list: unknown[] = Array.isArray(value) ? value : [];
	if (list.length === 0)
		throw new InputFailure('Events', 'none is chosen', 'Choose at least one event.');
	if (list.every(isEvent)) return [...new Set(list)];
	throw new InputFailure(
		'Events',
		`there is no event "${textOf(list.find((each) => !isEvent(each)))}"`,
		'Choose events from the list.',
	);
}

/** Whether exactly the wanted registrations are at the service: none missing, none too much. */
export async function checkExists(this: IHookFunctions): Promise<boolean> {
	return await guarded(this, async () => {
		const state = stateOf(this);
		if (!state.secret) return false;
		const wanted = wantedOf(this, state.secret);
		const existing = await listRegistrations(new ServiceClient(this));
		const { missing, surplus } = compareRegistrations(existing, wanted, knownOf(state));
		return missing.length === 0 && surplus.length === 0;
	});
}

/** Registers the trigger's address for its events. n8n repeats it up to five times when it throws. */
export async function create(this: IHookFunctions): Promise<boolean> {
	return await guarded(this, async () => {
		const state = stateOf(this);
		const secret = state.secret ?? makeSecret();
		const wanted = wantedOf(this, secret);
		state.secret = secret;
		const known = knownOf(state);
		try {
			await establishRegistrations(new ServiceClient(this), wanted, known);
		} finally {
			keep(state, known);
		}
		return true;
	});
}

/**
 * Removes the trigger's registrations, and forgets its secret. Where the service does not delete an
 * identity registration, that one and its secret are kept, to be used again.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await guarded(this, async () => {
		const state = stateOf(this);
		const known = knownOf(state);
		try {
			await removeRegistrations(new ServiceClient(this), known, ownAddress(this));
		} finally {
			keep(state, known);
		}
		if (Object.keys(known.ids).length > 0) {
			this.logger.warn(
				'SignVerify Trigger: the service did not delete the registration for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is published or activated.',
			);
			return true;
		}
		for (const name of ['secret', 'address', 'webHookIDs', 'identityListed']) delete state[name];
		return true;
	});
}

function wantedOf(context: IHookFunctions, secret: string): WantedRegistrations {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	// What an event would fail at is said now, not when it arrives.
	readSenders(options.allowedSenders);
	readFileSeconds(options.fileSeconds);
	return {
		address: addressWithSecret(ownAddress(context), secret),
		types: readEvents(context.getNodeParameter('events')),
		name: `n8n: ${context.getWorkflow().name ?? 'workflow'}`.slice(0, 100),
		secrets: [secret],
	};
}

function ownAddress(context: IHookFunctions): string {
	const address = context.getNodeWebhookUrl('default');
	if (address) return address;
	throw new InputFailure(
		'Webhook',
		'n8n gives this node no address',
		'Save the workflow and publish it again; on n8n 1, activate it.',
	);
}

function stateOf(context: IHookFunctions): TriggerState {
	return context.getWorkflowStaticData('node');
}

function knownOf(state: TriggerState): RemovableRegistrations {
	return {
		ids: { ...state.webHookIDs },
		address: state.address,
		identityListed: state.identityListed ?? false,
		identityRemovable: state.identityRemovable ?? false,
	};
}

/** Writes back what is known; whole values, since n8n sees only those change. */
function keep(state: TriggerState, known: RemovableRegistrations): void {
	state.webHookIDs = known.ids;
	if (known.address) state.address = known.address;
	if (known.identityListed) state.identityListed = true;
	if (known.identityRemovable) state.identityRemovable = true;
}

async function guarded<Value>(context: IHookFunctions, work: () => Promise<Value>): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
