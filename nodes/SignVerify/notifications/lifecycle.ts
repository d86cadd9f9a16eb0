import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { DocumentEventType } from '../interface';
import { ServiceClient } from '../transport/client';
import { toNodeError } from '../transport/errors';
import { textOf } from '../transport/text';
import { InputFailure } from '../transport/failure';
import { addressWithSecret, makeSecret } from './authenticity';
import { isDocumentEvent } from './events';
import {
	compareRegistrations,
	establishRegistrations,
	listRegistrations,
	removeRegistrations,
	type WantedRegistrations,
} from './registrations';

/** What a trigger keeps between activation and deactivation. Test and production runs each have their own. */
interface TriggerState extends IDataObject {
	secret?: string;
	webHookIDs?: string[];
}

/**
 * Reads the event types that a trigger is to listen for.
 * @throws InputFailure when there is none, or one that does not exist.
 */
export function readEvents(value: unknown): DocumentEventType[] {
	const list: unknown[] = Array.isArray(value) ? value : [];
	if (list.length === 0)
		throw new InputFailure('Events', 'none is chosen', 'Choose at least one event.');
	const unknown = list.find((each) => !isDocumentEvent(each));
	if (unknown === undefined) return [...new Set(list)] as DocumentEventType[];
	throw new InputFailure(
		'Events',
		`there is no event "${textOf(unknown)}"`,
		'Choose events from the list.',
	);
}

/** Whether exactly the wanted registrations are at the service: none missing, none too much. */
export async function checkExists(this: IHookFunctions): Promise<boolean> {
	return await guarded(this, async () => {
		const { secret } = stateOf(this);
		if (!secret) return false;
		const existing = await listRegistrations(new ServiceClient(this));
		const { missing, surplus } = compareRegistrations(existing, wantedOf(this, secret));
		return missing.length === 0 && surplus.length === 0;
	});
}

/** Registers the trigger's address for its events. n8n repeats it up to five times when it throws. */
export async function create(this: IHookFunctions): Promise<boolean> {
	return await guarded(this, async () => {
		const state = stateOf(this);
		state.secret ??= makeSecret();
		state.webHookIDs = await establishRegistrations(
			new ServiceClient(this),
			wantedOf(this, state.secret),
		);
		return true;
	});
}

/** Removes the trigger's registrations, and forgets its secret. */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await guarded(this, async () => {
		const state = stateOf(this);
		await removeRegistrations(new ServiceClient(this), state.webHookIDs ?? [], ownAddress(this));
		delete state.webHookIDs;
		delete state.secret;
		return true;
	});
}

function wantedOf(context: IHookFunctions, secret: string): WantedRegistrations {
	return {
		address: addressWithSecret(ownAddress(context), secret),
		types: readEvents(context.getNodeParameter('events')),
		secrets: [secret],
	};
}

function ownAddress(context: IHookFunctions): string {
	const address = context.getNodeWebhookUrl('default');
	if (address) return address;
	throw new InputFailure(
		'Webhook',
		'n8n gives this node no address',
		'Save the workflow and activate it again.',
	);
}

function stateOf(context: IHookFunctions): TriggerState {
	return context.getWorkflowStaticData('node');
}

async function guarded<Value>(context: IHookFunctions, work: () => Promise<Value>): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}
