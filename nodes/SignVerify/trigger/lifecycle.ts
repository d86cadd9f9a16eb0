import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { type EventType, identityEvent, isEvent } from '../api/events';
import { listWebhooks } from '../api/webhooks';
import { readFileSeconds } from '../webhooks/files';
import { isSameNode, newSecret, urlWithSecret, webhookName } from '../webhooks/url';
import { type KnownWebhooks, removeWebhooks } from '../webhooks/remove';
import { compareWebhooks, syncWebhooks, type WantedWebhooks } from '../webhooks/sync';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { InputError, readAll } from '../operations/inputError';
import { listOf, textOf } from '../util/values';
import { checkFilters } from './filters';
import { forget, ownerOf, type Ownership, ownershipOf, stateOf, type TriggerState } from './state';

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

/** Whether exactly the wanted webhooks are at the service. */
export async function checkExists(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, url, ownership } = find(this);
		if (ownership !== 'own' || !state.secret) return false;
		const wanted = wantedOf(this, url, state.secret);
		const existing = await listWebhooks(new ServiceClient(this));
		const { missing, obsolete } = compareWebhooks(existing, wanted, knownOf(state));
		return missing.length === 0 && obsolete.length === 0;
	});
}

/**
 * Registers the trigger's URL for its events. If it throws, n8n repeats it up to five times. A state of
 * another node, or for an earlier URL, is not used.
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, url, ownership } = find(this);
		const secret = (ownership === 'own' && state.secret) || newSecret();
		const wanted = wantedOf(this, url, secret);
		if (ownership !== 'own') abandon(this, state, ownership);
		// Before the secret is there: an identity webhook without one is replaced.
		const known = knownOf(state);
		Object.assign(state, { owner: ownerOf(this), url, secret });
		try {
			await syncWebhooks(new ServiceClient(this), wanted, known);
		} finally {
			keep(state, known);
		}
		return true;
	});
}

/**
 * Removes the trigger's webhooks, and forgets its secret. If the service does not delete an
 * identity webhook, both are kept and used again. A node that has never registered anything
 * removes nothing, because its URL may belong to the original of which it is a copy.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, url, ownership } = find(this);
		if (ownership !== 'own') {
			abandon(this, state, ownership);
			return true;
		}
		const known = knownOf(state);
		try {
			await removeWebhooks(new ServiceClient(this), known, (found) => isSameNode(found, url));
		} finally {
			keep(state, known);
		}
		if (Object.keys(known.ids).length > 0) {
			this.logger.warn(
				'SignVerify Trigger: the service did not delete the webhook for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is published.',
			);
			return true;
		}
		forget(state);
		return true;
	});
}

/** Forgets a state that is not of this node and URL, and changes nothing at the service. */
function abandon(context: IHookFunctions, state: TriggerState, ownership: Ownership): void {
	if (ownership === 'moved') {
		context.logger.warn(
			'SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".',
		);
	}
	forget(state);
}

function wantedOf(context: IHookFunctions, own: string, secret: string): WantedWebhooks {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { types } = readAll({
		types: () => readEvents(context.getNodeParameter('events')),
		// A wrong option or filter is reported now, not when an event arrives.
		seconds: () => readFileSeconds(options.fileSeconds),
		filters: () => checkFilters(context.getNodeParameter('filters', {})),
	});
	return {
		urlFor: (type) => urlWithSecret(own, secret, type),
		isOwn: (url) => isSameNode(url, own),
		types,
		name: webhookName(context),
		secrets: [secret],
		docsAnchor: 'the-trigger',
		consequence: '',
	};
}

/** The state that a node finds, whose it is, and the node's own URL. */
function find(context: IHookFunctions) {
	const url = context.getNodeWebhookUrl('default');
	if (!url) {
		throw new InputError(
			'Webhook',
			'n8n gives this node no URL',
			'Save the workflow and publish it again.',
			'the-trigger',
		);
	}
	const state = stateOf(context);
	return { url, state, ownership: ownershipOf(context, state, url) };
}

function knownOf(state: TriggerState): KnownWebhooks {
	const { url, secret } = state;
	return {
		ids: { ...state.webHookIDs },
		identityUrl: url && secret ? urlWithSecret(url, secret, identityEvent) : undefined,
		identityListed: state.identityListed ?? false,
	};
}

/** Writes back what is known, as whole values, because n8n notices only their change. */
function keep(state: TriggerState, known: KnownWebhooks): void {
	state.webHookIDs = known.ids;
	// Nobody knows whether the identity webhook is there. Without its secret, it is replaced.
	if (known.ids[identityEvent] !== undefined && !known.identityUrl) delete state.secret;
	if (known.identityListed) state.identityListed = true;
}
