import type { IHookFunctions } from 'n8n-workflow';

import { type EventType, isEvent } from '../api/events';
import { leadsTo, unreachable, urlWithSecret, webhookName } from '../webhooks/url';
import { readOutput } from '../webhooks/output';
import { removeWebhooks, syncWebhooks } from '../webhooks/sync';
import { ServiceClient } from '../http/client';
import { withNodeErrors } from '../http/errors';
import { InputError, readAll } from '../operations/inputError';
import { listOf, textOf } from '../util/values';
import { readFilters } from './form';
import { forget, isOwner, ownerOf, stateOf, type TriggerState } from './state';

/** @throws InputError if there is no event, or one that does not exist. */
export function readEvents(value: unknown): EventType[] {
	const list = listOf(value);
	if (list.length > 0 && list.every(isEvent)) return [...new Set(list)];
	const wrong = textOf(list.find((each) => !isEvent(each)));
	const reason = list.length > 0 ? `there is no event "${wrong}"` : 'none is chosen';
	throw new InputError('Events', reason, 'Choose at least one event from the list.', 'the-trigger');
}

/**
 * Registers the trigger's URL for its events. If it throws, n8n repeats it up to five times. A state of
 * another node, or for an earlier URL, is not used.
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, url, isOwn } = find(this);
		// Another wrong value is reported now, too, and not when an event arrives.
		const { types } = readAll({
			types: () => readEvents(this.getNodeParameter('events')),
			filters: () => readFilters(this),
			output: () => readOutput(this.getNodeParameter('output', undefined)),
		});
		if (!isOwn) abandon(this, state);
		const { webhooks = {} } = state;
		const known = Object.assign(state, { owner: ownerOf(this), url, webhooks });
		const owner = {
			newUrl: () => urlWithSecret(url),
			isOwn: leadsTo(url),
			name: webhookName(this),
			docsAnchor: 'the-trigger' as const,
		};
		const service = new ServiceClient(this);
		await syncWebhooks(service, types, owner, known);
		const warning = unreachable((await service.account()).baseUrl, url);
		if (warning) this.logger.warn(`SignVerify Trigger: ${warning}`);
		return true;
	});
}

/**
 * Removes the trigger's webhooks, and forgets them. If the service does not delete an identity webhook,
 * it is kept and used again. A node that has never registered anything removes nothing, because its URL
 * may belong to the original of which it is a copy.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const { state, url, isOwn } = find(this);
		if (!isOwn) {
			abandon(this, state);
			return true;
		}
		const known = Object.assign(state, { webhooks: state.webhooks ?? {} });
		await removeWebhooks(new ServiceClient(this), known, leadsTo(url));
		if (Object.keys(known.webhooks).length === 0) {
			forget(state);
		} else {
			this.logger.warn(
				'SignVerify Trigger: the service did not delete the webhook for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is published.',
			);
		}
		return true;
	});
}

/** Forgets a state that is not of this node and URL, and changes nothing at the service. */
function abandon(context: IHookFunctions, state: TriggerState): void {
	if (isOwner(context, state)) {
		context.logger.warn(
			'SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".',
		);
	}
	forget(state);
}

/** The state that a node finds, whether it is its own and for this URL, and the URL. */
function find(context: IHookFunctions) {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const state = stateOf(context);
	return { url, state, isOwn: isOwner(context, state, url) };
}
