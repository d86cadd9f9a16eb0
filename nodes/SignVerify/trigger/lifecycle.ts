import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { type EventType, identityEvent, isEvent } from '../api/events';
import { listWebhooks } from '../api/webhooks';
import { readFileSeconds } from '../webhooks/files';
import { addressWithSecret, isSameNode, makeSecret, webhookName } from '../webhooks/url';
import {
	compareRegistrations,
	type KnownRegistrations,
	syncRegistrations,
	type WantedRegistrations,
} from '../webhooks/sync';
import { removeRegistrations } from '../webhooks/remove';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { InputError } from '../operations/inputError';
import { readAll } from '../operations/problems';
import { listOf, textOf } from '../util/values';
import {
	forgetRegistrations,
	ownerOf,
	type Standing,
	standingOf,
	stateOf,
	type TriggerState,
} from './state';

/** @throws InputError if there is no event, or one that does not exist. */
export function readEvents(value: unknown): EventType[] {
	const list = listOf(value);
	if (list.length === 0)
		throw new InputError('Events', 'none is chosen', 'Choose at least one event.', 'the-trigger');
	if (list.every(isEvent)) return [...new Set(list)];
	throw new InputError(
		'Events',
		`there is no event "${textOf(list.find((each) => !isEvent(each)))}"`,
		'Choose events from the list.',
		'the-trigger',
	);
}

/** Whether exactly the wanted registrations are at the service. */
export async function checkExists(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, address, standing } = find(this);
		if (standing !== 'own' || !state.secret) return false;
		const wanted = wantedOf(this, address, state.secret);
		const existing = await listWebhooks(new ServiceClient(this));
		const { missing, obsolete } = compareRegistrations(existing, wanted, knownOf(state));
		return missing.length === 0 && obsolete.length === 0;
	});
}

/**
 * Registers the trigger's URL for its events. If it throws, n8n repeats it up to five times. A state of
 * another node, or for an earlier URL, is not used.
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, address, standing } = find(this);
		const secret = (standing === 'own' && state.secret) || makeSecret();
		const wanted = wantedOf(this, address, secret);
		if (standing !== 'own') abandon(this, state, standing);
		Object.assign(state, { owner: ownerOf(this), address, secret });
		const known = knownOf(state);
		try {
			await syncRegistrations(new ServiceClient(this), wanted, known);
		} finally {
			keep(state, known);
		}
		return true;
	});
}

/**
 * Removes the trigger's registrations, and forgets its secret. If the service does not delete an
 * identity registration, both are kept and used again. A node that has never registered anything
 * removes nothing, because its URL may belong to the original of which it is a copy.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, address, standing } = find(this);
		if (standing !== 'own') {
			abandon(this, state, standing);
			return true;
		}
		const known = knownOf(state);
		try {
			await removeRegistrations(new ServiceClient(this), known, (found) =>
				isSameNode(found, address),
			);
		} finally {
			keep(state, known);
		}
		if (Object.keys(known.ids).length > 0) {
			this.logger.warn(
				'SignVerify Trigger: the service did not delete the registration for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is published or activated.',
			);
			return true;
		}
		forgetRegistrations(state);
		return true;
	});
}

/** Forgets a state that is not of this node and URL, and changes nothing at the service. */
function abandon(context: IHookFunctions, state: TriggerState, standing: Standing): void {
	if (standing === 'moved') {
		context.logger.warn(
			'SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".',
		);
	}
	forgetRegistrations(state);
	// The other node may use another service.
	if (standing === 'foreign') delete state.identityRemovable;
}

function wantedOf(context: IHookFunctions, own: string, secret: string): WantedRegistrations {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { types } = readAll({
		types: () => readEvents(context.getNodeParameter('events')),
		// A wrong option is reported now, not when an event arrives.
		seconds: () => readFileSeconds(options.fileSeconds),
	});
	return {
		addressFor: (type) => addressWithSecret(own, secret, type),
		isOwn: (address) => isSameNode(address, own),
		types,
		name: webhookName(context),
		secrets: [secret],
		errors: {
			docsAnchor: 'the-trigger',
			later: 'Publish the workflow again in a moment; on n8n 1, activate it.',
			data: '',
		},
	};
}

/** The state that a node finds, whose it is, and the node's own URL. */
function find(context: IHookFunctions) {
	const address = context.getNodeWebhookUrl('default');
	if (!address) {
		throw new InputError(
			'Webhook',
			'n8n gives this node no address',
			'Save the workflow and publish it again; on n8n 1, activate it.',
			'the-trigger',
		);
	}
	const state = stateOf(context);
	return { address, state, standing: standingOf(context, state, address) };
}

function knownOf(state: TriggerState): KnownRegistrations {
	const { address, secret, identityUnsure } = state;
	const isSure = address && secret && !identityUnsure;
	return {
		ids: { ...state.webHookIDs },
		address: isSure ? addressWithSecret(address, secret, identityEvent) : undefined,
		identityListed: state.identityListed ?? false,
		identityRemovable: state.identityRemovable ?? false,
	};
}

/** Writes back what is known, as whole values, because n8n notices only their change. */
function keep(state: TriggerState, known: KnownRegistrations): void {
	state.webHookIDs = known.ids;
	delete state.identityUnsure;
	if (known.ids[identityEvent] !== undefined && !known.address) state.identityUnsure = true;
	if (known.identityListed) state.identityListed = true;
	if (known.identityRemovable) state.identityRemovable = true;
}
