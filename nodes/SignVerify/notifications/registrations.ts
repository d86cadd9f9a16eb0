import type { EventType, WebhookRegistration } from '../interface';
import type { ServiceClient } from '../transport/client';
import { isObject } from '../transport/envelope';
import { ServiceFailure } from '../transport/failure';
import { textOf } from '../transport/text';
import { addressWithoutSecret, normalAddress } from './authenticity';
import { identityEvent } from './events';

/** IDs of a trigger's registrations, by event type; '' where the service gave none. */
export type KnownIds = Partial<Record<EventType, string>>;

/** What a trigger knows of its registrations from before. */
export interface KnownRegistrations {
	ids: KnownIds;
	/** The address that they were made for, its secret included. */
	address: string | undefined;
	/**
	 * Whether the service is known to list identity registrations. Undocumented: where it does not,
	 * the ID that was kept has to be believed.
	 */
	identityListed: boolean;
}

/** The registrations that a trigger wants: one for each event type, all at the same address. */
export interface WantedRegistrations {
	/** The full address, its secret included. */
	address: string;
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
	surplus: WebhookRegistration[];
	/** Ours and wanted. */
	kept: WebhookRegistration[];
}

/**
 * Lists all registrations of the account (interface: List webhooks).
 * @throws ServiceFailure when there is no list in the answer.
 */
export async function listRegistrations(service: ServiceClient): Promise<WebhookRegistration[]> {
	const { responseData } = await service.call({ method: 'GET', path: '/webhooks' });
	if (!Array.isArray(responseData)) {
		throw new ServiceFailure({
			message: 'The service answered without a list of webhooks',
			description: 'Check the Base URL in the credential, its path included.',
		});
	}
	return responseData.filter(isObject) as unknown as WebhookRegistration[];
}

/**
 * Compares the wanted registrations with those at the service, by address and type. Ours are those
 * at our address, whatever secret they carry, and those whose ID was kept; nobody else's are
 * looked at.
 */
export function compareRegistrations(
	existing: WebhookRegistration[],
	{ address, types }: WantedRegistrations,
	known: KnownRegistrations,
): RegistrationDifference {
	const full = normalAddress(address);
	const kept: WebhookRegistration[] = [];
	const surplus: WebhookRegistration[] = [];
	for (const each of withUnlisted(existing, known)) {
		if (!isAt(each, address) && !isKnown(each, known)) continue;
		const wanted =
			normalAddress(textOf(each.webHookUrl)) === full &&
			types.includes(each.type as EventType) &&
			!kept.some((other) => other.type === each.type);
		(wanted ? kept : surplus).push(each);
	}
	const missing = types.filter((type) => !kept.some((each) => each.type === type));
	return { missing, surplus, kept };
}

/** Whether a registration leads to the node at an address, whatever its secret. */
export function isAt(registration: WebhookRegistration, address: string): boolean {
	const own = addressWithoutSecret(normalAddress(address));
	return addressWithoutSecret(normalAddress(textOf(registration.webHookUrl))) === own;
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
	if (webHookID === undefined || !address) return existing;
	if (identityListed || showsIdentity(existing)) return existing;
	return [...existing, { webHookID, type: identityEvent, webHookUrl: address }];
}

function isKnown({ webHookID }: WebhookRegistration, { ids }: KnownRegistrations): boolean {
	return Object.values(ids).includes(webHookID);
}
