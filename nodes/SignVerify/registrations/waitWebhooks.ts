import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { eventRow, type EventType, isEvent, isIdentityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks } from '../api/webhooks';
import { listCallMs } from '../http/callTimeouts';
import { signedResumeUrl } from '../n8nInternals';
import { settle } from '../util/async';
import { SingleFlight } from '../util/singleFlight';
import { dayMs } from '../util/times';
import { parseUrl } from '../util/urls';
import { isObject } from '../util/values';
import { deleteEach, deleteWebhooks, noId, registerWebhooks } from './webhookSync';
import { canBeSecret, hashOfSecret, newSecret, secretIn, secretParameter } from './webhookSecret';
import { hashOfOwner, webhookName } from './ownWebhooks';

/*
 * A wait's webhooks. Each has the resume URL of the execution, to which the node adds two query parameters: a
 * secret and the end of the wait. A call to this URL continues the execution. n8n signs the URL, but that
 * isn't enough: n8n also accepts the execution's resume token in place of a signature, and if a loop runs a
 * node again, the URL's path stays the same. So each of a wait's webhooks also has its own secret
 * (registrations/webhookSecret.ts).
 * @n8n
 */

/** When the wait ends (epoch-ms). */
const untilParameter = 'until';

const maxExpiredDeleted = 20;

/**
 * The clean-ups of expired webhooks that are running, by account. If many executions start at the same time,
 * only one needs to delete the webhooks.
 */
const expiredCleanUps = new SingleFlight<void>();

const lists = new SingleFlight<Webhook[]>();

/** A wait's webhook, as stored in n8n's database. */
export type WaitWebhook = {
	/** The hash of the secret in the webhook's URL. */
	hash: string;
	/** The service's ID for the webhook; {@link noId} if the service returned none. */
	id: string;
	event: EventType;
};

/** What a wait has registered, as stored in n8n's database. */
export interface WaitRegistration {
	/** There is always at least one. */
	webhooks: WaitWebhook[];
	/** The account that the webhooks are in ({@link hashOfOwner}). '' matches no account. */
	owner: string;
}

export function isWaitWebhook(value: unknown): value is WaitWebhook {
	// A hash has the same format as a secret: 256 bits in base64url.
	return (
		isObject(value) &&
		canBeSecret(value.hash) &&
		typeof value.id === 'string' &&
		isEvent(value.event)
	);
}

/**
 * Lists the account's webhooks before a wait registers its own. Waits that begin at the same time share the call.
 * @returns undefined if the list can't be read. A wait can begin without it.
 */
export async function listBeforeWait(service: ServiceClient): Promise<Webhook[] | undefined> {
	const account = await settle(service.account());
	if (!account.ok) return undefined;
	// Nothing has been sent yet, so don't let a slow list hold up the wait.
	const client = service.within(listCallMs);
	const list = await settle(lists.run(account.value.id, async () => await listWebhooks(client)));
	return list.ok ? list.value : undefined;
}

/**
 * The webhooks' URLs point to the running execution.
 * @param listBefore See {@link listBeforeWait}.
 */
export async function registerWait(
	context: IExecuteFunctions,
	service: ServiceClient,
	events: EventType[],
	waitUntil: Date,
	listBefore: Webhook[] | undefined,
): Promise<WaitRegistration> {
	const secrets = new Map(events.map((event) => [event, newSecret()]));
	// Keep the parameters in alphabetical order, because a service that sorts them would otherwise break
	// n8n's signature.
	const urlWith = (secret: string) =>
		signedResumeUrl(context, {
			[secretParameter]: secret,
			[untilParameter]: String(waitUntil.getTime()),
		});
	const wanted = {
		urls: new Map([...secrets].map(([event, secret]) => [eventRow(event), urlWith(secret)])),
		name: webhookName(context),
	};
	const registered = await registerWebhooks(service, wanted, listBefore);
	const webhooks = [...secrets].map(([event, secret]) => {
		const id = registered.find(({ type }) => type === event)?.webHookID ?? noId;
		return { hash: hashOfSecret(secret), id, event };
	});
	const { id: account } = await service.account();
	return { webhooks, owner: hashOfOwner(account) };
}

/** Whether a wait began in this account. @param owner The wait's {@link WaitRegistration.owner}. */
export function isOwner(accountId: string, owner: string): boolean {
	return hashOfOwner(accountId) === owner;
}

/**
 * Deletes a wait's webhooks. If the response to a registration was lost, there may be two webhooks with the
 * same URL, so this deletes webhooks both by ID and by URL. If the credential has been changed to another
 * account since the wait began, an ID may belong to someone else's webhook there, so only the URL counts. Never
 * throws, because {@link cleanUpExpired} deletes any remaining webhooks later.
 */
export async function unregisterWait(
	service: ServiceClient,
	{ webhooks, owner }: WaitRegistration,
): Promise<void> {
	const account = await settle(service.account());
	if (!account.ok) return;
	const isSameAccount = isOwner(account.value.id, owner);
	const knownWebhooks = webhooks.map(({ id, event }) => ({ webHookID: id, type: event }));
	const hashes = new Set(webhooks.map(({ hash }) => hash));
	await deleteWebhooks(service, isSameAccount ? knownWebhooks : [], ({ webHookUrl }) =>
		hashes.has(hashOfSecret(secretIn(webHookUrl))),
	);
}

/**
 * Deletes the webhooks left over from waits on this n8n instance that ended more than a day ago. A wait can't
 * clean up after itself: n8n runs none of the node's code when the time limit is reached, or when an
 * execution is stopped or deleted. So every new wait cleans up after earlier ones. Never throws, because the
 * caller doesn't wait for the result.
 * @param list All webhooks in the account.
 */
export async function cleanUpExpired(
	context: IExecuteFunctions,
	service: ServiceClient,
	list: Webhook[],
): Promise<void> {
	const account = await settle(service.account());
	if (!account.ok) return;
	await settle(
		expiredCleanUps.run(account.value.id, async () => await deleteExpired(context, service, list)),
	);
}

async function deleteExpired(
	context: IExecuteFunctions,
	service: ServiceClient,
	list: Webhook[],
): Promise<void> {
	// Only this n8n instance's webhooks have URLs that begin with the instance's own base URL.
	const ownAddress = baseOf(signedResumeUrl(context));
	const expired = list.filter(
		(webhook) =>
			baseOf(webhook.webHookUrl) === ownAddress && waitUntilOf(webhook) < Date.now() - dayMs,
	);
	// Some services never delete identity webhooks. These come last, and the clean-up ends at the first one
	// that stays, so they neither keep the others from being deleted nor cost a call each.
	const orderOf = ({ type }: Webhook) => Number(isIdentityEvent(type));
	expired.sort((left, right) => orderOf(left) - orderOf(right));
	for (const webhook of expired.slice(0, maxExpiredDeleted)) {
		const { remaining } = await deleteEach(service, [{ ...webhook, isListed: true }]);
		if (remaining.length > 0 && isIdentityEvent(webhook.type)) return;
	}
}

/**
 * Returns when a webhook's wait ends (epoch-ms). Returns NaN, which makes every comparison false, if the
 * webhook doesn't belong to a wait.
 */
function waitUntilOf({ webHookUrl }: Webhook): number {
	const until = parseUrl(webHookUrl)?.searchParams.get(untilParameter);
	return secretIn(webHookUrl) && until ? Number(until) : NaN;
}

/**
 * Returns a resume URL without its parameters and without its last two path segments, with which n8n identifies
 * the execution and the node.
 * @n8n
 */
function baseOf(address: string): string | undefined {
	const url = parseUrl(address);
	return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
