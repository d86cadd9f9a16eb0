import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	type EventSubject,
	eventRow,
	eventsThatEndWait,
	type EventType,
	isEvent,
	isIdentityEvent,
} from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { executionCallMs, longestCreationMs, minGapMs } from '../http/timeLimits';
import { signedResumeUrl } from '../n8nInternals';
import { delay, settle } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { dayMs, isObject, objectOf, parseUrl } from '../util/values';
import { noId, registerAll, removeListed, removeWebhooks, webhookKey } from './sync';
import {
	canBeSecret,
	hashOfSecret,
	newSecret,
	secretIn,
	secretParameter,
	webhookName,
} from './url';

/*
 * The query parameters that a wait adds to the resume URL. A call to this URL continues the waiting
 * execution. n8n signs the URL, but that isn't enough: n8n also accepts the execution's resume token in place
 * of a signature, and if a loop runs a node again, the URL's path stays the same. So each of a wait's
 * webhooks also has its own secret (registrations/url.ts).
 */

/** When the wait ends (epoch-ms). */
const untilParameter = 'until';
/**
 * A keyed hash that identifies the awaited document if the service returns no ID. Waits for an identity
 * request don't have this parameter.
 */
const documentParameter = 'document';
/** When the wait for a document began (epoch-ms). */
const sinceParameter = 'since';

/**
 * The longest time (ms) that creating the document could take. The URL contains this parameter only if a long
 * Timeout in the credential makes this time longer than usual.
 */
const creationParameter = 'creation';

/** The maximum number of expired webhooks that a new wait removes. */
const maxExpiredRemoved = 20;
/**
 * The accounts whose expired webhooks this process is removing right now. If many executions start at the
 * same time, only one needs to remove the webhooks.
 */
const removingAccounts = new ProcessMemory<true>({
	name: 'removals of expired webhooks',
	bound: Infinity,
	life: 'while it runs',
});

/**
 * The expired webhooks that this process has tried to delete. The process doesn't try again for a day.
 * Otherwise, it would keep trying to delete webhooks that the service never deletes, or still lists after
 * deleting them, and would never get to the others.
 */
const expiredTried = new ProcessMemory<true>({
	name: 'attempts to delete expired webhooks',
	bound: 1000,
	life: dayMs,
});

/** A wait's webhook, as stored in n8n's database. */
export interface WaitWebhook extends IDataObject {
	/** The hash of the secret in the webhook's URL. */
	hash: string;
	/** The service's ID for the webhook; {@link noId} if the service returned none. */
	id: string;
	event: EventType;
	document?: AwaitedMark;
}

/** The URL parameters that identify the awaited document if the service returns no ID. */
interface AwaitedMark extends IDataObject {
	/**
	 * The keyed hash of the awaited document's fingerprint. It is not the hash of the secret in the webhook's
	 * URL.
	 */
	hash: string;
	/** When the wait began (epoch-ms). Stored waits contain this name, so it can't change. */
	since: number;
	/**
	 * The longest time (ms) that creating the document could take; missing if it is the usual time,
	 * {@link executionCallMs}.
	 */
	creation?: number;
}

/** Whether a value from n8n's database is a wait's webhook. */
export function isWaitWebhook(value: unknown): value is WaitWebhook {
	// A hash has the same format as a secret: 256 bits in base64url.
	if (!isObject(value) || !canBeSecret(value.hash) || typeof value.id !== 'string') return false;
	if (!isEvent(value.event)) return false;
	const { hash, since, creation = 0 } = objectOf(value.document);
	const isMark = canBeSecret(hash) && Number.isFinite(since) && Number.isFinite(creation);
	return value.document === undefined || isMark;
}

/** Details of a wait that is about to register its webhooks. */
interface NewWait {
	waitsFor: EventSubject;
	/** When the wait ends. */
	waitEndsAt: Date;
	/**
	 * The strings that identify the awaited document if the service returns no ID. The URL contains a keyed
	 * hash of them. With a plain hash, anyone who has the URL and knows who is signing could work out which
	 * document the URL is for.
	 */
	fingerprint?: string[] | undefined;
}

/**
 * Registers a webhook for every event that can end the wait. The webhook URLs point to the running execution.
 * @throws ServiceError in the same cases as {@link registerAll}.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	{ waitsFor, waitEndsAt, fingerprint }: NewWait,
): Promise<WaitWebhook[]> {
	const document = fingerprint && (await markOf(service, fingerprint));
	const secrets = new Map(eventsThatEndWait(waitsFor).map((event) => [event, newSecret()]));
	// Keep the parameters in alphabetical order, because a service that sorts them would otherwise break
	// n8n's signature.
	const urlWith = (secret: string) =>
		signedResumeUrl(execute, {
			...(document?.creation ? { [creationParameter]: String(document.creation) } : {}),
			...(document ? { [documentParameter]: document.hash } : {}),
			[secretParameter]: secret,
			...(document ? { [sinceParameter]: String(document.since) } : {}),
			[untilParameter]: String(waitEndsAt.getTime()),
		});
	const registered = await registerAll(service, {
		urls: new Map([...secrets].map(([event, secret]) => [eventRow(event), urlWith(secret)])),
		name: webhookName(execute),
		docsAnchor: 'waiting',
		consequence: "The item wasn't sent.",
	});
	return [...secrets].map(([event, secret]) => {
		const id = registered.find(({ type }) => type === event)?.webHookID ?? noId;
		return { hash: hashOfSecret(secret), id, event, ...(document ? { document } : {}) };
	});
}

/** Creates the URL parameters that will identify the document that a wait is about to send. */
async function markOf(service: ServiceClient, fingerprint: string[]): Promise<AwaitedMark> {
	const hash = (await service.secretMaker())(['SignVerify wait', ...fingerprint]);
	const creation = longestCreationMs((await service.account()).timeoutMs);
	return { hash, since: Date.now(), ...(creation > executionCallMs ? { creation } : {}) };
}

/** Other waits whose documents can't be distinguished from this wait's document. */
interface WaitsAlike {
	/** The other waits' execution IDs, as in their URLs. */
	executions: string[];
	/**
	 * Whether the service's list contains all of this wait's webhooks. If not, the list is outdated, and may
	 * also lack other waits' webhooks.
	 */
	isUpToDate: boolean;
}

/**
 * Finds other waits whose documents could be mistaken for this wait's document, because the service returned
 * no ID for it. These waits have the same template and people, and began at about the same time. Finished
 * waits are included, because their documents can still be signed.
 * @throws ServiceError if the webhooks can't be listed.
 */
export async function findWaitsAlike(
	service: ServiceClient,
	waitWebhooks: WaitWebhook[],
): Promise<WaitsAlike> {
	const webhooks = await listWebhooks(service);
	const isOfThisWait = isOneOf(waitWebhooks);
	const waitsAlike = webhooks.filter(
		(webhook) =>
			!isOfThisWait(webhook) &&
			waitWebhooks.some(({ document }) => areAlike(markIn(webhook), document)),
	);
	return {
		executions: [...new Set(waitsAlike.map(({ webHookUrl }) => executionIn(webHookUrl)))],
		isUpToDate: waitWebhooks.every((waitWebhook) => webhooks.some(isOneOf([waitWebhook]))),
	};
}

/** Returns a function that checks whether a listed webhook belongs to a wait. */
function isOneOf(waitWebhooks: WaitWebhook[]): (webhook: Webhook) => boolean {
	const hashes = new Set(waitWebhooks.map(({ hash }) => hash));
	return ({ webHookUrl }) => hashes.has(hashOfSecret(secretIn(webHookUrl)));
}

/**
 * The pauses (ms) before listing the webhooks again. The next list can be different, because the previous one
 * may have been outdated, or another wait may have just ended.
 */
const listPausesMs = [500, 1000, 1500];

/**
 * Runs {@link findWaitsAlike} at the start of a wait, several times if necessary. Returns an empty list if
 * the webhooks can't be listed, because the search runs again when the event arrives.
 * @param cancel Aborted when the execution is canceled, which ends the search.
 * @returns The execution IDs of the other waits.
 */
export async function waitsAlikeAtStart(
	service: ServiceClient,
	waitWebhooks: WaitWebhook[],
	cancel: AbortSignal | undefined,
): Promise<string[]> {
	let search = await settle(findWaitsAlike(service, waitWebhooks));
	for (const pauseMs of listPausesMs) {
		if (!search.ok || (search.value.isUpToDate && search.value.executions.length === 0)) break;
		if (!(await delay(pauseMs, cancel))) break;
		search = await settle(findWaitsAlike(service, waitWebhooks));
	}
	return search.ok ? search.value.executions : [];
}

/**
 * Whether two awaited documents are too similar to be distinguished. Some services return no document IDs.
 * Without IDs, two documents with the same people and template differ only in their dates, so they can be
 * distinguished only if the later wait began long enough after the earlier one.
 */
function areAlike(one: AwaitedMark | undefined, other: AwaitedMark | undefined): boolean {
	if (!one || !other || one.hash !== other.hash) return false;
	const [earlier, later] = one.since < other.since ? [one, other] : [other, one];
	return later.since - earlier.since < minGapMs(earlier.creation ?? executionCallMs);
}

/**
 * Returns the parameters in a webhook's URL that identify the awaited document. Returns undefined unless the
 * URL contains both required values.
 */
function markIn(webhook: Webhook): AwaitedMark | undefined {
	const hash = parameterOf(webhook, documentParameter);
	const since = numberIn(webhook, sinceParameter);
	if (!hash || !Number.isFinite(since)) return undefined;
	const creation = numberIn(webhook, creationParameter);
	return { hash, since, ...(Number.isFinite(creation) ? { creation } : {}) };
}

/**
 * Removes a wait's webhooks. If the response to a registration was lost, there may be two webhooks with the
 * same URL, so this removes webhooks both by ID and by URL. Never throws, because {@link removeExpired}
 * removes any remaining webhooks later.
 */
export async function removeWait(
	service: ServiceClient,
	waitWebhooks: WaitWebhook[],
): Promise<void> {
	const knownWebhooks = waitWebhooks.map(({ id, event }) => ({ webHookID: id, type: event }));
	await removeWebhooks(service, knownWebhooks, isOneOf(waitWebhooks));
}

/**
 * Removes the webhooks left over from waits on this n8n instance that ended more than a day ago. A wait can't
 * clean up after itself: n8n runs none of the node's code when the time limit is reached, or when an
 * execution is stopped or deleted. So every new wait cleans up after earlier ones. Keeps the webhooks that
 * {@link findWaitsAlike} still needs for a wait that isn't over. Never throws, because the caller doesn't
 * wait for the result.
 */
export async function removeExpired(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const account = await settle(service.account());
	if (!account.ok || removingAccounts.has(account.value.id)) return;
	removingAccounts.set(account.value.id, true);
	await settle(removeExpiredOf(execute, service, account.value.id));
	removingAccounts.delete(account.value.id);
}

async function removeExpiredOf(
	execute: IExecuteFunctions,
	service: ServiceClient,
	account: string,
): Promise<void> {
	// Only this n8n instance's webhooks have URLs that begin with the instance's own base URL.
	const ownAddress = baseOf(signedResumeUrl(execute));
	const webhooks = await listWebhooks(service);
	const openMarks = webhooks.filter((webhook) => endOfWait(webhook) >= Date.now()).map(markIn);
	const mustStay = (webhook: Webhook) =>
		openMarks.some((openMark) => areAlike(openMark, markIn(webhook)));
	const isExpired = (webhook: Webhook) =>
		baseOf(webhook.webHookUrl) === ownAddress && endOfWait(webhook) < Date.now() - dayMs;
	const expired = webhooks.filter(
		(webhook) =>
			isExpired(webhook) && !mustStay(webhook) && !expiredTried.has(webhookKey(account, webhook)),
	);
	// Put identity webhooks last. The service may never delete them, and they must not keep the others from
	// being deleted.
	const orderOf = ({ type }: Webhook) => Number(isIdentityEvent(type));
	expired.sort((left, right) => orderOf(left) - orderOf(right));
	const inThisRun = expired.slice(0, maxExpiredRemoved);
	for (const webhook of inThisRun) expiredTried.set(webhookKey(account, webhook), true);
	await removeListed(service, inThisRun);
}

/** Returns a parameter from a webhook's URL; '' if the URL doesn't have the parameter. */
function parameterOf({ webHookUrl }: Webhook, name: string): string {
	return parseUrl(webHookUrl)?.searchParams.get(name) ?? '';
}

/**
 * Returns a number (ms) from a webhook's URL. If the URL has none, returns NaN, which makes every comparison
 * false.
 */
function numberIn(webhook: Webhook, name: string): number {
	return Number(parameterOf(webhook, name) || NaN);
}

/**
 * Returns when a webhook's wait ends (epoch-ms). Returns NaN, like {@link numberIn}, if the webhook doesn't
 * belong to a wait.
 */
function endOfWait(webhook: Webhook): number {
	return parameterOf(webhook, secretParameter) ? numberIn(webhook, untilParameter) : NaN;
}

/** Returns the ID of the execution that a resume URL points to. */
function executionIn(address: string): string {
	return parseUrl(address)?.pathname.split('/').at(-2) ?? '';
}

/**
 * Returns a URL without its parameters and without its last two path segments, which identify the execution
 * and the node.
 */
function baseOf(address: string): string | undefined {
	const url = parseUrl(address);
	return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
