import { type EventType, identityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { ServiceError, type DocsAnchor } from '../http/errors';
import { settle } from '../util/async';
import { reasonOf, textOf } from '../util/values';
import { type KnownWebhooks, removeWebhooks, showsIdentity, unlistedOf } from './remove';
import { normalUrl } from './url';

/** The webhooks that an owner (a trigger node, or one wait) wants: one for each event type. */
export interface WantedWebhooks {
	/** The whole URL to register for an event, with its secret and the event. */
	urlFor: (type: EventType) => string;
	/** Whether a URL at the service belongs to this owner. */
	isOwn: (url: string) => boolean;
	types: EventType[];
	/** What the webhook of an identity event is called at the service. */
	name: string;
	/** Values in the URL that no message may show. */
	secrets: string[];
	/** Where the owner's errors are explained. */
	docsAnchor: DocsAnchor;
	/** What an error says about the data; '' if there is nothing to say. */
	consequence: string;
}

/** How the webhooks at the service differ from the wanted ones. */
interface WebhookDifference {
	missing: EventType[];
	/** Of this owner, but not wanted: another type, an older secret, or a second one. */
	obsolete: Webhook[];
	kept: Webhook[];
}

/**
 * Makes the owner's webhooks at the service exactly the wanted ones. It can be repeated.
 * @param known What is known from before. It is updated with each step, because this may throw.
 * @throws ServiceError with the event type that could not be registered. The owner then has no webhooks,
 * or the error names those that are left.
 */
export async function syncWebhooks(
	service: ServiceClient,
	wanted: WantedWebhooks,
	known: KnownWebhooks,
): Promise<void> {
	const existing = await listWebhooks(service);
	known.identityListed ||= showsIdentity(existing);
	const { missing, obsolete, kept } = compareWebhooks(existing, wanted, known);
	// First, because the ID of an identity webhook that is not listed would be lost.
	for (const each of obsolete) await removeWebhook(service, each);
	known.ids = Object.fromEntries(kept.map((each) => [each.type, each.webHookID]));
	known.identityUrl = wanted.urlFor(identityEvent);

	// The identity event comes last, because it may not be possible to undo it.
	const isLast = (type: EventType) => type === identityEvent;
	for (const type of [...missing.filter((each) => !isLast(each)), ...missing.filter(isLast)]) {
		const webhook = { type, url: wanted.urlFor(type), name: wanted.name };
		const added = await settle(registerWebhook(service, webhook, { secrets: wanted.secrets }));
		if (!added.ok) {
			await settle(removeWebhooks(service, known, wanted.isOwn));
			throw notRegistered(type, added.error, Object.values(known.ids), wanted);
		}
		known.ids[type] = textOf(added.value.webHookID);
	}
	if (missing.includes(identityEvent) && !known.identityListed) {
		known.identityListed = showsIdentity(await listWebhooks(service));
	}
}

function notRegistered(
	type: string,
	error: unknown,
	left: string[],
	{ docsAnchor, consequence }: WantedWebhooks,
): ServiceError {
	const { description = '', answered } = error instanceof ServiceError ? error : {};
	const rest = left.length ? `Could not be undone: webhook ${left.join(', ')}.` : '';
	return new ServiceError({
		message: `The event ${type} could not be registered: ${reasonOf(error)}`,
		description: [description, rest, consequence].filter(Boolean).join(' '),
		docsAnchor,
		...(answered === undefined ? {} : { httpStatus: answered }),
	});
}

/**
 * Compares the wanted webhooks with those at the service, by URL and type. The owner's are those with
 * its URL or with an ID that was kept. All others are ignored.
 */
export function compareWebhooks(
	existing: Webhook[],
	{ urlFor, isOwn, types }: WantedWebhooks,
	known: KnownWebhooks,
): WebhookDifference {
	const kept: Webhook[] = [];
	const obsolete: Webhook[] = [];
	for (const each of [...existing, ...unlistedOf(known, existing)]) {
		const url = textOf(each.webHookUrl);
		if (!isOwn(url) && !Object.values(known.ids).includes(each.webHookID)) continue;
		const type = types.find((type) => type === each.type);
		const isWanted =
			type !== undefined &&
			normalUrl(url) === normalUrl(urlFor(type)) &&
			!kept.some((other) => other.type === type);
		(isWanted ? kept : obsolete).push(each);
	}
	const missing = types.filter((type) => !kept.some((each) => each.type === type));
	return { missing, obsolete, kept };
}
