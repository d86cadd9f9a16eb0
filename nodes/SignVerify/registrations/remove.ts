import { type EventType, identityEvent } from '../api/events';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../transport/client';
import { ServiceError } from '../transport/errors';
import { textOf } from '../util/values';
import { type KnownRegistrations, showsIdentity } from './sync';

/** What is known from before, and of how the service takes deletions. */
export interface RemovableRegistrations extends KnownRegistrations {
	/**
	 * Whether "not found" means for an identity registration that it is gone: one was deleted
	 * before, or may have been. Else it may as well mean that it is not deleted in this way.
	 */
	identityRemovable: boolean;
}

/**
 * Removes all registrations of an owner: by the IDs it kept, and whatever else stands at its
 * address, in case an ID was lost.
 * @param known Brought up to date step by step, so that it is right also when this throws. Afterwards
 * holds what is left: nothing, or an identity registration that the service does not delete.
 * @param isOwn Whether an address found at the service belongs to this very owner.
 * @throws ServiceError when one could not be removed; the others are removed all the same.
 */
export async function removeRegistrations(
	service: ServiceClient,
	known: RemovableRegistrations,
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
			// It may have acted; then the next attempt is told that there is none.
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
	// Also one whose ID was not known: while its secret is kept, it can be used again.
	const found = own.map(({ type, webHookID }) => [type, webHookID] as [EventType, string]);
	known.ids = Object.fromEntries(
		[...found, ...ids].filter(([type, id]) => refused.has(id) && mayBeThere(type, id)),
	);
}

/** What is removed nobody believes in any more, whatever fails after it. */
function forget({ ids }: RemovableRegistrations, webHookID: string): void {
	for (const [type, id] of Object.entries(ids) as Array<[EventType, string]>) {
		if (id === webHookID) delete ids[type];
	}
}
