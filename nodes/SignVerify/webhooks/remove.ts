import { type EventType, identityEvent } from '../api/events';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { textOf } from '../util/values';
import { type KnownRegistrations, showsIdentity } from './sync';

/**
 * Removes all registrations of an owner: by the IDs it kept, and by its URL, because an ID may be lost.
 * @param known Updated with each step, because this may throw. At the end it has what is left: nothing,
 * or an identity registration that the service does not delete.
 * @param isOwn Whether a URL at the service belongs to this owner.
 * @throws ServiceError if one could not be removed. The others are then still removed.
 */
export async function removeRegistrations(
	service: ServiceClient,
	known: KnownRegistrations,
	isOwn: (address: string) => boolean,
): Promise<void> {
	const failures = new Map<string, unknown>();
	const refused = new Set<string>();
	const remove = async (webHookID: string, type: string): Promise<void> => {
		try {
			const done = await removeWebhook(service, { webHookID, type });
			if (done === 'refused') refused.add(webHookID);
			else forget(known, webHookID);
			if (type === identityEvent && done === 'deleted') known.identityRemovable = true;
			failures.delete(webHookID);
		} catch (error) {
			failures.set(webHookID, error);
			const status = (error instanceof ServiceError && error.answered) || 500;
			// It may have been deleted. Then the service answers the next attempt with "not found".
			if (type === identityEvent && status >= 500) {
				known.identityRemovable = true;
				known.address = undefined;
			}
		}
	};
	const ids = Object.entries(known.ids) as Array<[EventType, string]>;
	for (const [type, id] of ids) await remove(id, type);

	const listed = await listWebhooks(service);
	known.identityListed ||= showsIdentity(listed);
	const own = listed.filter((each) => isOwn(textOf(each.webHookUrl)));
	for (const each of own) {
		if (!refused.has(each.webHookID)) await remove(each.webHookID, each.type);
	}

	const isListed = (id: string) => listed.some((each) => each.webHookID === id);
	const mayBeThere = (type: string, id: string) =>
		type === identityEvent && !known.identityListed ? !known.identityRemovable : isListed(id);
	const failed = [...failures].find(
		([id]) => isListed(id) || (id === known.ids[identityEvent] && !known.identityListed),
	);
	if (failed) throw failed[1];
	// Also one whose ID was not known: it can be used again as long as its secret is kept.
	const found = own.map(({ type, webHookID }) => [type, webHookID] as [EventType, string]);
	known.ids = Object.fromEntries(
		[...found, ...ids].filter(([type, id]) => refused.has(id) && mayBeThere(type, id)),
	);
}

/** A removed registration is not known any more, whatever fails later. */
function forget({ ids }: KnownRegistrations, webHookID: string): void {
	for (const [type, id] of Object.entries(ids) as Array<[EventType, string]>) {
		if (id === webHookID) delete ids[type];
	}
}
