import { identityEvent } from '../api/events';
import type { EventType, WebhookRegistration } from '../api/types';
import { textOf } from '../util/values';
import { normalAddress } from './address';

/** IDs of a trigger's registrations, by event type; '' where the service gave none. */
export type KnownIds = Partial<Record<EventType, string>>;

/** What a trigger knows of its registrations from before. */
export interface KnownRegistrations {
	ids: KnownIds;
	/**
	 * The full address that the identity registration was made for; it may not be listed. undefined
	 * where nobody knows whether it is still there.
	 */
	address: string | undefined;
	/**
	 * Whether the service is known to list identity registrations. Undocumented: where it does not,
	 * the ID that was kept has to be believed.
	 */
	identityListed: boolean;
}

/** The registrations that an owner (a trigger node, or one wait) wants: one for each event type. */
export interface WantedRegistrations {
	/** The full address to register for an event: its secret included, the event named in it. */
	addressFor: (type: EventType) => string;
	/**
	 * Whether an address found at the service belongs to this very owner: a trigger node's own
	 * address, whatever its secret; or one single wait.
	 */
	isOwn: (address: string) => boolean;
	types: EventType[];
	/** How the registration of an identity event is called at the service. */
	name: string;
	/** For error messages: values in the address that must not be shown. */
	secrets: string[];
}

/** How the registrations at the service differ from the wanted ones. */
export interface RegistrationDifference {
	missing: EventType[];
	/** Ours, but not wanted: another type, an older secret, or a second one of the same kind. */
	obsolete: WebhookRegistration[];
	/** Ours and wanted. */
	kept: WebhookRegistration[];
}

/**
 * Compares the wanted registrations with those at the service, by address and type. Ours are those
 * at our own address and those whose ID was kept; nobody else's are looked at.
 */
export function compareRegistrations(
	existing: WebhookRegistration[],
	{ addressFor, isOwn, types }: WantedRegistrations,
	known: KnownRegistrations,
): RegistrationDifference {
	const kept: WebhookRegistration[] = [];
	const obsolete: WebhookRegistration[] = [];
	for (const each of withUnlisted(existing, known)) {
		const address = textOf(each.webHookUrl);
		if (!isOwn(address) && !isKnown(each, known)) continue;
		const type = types.find((type) => type === each.type);
		const wanted =
			type !== undefined &&
			normalAddress(address) === normalAddress(addressFor(type)) &&
			!kept.some((other) => other.type === type);
		(wanted ? kept : obsolete).push(each);
	}
	const missing = types.filter((type) => !kept.some((each) => each.type === type));
	return { missing, obsolete, kept };
}

/** Whether a list shows that the service lists identity registrations. */
export function showsIdentity(existing: WebhookRegistration[]): boolean {
	return existing.some((each) => each.type === identityEvent);
}

/** The list, with the identity registration that is there by our memory, but not listed. */
function withUnlisted(
	existing: WebhookRegistration[],
	{ ids, address, identityListed }: KnownRegistrations,
): WebhookRegistration[] {
	const webHookID = ids[identityEvent];
	if (webHookID === undefined || identityListed || showsIdentity(existing)) return existing;
	// Without an address it is too much, and not what is wanted.
	return [...existing, { webHookID, type: identityEvent, webHookUrl: address ?? '' }];
}

function isKnown({ webHookID }: WebhookRegistration, { ids }: KnownRegistrations): boolean {
	return Object.values(ids).includes(webHookID);
}
