import type { IDataObject } from 'n8n-workflow';

import { type EventType, identityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, registerWebhook, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import type { DocsAnchor } from '../http/docs';
import { describeError, ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { textOf } from '../util/values';
import { secretIn } from './url';

/** How many webhooks one run deletes at most: a list may have any number of them. */
const maxRemoved = 100;

/** How many of them at the same time. */
const maxParallel = 10;

/** A webhook that an owner (a trigger node, or one wait) has registered. */
export interface KnownWebhook extends IDataObject {
	webHookID: string;
	type: string;
}

/** How an owner registers webhooks. */
export interface WebhookOwner {
	/** The URL for each event, with a secret of its own. So the secret also tells the events apart. */
	urls: Map<EventType, string>;
	/** What the webhook of an identity event is called at the service. */
	name: string;
	/** Where the owner's errors are explained. */
	docsAnchor: DocsAnchor;
	/** What an error says about the data. */
	consequence?: string;
	/** Aborted when it is too late to register anything. */
	signal?: AbortSignal;
}

/**
 * In the place of its ID, for a webhook whose registration gave none. It is at the service, and only its URL
 * says which one it is.
 */
export const noId = '';

/** What a removal has left, and why. */
interface Removal {
	left: KnownWebhook[];
	failure?: unknown;
}

/** The accounts and IDs of webhooks that this process has deleted: a list can be late. */
const deletedIds = new ProcessMemory<true>({
	name: 'deleted webhooks',
	bound: 1000,
	life: 'until pushed out',
});

/**
 * Makes the owner's webhooks at the service exactly the wanted ones: one for each event type. It can be
 * repeated. What is there and right stays, and what is not wanted goes last, so no event is missed. What is
 * not in the list is registered: one webhook too many gives repeats, which are dropped, and one too few loses
 * events. Some services do not list those of identities (docs/dev/service.md#seen-webhooks).
 * @param isOwn Whether a URL at the service belongs to this owner, whatever its secret.
 * @param known What may be left from before. It may be old, so it only helps to delete.
 * @returns What the owner has now, and what it does not want but could not delete.
 * @throws ServiceError as {@link registerAll}.
 */
export async function syncWebhooks(
	service: ServiceClient,
	owner: WebhookOwner,
	isOwn: (url: string) => boolean,
	known: KnownWebhook[],
): Promise<KnownWebhook[]> {
	const { id: account } = await service.account();
	const own = (await listWebhooks(service)).filter(
		({ webHookID, webHookUrl }) => isOwn(webHookUrl) && !deletedIds.has(`${account} ${webHookID}`),
	);
	const used: KnownWebhook[] = [];
	const missing = new Map(owner.urls);
	for (const { webHookID, type, webHookUrl } of own) {
		const url = missing.get(type as EventType);
		if (!url || secretIn(webHookUrl) !== secretIn(url)) continue;
		missing.delete(type as EventType);
		used.push({ webHookID, type });
	}
	const added = await registerAll(service, { ...owner, urls: missing });
	const inUse = new Set([...used, ...added].map((webhook) => webhook.webHookID));
	const obsolete = [...known, ...own].filter((webhook) => !inUse.has(webhook.webHookID));
	const { left, failure } = await removeEach(service, obsolete);
	if (failure) {
		service.logger.warn(
			`SignVerify: webhooks that are not needed any more could not be deleted: ${describeError(failure).message}`,
		);
	}
	return [...used, ...added, ...left].filter(({ webHookID }) => webHookID !== noId);
}

/**
 * Registers the events of an owner, all at the same time.
 * @throws ServiceError with the first event type that could not be registered. What was registered is then
 * deleted again, or the error names it.
 */
export async function registerAll(
	service: ServiceClient,
	{ urls, name, docsAnchor, consequence, signal }: WebhookOwner,
): Promise<KnownWebhook[]> {
	if (signal?.aborted) throw new Error('It is too late to register anything');
	const { id: account } = await service.account();
	const outcomes = await Promise.all(
		[...urls].map(async ([type, url]) => ({
			type,
			answer: await settle(registerWebhook(service, { type, url, name })),
		})),
	);
	const added: KnownWebhook[] = [];
	let failed: { type: EventType; error: unknown } | undefined;
	for (const { type, answer } of outcomes) {
		if (!answer.ok) {
			failed ??= { type, error: answer.error };
			continue;
		}
		const webHookID = textOf(answer.value.webHookID);
		// Some services give the same ID again to the same URL.
		deletedIds.delete(`${account} ${webHookID}`);
		added.push({ webHookID, type });
	}
	if (!failed && !signal?.aborted) return added;
	// What has no answer may be registered, too.
	const secrets = new Set([...urls.values()].map(secretIn));
	const isOwn = ({ webHookUrl }: Webhook) => secrets.has(secretIn(webHookUrl));
	const { left } = await removeWebhooks(service, added, isOwn);
	if (!failed) throw new Error('It is too late to register anything');
	const { type, error } = failed;
	const { description, shownStatus, serviceStatus } = error instanceof ServiceError ? error : {};
	const ids = left.map(({ webHookID }) => webHookID).join(', ');
	const rest = ids && `Could not be undone: webhook ${ids}.`;
	throw new ServiceError({
		message: `The event ${type} could not be registered: ${describeError(error).message}`,
		description: [description, rest, consequence].filter(Boolean).join(' '),
		docsAnchor,
		httpStatus: shownStatus,
		serviceStatus,
	});
}

/**
 * Removes webhooks, at most 100 in a run. Never throws.
 * @param known By their IDs, also if the service does not list them, or not yet.
 * @param isOwn Which of the listed ones are removed, too.
 * @returns What is left, and the first failure. An identity webhook that the service does not delete is no
 * failure.
 */
export async function removeWebhooks(
	service: ServiceClient,
	known: KnownWebhook[],
	isOwn: (webhook: Webhook) => boolean,
): Promise<Removal> {
	const listed = await settle(listWebhooks(service));
	const own = listed.ok ? listed.value.filter(isOwn) : [];
	const { left, failure } = await removeEach(service, [...known, ...own]);
	return { left, failure: failure ?? (listed.ok ? undefined : listed.error) };
}

/** Removes webhooks by their IDs, as {@link removeWebhooks}. */
async function removeEach(
	service: ServiceClient,
	webhooks: Array<KnownWebhook | Webhook>,
): Promise<Removal> {
	// What is listed says more than what is known, and comes later.
	const byId = new Map(webhooks.map((webhook) => [webhook.webHookID, webhook]));
	byId.delete(noId);
	const account = await settle(service.account());
	if (!account.ok) {
		const left = [...byId.values()].map(({ webHookID, type }) => ({ webHookID, type }));
		return { left, failure: account.error };
	}
	const deletedName = ({ webHookID }: KnownWebhook | Webhook) => `${account.value.id} ${webHookID}`;
	const all = [...byId.values()].filter((webhook) => !deletedIds.has(deletedName(webhook)));
	const left: KnownWebhook[] = [];
	let failure: unknown;
	const remove = async (webhook: KnownWebhook | Webhook) => {
		const { outcome, error } = await removeOne(service, webhook);
		if (outcome === 'deleted') deletedIds.set(deletedName(webhook), true);
		if (outcome === 'deleted' || outcome === 'gone') return;
		left.push({ webHookID: webhook.webHookID, type: webhook.type });
		failure ??= error;
	};
	const some = all.slice(0, maxRemoved);
	for (let at = 0; at < some.length; at += maxParallel) {
		await Promise.all(some.slice(at, at + maxParallel).map(remove));
	}
	const rest = all.length - maxRemoved;
	const words = `SignVerify: ${rest} webhooks of this node are left for the next run.`;
	if (rest > 0) service.logger.warn(words);
	return { left, failure };
}

/**
 * Removes one webhook. Some services answer a second deletion with 400, and some never delete those of
 * identities. Never throws.
 *
 * | the service itself says | listed, of identities | listed, of documents | not listed |
 * | ---------------- | --------------------- | -------------------- | ---------- |
 * | success          | deleted               | deleted              | deleted    |
 * | 404 or 410       | kept                  | gone                 | gone       |
 * | 400              | kept                  | error                | gone       |
 * | anything else    | error                 | error                | error      |
 */
async function removeOne(
	service: ServiceClient,
	webhook: KnownWebhook | Webhook,
): Promise<{ outcome: 'deleted' | 'gone' | 'kept' | 'error'; error?: unknown }> {
	const removal = await settle(removeWebhook(service, webhook));
	if (removal.ok && removal.value === 'deleted') return { outcome: 'deleted' };
	const isMissing = removal.ok;
	const error = removal.ok ? undefined : removal.error;
	const isBadRequest = error instanceof ServiceError && error.serviceStatus === 400;
	if (!isMissing && !isBadRequest) return { outcome: 'error', error };
	const isListed = 'webHookUrl' in webhook;
	if (isListed && webhook.type === identityEvent) return { outcome: 'kept' };
	return isMissing || !isListed ? { outcome: 'gone' } : { outcome: 'error', error };
}
