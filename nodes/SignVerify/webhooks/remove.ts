import { type EventType, identityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { textOf } from '../util/values';

/** IDs of webhooks, by event type; '' if the service gave none. */
export type KnownIds = Partial<Record<EventType, string>>;

/**
 * What an owner knows about its webhooks from before. Whether the service lists identity webhooks, and
 * whether it deletes them, is not documented (docs/dev/service.md#seen-webhooks), so it is learned.
 */
export interface KnownWebhooks {
	ids: KnownIds;
	/** The whole URL of the identity webhook; undefined if it may not be there any more. */
	identityUrl: string | undefined;
	/** Whether identity webhooks are listed. If they are not, the ID that was kept is all there is. */
	identityListed: boolean;
}

/**
 * Removes all webhooks of an owner: those with its URL or an ID that it kept.
 * @param known Updated with what is left: nothing, what could not be removed, or an identity webhook
 * that the service does not delete. That one can be used again as long as its secret is kept.
 * @param isOwn Whether a URL at the service belongs to this owner.
 * @throws ServiceError if one could not be removed. The others are then still removed.
 */
export async function removeWebhooks(
	service: ServiceClient,
	known: KnownWebhooks,
	isOwn: (url: string) => boolean,
): Promise<void> {
	const listed = await listWebhooks(service);
	known.identityListed ||= showsIdentity(listed);
	const ids = Object.values(known.ids);
	const isKnown = (id: string) => id !== '' && ids.includes(id);
	const own = listed.filter((each) => isOwn(textOf(each.webHookUrl)) || isKnown(each.webHookID));
	const left: KnownIds = {};
	const failures: unknown[] = [];
	for (const each of [...own, ...unlistedOf(known, listed)]) {
		const type = each.type as EventType;
		const removal = await settle(removeWebhook(service, each));
		if (removal.ok && removal.value !== 'refused') continue;
		left[type] = each.webHookID;
		if (removal.ok) continue;
		const { error } = removal;
		failures.push(error);
		const status = (error instanceof ServiceError && error.answered) || 500;
		// It may have been deleted, and no list will say so. Then publishing again replaces it.
		if (type === identityEvent && status >= 500 && !known.identityListed) {
			known.identityUrl = undefined;
		}
	}
	known.ids = left;
	if (failures.length > 0) throw failures[0];
}

/** Whether a list shows that the service lists identity webhooks. */
export function showsIdentity(existing: Webhook[]): boolean {
	return existing.some((each) => each.type === identityEvent);
}

/** The identity webhook that is known, if the service does not list such webhooks. */
export function unlistedOf(
	{ ids, identityUrl, identityListed }: KnownWebhooks,
	existing: Webhook[],
): Webhook[] {
	const webHookID = ids[identityEvent];
	if (webHookID === undefined || identityListed || showsIdentity(existing)) return [];
	// Without a URL, it counts as obsolete.
	return [{ webHookID, type: identityEvent, webHookUrl: identityUrl ?? '' }];
}
