import type { ServiceClient } from '../account/client';
import { type EventRow, isIdentityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { unregisterWebhook, listWebhooks, registerWebhook } from '../api/webhooks';
import { describeError } from '../errors/nodeError';
import { logOncePerMinute } from '../events/logOncePerMinute';
import { isRefusedWith, ServiceError } from '../http/serviceError';
import { registrationProblems } from './registrationProblems';
import { settle } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { textOf } from '../util/values';
import { differenceOf } from './returnedUrl';
import { secretIn } from './webhookSecret';

/**
 * The maximum number of webhooks to delete in one run. An account can contain any number of webhooks, and the
 * rest are deleted the next time the workflow is published.
 */
const maxDeletedPerRun = 100;

const maxParallelDeletions = 10;

export type KnownWebhook = {
	webHookID: string;
	type: string;
};

export interface WantedWebhooks {
	/** The URL for each event. Each URL has its own secret, so a secret also identifies its event. */
	urls: Map<EventRow, string>;
	/** The name for an identity event's webhook in the account. */
	name: string;
	/**
	 * The URL of a trigger, which stays the same each time the workflow is published. So a webhook from an
	 * earlier publication can have the same URL. Undefined for a wait, whose URLs are always new.
	 */
	permanentUrl?: string;
	/**
	 * Whether n8n publishes a trigger itself after a restart. Its webhooks then stay even if the service has stored their
	 * URLs wrongly.
	 */
	isRestart?: boolean;
	/** Only for a trigger, because n8n waits while the trigger is being registered. */
	timeLimits?: {
		/** The time (`performance.now()`) by which all calls that register must have ended. */
		registerBy: number;
		/** How long (ms) deleting webhooks may take. */
		cleanUpMs: number;
	};
}

/**
 * A placeholder for a webhook's ID if the service returned none. The webhook exists, but only its URL
 * identifies it.
 */
export const noId = '';

interface ObsoleteWebhook {
	webHookID: string;
	type: string;
	/** Whether the service's list contains the webhook; undefined if the list couldn't be read. */
	isListed: boolean | undefined;
	/**
	 * The webhook's URL in the list; '' if unknown. It contains a secret that must not appear in a message.
	 */
	webHookUrl: string;
}

export interface Deletion {
	remaining: KnownWebhook[];
	error?: unknown;
}

/**
 * The webhooks that this process has deleted, by {@link webhookKey}. The service's list can be outdated and
 * still contain them.
 */
const deletedIds = new ProcessMemory<true>({
	bound: 1000,
});

function webhookKey(account: string, { webHookID }: Pick<Webhook, 'webHookID'>): string {
	return `${account} ${webHookID}`;
}

/**
 * Registers the webhooks that a trigger lacks: one webhook per event type. Calling this function again
 * changes nothing.
 *
 * Correct webhooks are kept, and obsolete ones are deleted last, by the caller ({@link cleanUpObsolete}), so
 * no event is missed. A webhook that is missing from the service's list is registered, even though it may
 * exist, because some services don't list identity webhooks (docs/dev/service.md#seen-webhooks). If it does
 * exist, its events arrive twice, and the node ignores the duplicates. If it doesn't exist and weren't
 * registered, its events would be lost.
 * @param isOwnUrl Whether a registered URL belongs to this trigger, regardless of its secret.
 * @param knownWebhooks Webhooks that the trigger registered earlier and that may still exist. This
 * information may be outdated, so it is used only to delete webhooks.
 * @param doubtfulIds The IDs of webhooks whose deletion got no response. They are replaced, because the
 * service may still delete them.
 * @returns The webhooks that the trigger needs, and the obsolete ones.
 */
export async function syncWebhooks(
	service: ServiceClient,
	wanted: WantedWebhooks,
	isOwnUrl: (url: string) => boolean,
	{ knownWebhooks, doubtfulIds }: { knownWebhooks: KnownWebhook[]; doubtfulIds: string[] },
): Promise<{ webhooks: KnownWebhook[]; obsolete: ObsoleteWebhook[] }> {
	const { id: account } = await service.account();
	const list = await listWebhooks(registeringClient(service, wanted));
	const ownWebhooks = list.filter(
		(webhook) => isOwnUrl(webhook.webHookUrl) && !deletedIds.has(webhookKey(account, webhook)),
	);
	const keptWebhooks: KnownWebhook[] = [];
	const urls = new Map(wanted.urls);
	for (const { webHookID, type, webHookUrl } of ownWebhooks) {
		const [event, url = ''] = [...urls].find(([row]) => row.type === type) ?? [];
		if (!event || secretIn(webHookUrl) !== secretIn(url)) continue;
		if (doubtfulIds.includes(webHookID)) continue;
		urls.delete(event);
		keptWebhooks.push({ webHookID, type });
	}
	const addedWebhooks = await registerWebhooks(service, { ...wanted, urls }, list);
	const wantedIds = new Set([...keptWebhooks, ...addedWebhooks].map(({ webHookID }) => webHookID));
	const obsolete = [...knownWebhooks, ...ownWebhooks].filter(
		({ webHookID }) => !wantedIds.has(webHookID),
	);
	return {
		webhooks: [...keptWebhooks, ...addedWebhooks],
		obsolete: lookedUpIn(list, obsolete),
	};
}

/**
 * Deletes a trigger's obsolete webhooks. Never throws, because the trigger works even if they remain.
 * @param cleanUpMs How long (ms) this may take, because n8n waits for the trigger.
 * @returns The webhooks that remain. They are deleted the next time the workflow is published.
 */
export async function cleanUpObsolete(
	service: ServiceClient,
	webhooks: ObsoleteWebhook[],
	cleanUpMs: number,
): Promise<KnownWebhook[]> {
	const end = AbortSignal.timeout(cleanUpMs);
	const { remaining, error } = await deleteEach(service.endedBy(end), webhooks);
	if (error) {
		const reason = end.aborted
			? `The service took longer than ${Math.round(cleanUpMs / 1000)} s`
			: describeError(error).message;
		service.logger.warn(
			`SignVerify: couldn't delete webhooks that are no longer needed: ${reason}`,
		);
	}
	return remaining;
}

interface FailedRegistration {
	event: EventRow;
	error: unknown;
}

interface RegisteredWebhook extends KnownWebhook {
	event: EventRow;
	url: string;
	/** The URL in the service's response; '' if there is none. */
	returnedUrl: string;
}

/**
 * Registers all wanted webhooks at the same time.
 * @param listBefore All webhooks in the account before; undefined if the list couldn't be read.
 * @throws ServiceError for the first event type that couldn't be registered, or whose URL the service hasn't kept. In that
 * case, the other webhooks are deleted, and the error lists any that couldn't be deleted.
 */
export async function registerWebhooks(
	service: ServiceClient,
	wanted: WantedWebhooks,
	listBefore: Webhook[] | undefined,
): Promise<KnownWebhook[]> {
	const { urls, name, isRestart } = wanted;
	const { id: account } = await service.account();
	const client = registeringClient(service, wanted);
	const registrations = await Promise.all(
		[...urls].map(async ([event, url]) => ({
			event,
			url,
			registration: await settle(registerWebhook(client, { event, url, name })),
		})),
	);
	const registered: RegisteredWebhook[] = [];
	let failed: FailedRegistration | undefined;
	for (const { event, url, registration } of registrations) {
		if (!registration.ok) {
			failed ??= { event, error: registration.error };
			continue;
		}
		const { webHookID, webHookUrl } = registration.value;
		const webhook = { webHookID: textOf(webHookID), type: event.type };
		// Some services give a new webhook the ID of a deleted webhook with the same URL.
		deletedIds.delete(webhookKey(account, webhook));
		registered.push({ ...webhook, event, url, returnedUrl: textOf(webHookUrl) });
	}
	const wrong = await storedWrongly(client, registered);
	for (const { event, error } of wrong) {
		if (!isRestart) failed ??= { event, error };
		else service.logger.warn(`SignVerify: "${event.name}": ${error.message}. ${error.description}`);
	}
	const added = registered.map(({ webHookID, type }) => ({ webHookID, type }));
	if (!failed) return added;
	const idsBefore = listBefore && new Set(listBefore.map(({ webHookID }) => webHookID));
	const wrongIds = new Set(wrong.map(({ webHookID }) => webHookID));
	const foreignIds = [...wrongIds].filter((id) => id !== noId && (idsBefore?.has(id) ?? true));
	const remaining = await undoRegistrations(service, wanted, added, foreignIds);
	throw couldNotRegister(failed, wanted, remaining, foreignIds);
}

/**
 * Finds the webhooks that the service has stored with URLs at which n8n will reject every event. If the response hides
 * what matters, the list of webhooks decides. What remains unclear is only logged.
 */
async function storedWrongly(
	service: ServiceClient,
	webhooks: RegisteredWebhook[],
): Promise<Array<RegisteredWebhook & { error: ServiceError }>> {
	const found = webhooks.map((webhook) => ({
		webhook,
		difference: differenceOf(webhook.url, webhook.returnedUrl),
	}));
	const needsList = found.some(({ difference }) => difference?.effect === 'noEventsIfListed');
	const list = needsList ? await settle(listWebhooks(service)) : undefined;
	const listed = list?.ok ? list.value : [];
	return found.flatMap(({ webhook, difference: returned }) => {
		const { webHookUrl } = listed.find(({ webHookID }) => webHookID === webhook.webHookID) ?? {};
		const isHidden = returned?.effect === 'noEventsIfListed';
		const isListed = isHidden && webHookUrl !== undefined;
		const difference = isListed ? differenceOf(webhook.url, webHookUrl) : returned;
		if (!difference) return [];
		const { effect, words } = difference;
		if (effect === 'unclear' || (isHidden && !isListed)) {
			const { problem, remedy } = registrationProblems.urlUnclear(words);
			logOncePerMinute(service, 'warn', `SignVerify: ${problem}. ${remedy}`);
			return [];
		}
		return { ...webhook, error: new ServiceError(registrationProblems.urlNotKept(words)) };
	});
}

/** Returns a client whose calls end in time for n8n, which waits while a trigger is being registered. */
function registeringClient(service: ServiceClient, { timeLimits }: WantedWebhooks): ServiceClient {
	return timeLimits ? service.within(timeLimits.registerBy - performance.now()) : service;
}

/**
 * @param foreignIds The webhooks that may belong to something else, so they stay.
 * @returns The node's own webhooks that remain.
 */
async function undoRegistrations(
	service: ServiceClient,
	{ urls, timeLimits }: WantedWebhooks,
	added: KnownWebhook[],
	foreignIds: string[],
): Promise<KnownWebhook[]> {
	// If the response to a registration was lost, the webhook may exist. Recognize it by the secret in its
	// URL.
	const secrets = new Set([...urls.values()].map(secretIn));
	const isOwn = ({ webHookID }: KnownWebhook) => !foreignIds.includes(webHookID);
	const hasNewSecret = (webhook: Webhook) =>
		isOwn(webhook) && secrets.has(secretIn(webhook.webHookUrl));
	const client = timeLimits ? service.endedBy(AbortSignal.timeout(timeLimits.cleanUpMs)) : service;
	const { remaining } = await deleteWebhooks(client, added.filter(isOwn), hasNewSecret);
	return remaining;
}

function couldNotRegister(
	{ event, error }: FailedRegistration,
	{ permanentUrl }: WantedWebhooks,
	remaining: KnownWebhook[],
	foreignIds: string[],
): ServiceError {
	const serviceError = error instanceof ServiceError ? error : undefined;
	// The service may not list or delete its identity webhooks, and may refuse to register one twice. Its
	// refusal is no proof that the webhook exists, so it remains an error.
	const isUnexplained = serviceError?.docsAnchor === 'request-rejected';
	const mayExist = permanentUrl !== undefined && event.about === 'identity' && isUnexplained;
	return new ServiceError({
		...registrationProblems.notRegistered({
			event: event.name,
			reason: describeError(error).message,
			remedy: serviceError?.description ?? '',
			existingUrl: mayExist ? permanentUrl : undefined,
			remainingIds: remaining.map(({ webHookID }) => webHookID).join(', '),
			foreignIds: foreignIds.join(', '),
		}),
		shownStatus: serviceError?.shownStatus,
		serviceStatus: serviceError?.serviceStatus,
	});
}

/**
 * Deletes webhooks, at most 100 per run. Never throws.
 * @param knownWebhooks Webhooks to delete by ID, even if the service doesn't list them, or doesn't list them
 * yet.
 * @param mustDelete Returns true for each other webhook in the service's list that should also be deleted.
 * @returns The webhooks that remain, and the first error. An identity webhook that the service refuses to
 * delete remains, but isn't treated as an error.
 */
export async function deleteWebhooks(
	service: ServiceClient,
	knownWebhooks: KnownWebhook[],
	mustDelete: (webhook: Webhook) => boolean,
): Promise<Deletion> {
	const list = await settle(listWebhooks(service));
	const webhooks = list.ok
		? lookedUpIn(list.value, [...knownWebhooks, ...list.value.filter(mustDelete)])
		: knownWebhooks.map((webhook) => ({ ...webhook, isListed: undefined, webHookUrl: '' }));
	const { remaining, error } = await deleteEach(service, webhooks);
	return { remaining, error: error ?? (list.ok ? undefined : list.error) };
}

function lookedUpIn(list: Webhook[], webhooks: Array<KnownWebhook | Webhook>): ObsoleteWebhook[] {
	const urls = new Map(list.map(({ webHookID, webHookUrl }) => [webHookID, webHookUrl]));
	return webhooks.map(({ webHookID, type }) => ({
		webHookID,
		type,
		isListed: urls.has(webHookID),
		webHookUrl: urls.get(webHookID) ?? '',
	}));
}

/** Deletes webhooks by ID, with the same limit and result as {@link deleteWebhooks}. */
export async function deleteEach(
	service: ServiceClient,
	webhooks: ObsoleteWebhook[],
): Promise<Deletion> {
	const byId = new Map(webhooks.map((webhook) => [webhook.webHookID, webhook]));
	byId.delete(noId);
	const account = await settle(service.account());
	if (!account.ok) {
		const remaining = [...byId.values()].map(({ webHookID, type }) => ({ webHookID, type }));
		return { remaining, error: account.error };
	}
	const { id } = account.value;
	const undeleted = [...byId.values()].filter(
		(webhook) => !deletedIds.has(webhookKey(id, webhook)),
	);
	const remaining: KnownWebhook[] = [];
	let firstError: unknown;
	const deleteAndRemember = async (webhook: ObsoleteWebhook) => {
		const { result, error } = await deleteOne(service, webhook);
		if (result === 'deleted') deletedIds.set(webhookKey(id, webhook), true);
		if (result === 'deleted' || result === 'gone') return;
		remaining.push({ webHookID: webhook.webHookID, type: webhook.type });
		firstError ??= error;
	};
	const inThisRun = undeleted.slice(0, maxDeletedPerRun);
	for (let start = 0; start < inThisRun.length; start += maxParallelDeletions) {
		await Promise.all(inThisRun.slice(start, start + maxParallelDeletions).map(deleteAndRemember));
	}
	const laterCount = undeleted.length - maxDeletedPerRun;
	const line = `SignVerify: ${laterCount} more of this node's webhooks will be deleted the next time its workflow is published.`;
	if (laterCount > 0) service.logger.warn(line);
	return { remaining, error: firstError };
}

/**
 * Deletes a single webhook. Never throws. Some services respond with 400 if a webhook is deleted twice, and
 * some never delete identity webhooks, so the result depends both on the service's response and on whether the
 * webhook is listed:
 *
 * | Response      | Listed, identity event | Listed, document event | Not listed | List unknown |
 * | ------------- | ---------------------- | ---------------------- | ---------- | ------------ |
 * | success       | deleted                | deleted                | deleted    | deleted      |
 * | 404 or 410    | kept                   | gone                   | gone       | gone         |
 * | 400           | kept                   | error                  | gone       | error        |
 * | anything else | error                  | error                  | error      | error        |
 */
async function deleteOne(
	service: ServiceClient,
	webhook: ObsoleteWebhook,
): Promise<{ result: 'deleted' | 'gone' | 'kept' | 'error'; error?: unknown }> {
	const deletion = await settle(unregisterWebhook(service, webhook));
	const { isListed, type } = webhook;
	const isListedIdentity = isListed && isIdentityEvent(type);
	if (deletion.ok && deletion.value === 'deleted') return { result: 'deleted' };
	if (deletion.ok) return { result: isListedIdentity ? 'kept' : 'gone' };
	const { error } = deletion;
	if (!isRefusedWith(error, [400])) return { result: 'error', error };
	if (isListedIdentity) return { result: 'kept' };
	return isListed === false ? { result: 'gone' } : { result: 'error', error };
}
