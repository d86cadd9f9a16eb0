import { type EventType, identityEvent } from '../api/events';
import type { WebhookRegistration } from '../api/types';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../transport/client';
import { ServiceError } from '../transport/errors';
import { reasonOf, textOf } from '../util/values';
import { normalAddress } from './address';

/**
 * Brings the registrations at the service to exactly the wanted ones: adds what is missing, then
 * removes what is ours and too much. Safe to repeat.
 * @param known What is known from before; brought up to date step by step, so that it is right
 * also when this throws.
 * @throws ServiceError naming the event type that could not be registered; what this call had
 * registered before is removed again.
 */
export async function syncRegistrations(
	service: ServiceClient,
	wanted: WantedRegistrations,
	known: KnownRegistrations,
): Promise<void> {
	const existing = await listWebhooks(service);
	const { missing, obsolete, kept } = compareRegistrations(existing, wanted, known);
	// What no list shows is known by its ID alone, which must not be lost when something fails now.
	const unlisted = obsolete.filter((each) => !existing.includes(each));
	for (const each of unlisted) await removeWebhook(service, each);
	known.identityListed ||= showsIdentity(existing);
	known.address = wanted.addressFor(identityEvent);
	known.ids = Object.fromEntries(kept.map((each) => [each.type, each.webHookID]));

	// The identity event comes last: it is the one that may not be possible to undo.
	const ordered: EventType[] = missing.filter((type) => type !== identityEvent);
	if (missing.includes(identityEvent)) ordered.push(identityEvent);
	for (const [index, type] of ordered.entries()) {
		try {
			known.ids[type] = await register(service, type, wanted);
		} catch (error) {
			const left = await undo(service, ordered.slice(0, index), known);
			throw notRegistered(type, error, left);
		}
	}
	for (const each of obsolete) {
		if (!unlisted.includes(each)) await removeWebhook(service, each);
	}
	if (missing.includes(identityEvent) && !known.identityListed) {
		known.identityListed = showsIdentity(await listWebhooks(service));
	}
}

/**
 * Registers the owner's address for one event.
 * @returns The registration's ID; '' where the service neither gives it nor lists it.
 */
async function register(
	service: ServiceClient,
	type: EventType,
	wanted: WantedRegistrations,
): Promise<string> {
	const { name } = wanted;
	const address = wanted.addressFor(type);
	const webhook = { type, url: address, name };
	const { webHookID } = await registerWebhook(service, webhook, { secrets: wanted.secrets });
	const id = textOf(webHookID);
	if (id !== '') return id;
	// The registration exists all the same; the list knows its ID.
	const nothing = { ids: {}, address: undefined, identityListed: true };
	const listed = await listWebhooks(service);
	const [found] = compareRegistrations(listed, { ...wanted, types: [type] }, nothing).kept;
	if (found) return found.webHookID;
	if (type === identityEvent) return '';
	throw new ServiceError({
		message: 'The service confirmed the registration, but does not list it',
		description: 'Publish the workflow again in a moment; on n8n 1, activate it.',
		topic: 'the-trigger',
	});
}

/** @returns The IDs that could not be removed; these stay known. */
async function undo(
	service: ServiceClient,
	types: EventType[],
	known: KnownRegistrations,
): Promise<string[]> {
	const left: string[] = [];
	for (const type of types) {
		const webHookID = known.ids[type] ?? '';
		try {
			const done = await removeWebhook(service, { webHookID, type });
			if (done === 'refused') left.push(webHookID);
			else delete known.ids[type];
		} catch {
			left.push(webHookID);
		}
	}
	return left;
}

function notRegistered(type: string, error: unknown, left: string[]): ServiceError {
	const reason = reasonOf(error);
	const description = error instanceof ServiceError ? error.description : '';
	const rest = left.length ? ` Could not be undone: registration ${left.join(', ')}.` : '';
	return new ServiceError({
		message: `The event ${type} could not be registered: ${reason}`,
		description: `${description}${rest}`.trim(),
		topic: 'the-trigger',
		...(error instanceof ServiceError && error.answered !== undefined
			? { httpStatus: error.answered }
			: {}),
	});
}

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
interface RegistrationDifference {
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
