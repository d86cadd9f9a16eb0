import { identityEvent } from '../api/events';
import type { EventType } from '../api/types';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../transport/client';
import { ServiceError } from '../transport/errors';
import { reasonOf, textOf } from '../util/values';
import {
	compareRegistrations,
	type KnownRegistrations,
	showsIdentity,
	type WantedRegistrations,
} from './compare';

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
export async function register(
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
