import { type EventType, identityEvent } from '../api/events';
import type { WebhookRegistration } from '../api/types';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { ServiceError, type DocsAnchor } from '../http/errors';
import { attempt } from '../util/async';
import { reasonOf, textOf } from '../util/values';
import { normalAddress } from './url';

/** IDs of registrations, by event type; '' if the service gave none. */
export type KnownIds = Partial<Record<EventType, string>>;

/** What an owner knows about its registrations from before. */
export interface KnownRegistrations {
	ids: KnownIds;
	/** The whole URL of the identity registration; undefined if it may not be there any more. */
	address: string | undefined;
	/**
	 * Whether the service is known to list identity registrations, which is not documented. If it does not,
	 * the ID that was kept is all there is.
	 */
	identityListed: boolean;
	/**
	 * Whether "not found" means that an identity registration is gone, because one was deleted before, or
	 * may have been. Otherwise it can also mean that it cannot be deleted in this way.
	 */
	identityRemovable: boolean;
}

/** For an owner that treats its identity registration like all others. */
export const onlyIds: Omit<KnownRegistrations, 'ids'> = {
	address: undefined,
	identityListed: true,
	identityRemovable: true,
};

/** The registrations that an owner (a trigger node, or one wait) wants: one for each event type. */
export interface WantedRegistrations {
	/** The whole URL to register for an event, with its secret and the event. */
	addressFor: (type: EventType) => string;
	/** Whether a URL at the service belongs to this owner. */
	isOwn: (address: string) => boolean;
	types: EventType[];
	/** What the registration of an identity event is called at the service. */
	name: string;
	/** Values in the URL that no message may show. */
	secrets: string[];
	/** How the owner's errors are explained. */
	errors: RegistrationErrors;
}

/** What an error says besides the service's reason. */
export interface RegistrationErrors {
	docsAnchor: DocsAnchor;
	/** What to do if the service shows a new registration late. */
	later: string;
	/** What has happened to the data; '' if there is nothing to say. */
	data: string;
}

/** How the registrations at the service differ from the wanted ones. */
interface RegistrationDifference {
	missing: EventType[];
	/** Of this owner, but not wanted: another type, an older secret, or a second one. */
	obsolete: WebhookRegistration[];
	kept: WebhookRegistration[];
}

/**
 * Makes the registrations at the service exactly the wanted ones: adds the missing ones, then removes
 * the owner's obsolete ones. It can be repeated.
 * @param known What is known from before. It is updated with each step, because this may throw.
 * @throws ServiceError with the event type that could not be registered. What this call has registered
 * is removed again.
 */
export async function syncRegistrations(
	service: ServiceClient,
	wanted: WantedRegistrations,
	known: KnownRegistrations,
): Promise<void> {
	const existing = await listWebhooks(service);
	const { missing, obsolete, kept } = compareRegistrations(existing, wanted, known);
	// An unlisted registration is known only by its ID, which must not be lost if something fails later.
	const unlisted = obsolete.filter((each) => !existing.includes(each));
	for (const each of unlisted) await removeWebhook(service, each);
	known.identityListed ||= showsIdentity(existing);
	known.address = wanted.addressFor(identityEvent);
	known.ids = Object.fromEntries(kept.map((each) => [each.type, each.webHookID]));

	// The identity event comes last, because it may not be possible to undo it.
	const isLast = (type: EventType) => type === identityEvent;
	const ordered = [...missing.filter((type) => !isLast(type)), ...missing.filter(isLast)];
	for (const [index, type] of ordered.entries()) {
		try {
			known.ids[type] = await register(service, type, wanted);
		} catch (error) {
			const left = await undo(service, ordered.slice(0, index), known);
			throw notRegistered(type, error, left, wanted.errors);
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
 * Registers the owner's URL for one event.
 * @returns The registration's ID; '' if the service neither gives nor lists it.
 */
async function register(
	service: ServiceClient,
	type: EventType,
	wanted: WantedRegistrations,
): Promise<string> {
	const { name, secrets } = wanted;
	const webhook = { type, url: wanted.addressFor(type), name };
	const { webHookID } = await registerWebhook(service, webhook, { secrets });
	const id = textOf(webHookID);
	if (id !== '') return id;
	// The registration exists, and the list has its ID.
	const nothing = { ...onlyIds, ids: {} };
	const listed = await listWebhooks(service);
	const [found] = compareRegistrations(listed, { ...wanted, types: [type] }, nothing).kept;
	if (found) return found.webHookID;
	if (type === identityEvent) return '';
	throw new ServiceError({
		message: 'The service confirmed the registration, but does not list it',
		description: wanted.errors.later,
		docsAnchor: wanted.errors.docsAnchor,
	});
}

/** @returns The IDs that could not be removed; they stay known. */
async function undo(
	service: ServiceClient,
	types: EventType[],
	known: KnownRegistrations,
): Promise<string[]> {
	const left: string[] = [];
	for (const type of types) {
		const webHookID = known.ids[type] ?? '';
		const done = await attempt(removeWebhook(service, { webHookID, type }));
		if (done.ok && done.value !== 'refused') delete known.ids[type];
		else left.push(webHookID);
	}
	return left;
}

function notRegistered(
	type: string,
	error: unknown,
	left: string[],
	{ docsAnchor, data }: RegistrationErrors,
): ServiceError {
	const { description = '', answered } = error instanceof ServiceError ? error : {};
	const rest = left.length ? `Could not be undone: registration ${left.join(', ')}.` : '';
	return new ServiceError({
		message: `The event ${type} could not be registered: ${reasonOf(error)}`,
		description: [description, rest, data].filter(Boolean).join(' '),
		docsAnchor,
		...(answered === undefined ? {} : { httpStatus: answered }),
	});
}

/**
 * Compares the wanted registrations with those at the service, by URL and type. The owner's are those
 * with its URL or with an ID that was kept. All others are ignored.
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
		if (!isOwn(address) && !Object.values(known.ids).includes(each.webHookID)) continue;
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

/** The list, with an identity registration that is known but not listed. */
function withUnlisted(
	existing: WebhookRegistration[],
	{ ids, address, identityListed }: KnownRegistrations,
): WebhookRegistration[] {
	const webHookID = ids[identityEvent];
	if (webHookID === undefined || identityListed || showsIdentity(existing)) return existing;
	// Without a URL, it counts as obsolete.
	return [...existing, { webHookID, type: identityEvent, webHookUrl: address ?? '' }];
}
