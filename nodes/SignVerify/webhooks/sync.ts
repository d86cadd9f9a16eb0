import type { IDataObject } from 'n8n-workflow';

import { type EventType, identityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { describeError, ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { textOf } from '../util/values';
import { hashIn } from './url';

/** How many webhooks one run deletes at most: a list may have any number of them. */
const maxRemoved = 100;

/** What an owner (a trigger node, or one wait) keeps of a webhook. */
export interface KnownWebhook extends IDataObject {
	/** Of the secret in its URL; '' if it may have been deleted. It is then replaced. */
	hash: string;
	/** '' if the service gave none; absent until the service has said that it is registered. */
	id?: string;
}

/**
 * What an owner knows about its webhooks. Whether the service lists identity webhooks, and whether it
 * deletes them, is not documented (docs/dev/service.md#seen-webhooks), so it is learned.
 */
export interface KnownWebhooks {
	webhooks: Partial<Record<EventType, KnownWebhook>>;
	/** Whether identity webhooks are listed. If they are not, what was kept is all there is. */
	identityListed?: boolean;
}

/** How an owner registers webhooks. */
export interface WebhookOwner {
	/** Makes a URL with a secret of its own. So the secret also tells the events apart. */
	newUrl: () => string;
	/** Whether a URL at the service belongs to this owner. */
	isOwn: (url: string) => boolean;
	/** What the webhook of an identity event is called at the service. */
	name: string;
	/** Where the owner's errors are explained. */
	docsAnchor: string;
	/** What an error says about the data. */
	consequence?: string;
}

/** A webhook of an owner; without a URL if the service does not list it. */
interface OwnWebhook extends Pick<Webhook, 'webHookID' | 'type'> {
	webHookUrl?: string;
	/** Of its secret; '' if it is not the one with which it was registered. */
	hash: string;
}

/**
 * Makes the owner's webhooks at the service exactly the wanted ones: one for each event type. It can be
 * repeated, and ignores those of others.
 * @param known What is known from before. It is updated with each step, because this may throw.
 * @throws ServiceError with the event type that could not be registered. The owner then has no webhooks,
 * or the error names those that are left.
 */
export async function syncWebhooks(
	service: ServiceClient,
	types: EventType[],
	owner: WebhookOwner,
	known: KnownWebhooks,
): Promise<void> {
	const { isOwn } = owner;
	const kept: KnownWebhooks['webhooks'] = {};
	// What this owner does not want: another type, an older secret, or a second one.
	const obsolete: OwnWebhook[] = [];
	for (const each of await listOwn(service, isOwn, known)) {
		const type = types.find((type) => type === each.type);
		if (type && !kept[type] && each.hash) kept[type] = keep(each);
		else obsolete.push(each);
	}
	const missing = types.filter((type) => !kept[type]);
	// First, because the ID of an identity webhook that is not listed would be lost.
	await removeEach(service, obsolete, known, kept);
	// The identity event comes last, because it may not be possible to undo it.
	const isLast = (type: EventType) => type === identityEvent;
	for (const type of [...missing.filter((each) => !isLast(each)), ...missing.filter(isLast)]) {
		await register(service, type, owner, known);
	}
	const isNew = missing.includes(identityEvent);
	if (isNew && !known.identityListed) await listOwn(service, isOwn, known);
}

/** Registers one event. @throws ServiceError as {@link syncWebhooks}. */
export async function register(
	service: ServiceClient,
	type: EventType,
	owner: WebhookOwner,
	known: KnownWebhooks,
): Promise<void> {
	const url = owner.newUrl();
	const hash = hashIn(url) ?? '';
	// Before the call, because its answer may be lost.
	known.webhooks = { ...known.webhooks, [type]: { hash } };
	const added = await settle(registerWebhook(service, { type, url, name: owner.name }));
	if (added.ok) {
		const id = textOf(added.value.webHookID);
		known.webhooks = { ...known.webhooks, [type]: { hash, id } };
		return;
	}
	await settle(removeWebhooks(service, known, owner.isOwn));
	const { error } = added;
	const { description, answered } = error instanceof ServiceError ? error : {};
	const left = idsOf(known).join(', ');
	const rest = left && `Could not be undone: webhook ${left}.`;
	throw new ServiceError({
		message: `The event ${type} could not be registered: ${describeError(error).message}`,
		description: [description, rest, owner.consequence].filter(Boolean).join(' '),
		docsAnchor: owner.docsAnchor,
		...(answered === undefined ? {} : { httpStatus: answered }),
	});
}

/**
 * Removes all webhooks of an owner, at most 100 in a run.
 * @param known Updated with what is left: nothing, what could not be removed, or an identity webhook
 * that the service does not delete. That one can be used again.
 * @throws ServiceError if one could not be removed. The others are then still removed.
 */
export async function removeWebhooks(
	service: ServiceClient,
	known: KnownWebhooks,
	isOwn: WebhookOwner['isOwn'],
): Promise<void> {
	await removeEach(service, await listOwn(service, isOwn, known), known, {});
}

async function removeEach(
	service: ServiceClient,
	webhooks: OwnWebhook[],
	known: KnownWebhooks,
	kept: KnownWebhooks['webhooks'],
): Promise<void> {
	// What stays, and what could not be removed.
	const left = { ...kept };
	const failures: unknown[] = [];
	for (const each of webhooks.slice(0, maxRemoved)) {
		const removal = await settle(removeWebhook(service, each));
		if (removal.ok && removal.value !== 'refused') continue;
		const type = each.type as EventType;
		left[type] ??= keep(each);
		if (removal.ok) continue;
		failures.push(removal.error);
		const status = (removal.error instanceof ServiceError && removal.error.answered) || 500;
		// It may have been deleted, and no list will say so. Then publishing again replaces it.
		if (each.webHookUrl === undefined && status >= 500) left[type] = keep({ ...each, hash: '' });
	}
	known.webhooks = left;
	const rest = webhooks.length - maxRemoved;
	const words = `SignVerify: ${rest} webhooks of this node are left for the next run.`;
	if (rest > 0) service.logger.warn(words);
	if (failures.length > 0) throw failures[0];
}

/** Lists the webhooks of an owner: those with an ID that it kept, and then those with its URL. */
async function listOwn(
	service: ServiceClient,
	isOwn: WebhookOwner['isOwn'],
	known: KnownWebhooks,
): Promise<OwnWebhook[]> {
	const listed = await listWebhooks(service);
	known.identityListed ||= listed.some(({ type }) => type === identityEvent);
	const ids = new Set(idsOf(known));
	const own = [
		...listed.filter(({ webHookID }) => ids.has(webHookID)),
		...listed.filter(({ webHookID, webHookUrl }) => !ids.has(webHookID) && isOwn(webHookUrl)),
	].map((each) => {
		const { hash = '' } = known.webhooks[each.type as EventType] ?? {};
		return { ...each, hash: hashIn(each.webHookUrl) === hash ? hash : '' };
	});
	const { hash = '', id } = known.webhooks[identityEvent] ?? {};
	if (id === undefined || known.identityListed) return own;
	return [{ webHookID: id, type: identityEvent, hash }, ...own];
}

function keep({ hash, webHookID }: OwnWebhook): KnownWebhook {
	return { hash, id: webHookID };
}

function idsOf({ webhooks }: KnownWebhooks): string[] {
	return Object.values(webhooks).flatMap(({ id }) => id || []);
}
