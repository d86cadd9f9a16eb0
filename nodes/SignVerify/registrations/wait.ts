import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	type EventSubject,
	eventsThatEndWait,
	type EventType,
	isEvent,
	isIdentityEvent,
} from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { delay, settle } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { dayMs, isObject, objectOf, parseUrl } from '../util/values';
import { noId, registerAll, removeWebhooks } from './sync';
import {
	canBeSecret,
	hashOfSecret,
	newSecret,
	secretIn,
	secretParameter,
	webhookName,
} from './url';

/*
 * Query parameters of the signed resume URL. Within an execution, a node has one path, even if a loop runs the node
 * again, so each webhook of a wait also has a secret of its own (registrations/url.ts). n8n's signature is not enough,
 * because n8n accepts the execution's own resume token as well.
 */

/** When the wait ends (epoch-ms). */
const untilParameter = 'until';
/** A keyed hash that identifies the awaited document if the service returns no ID. Identity waits do not use it. */
const documentParameter = 'document';
/** When the wait for a document began (epoch-ms). */
const sinceParameter = 'since';

/**
 * Two documents for the same people and from the same template can be told apart by their dates if the waits for them
 * began at least this many milliseconds apart. A date counts up to five minutes before and after its document was
 * created (wait/outcome.ts), and a creation can queue for five minutes.
 */
const minGapMs = 15 * 60_000;

/** The maximum number of expired webhooks that a starting wait removes. */
const maxExpiredRemoved = 20;
/**
 * The accounts whose expired webhooks this process is removing. If many executions start at once, one of them is
 * enough to remove the same webhooks.
 */
const removingAccounts = new ProcessMemory<true>({
	name: 'removals of expired webhooks',
	bound: Infinity,
	life: 'while it runs',
});

/** One webhook of a wait, as n8n's database keeps it. */
export interface WaitWebhook extends IDataObject {
	/** The hash of the secret in the webhook's URL. */
	hash: string;
	/** The ID of the webhook at the service; {@link noId} if the service returned none. */
	id: string;
	event: EventType;
	document?: AwaitedMark;
}

/** The parameters of a URL that identify the awaited document. */
interface AwaitedMark extends IDataObject {
	hash: string;
	since: number;
}

/** Whether a value from n8n's database is a webhook of a wait. */
export function isWaitWebhook(value: unknown): value is WaitWebhook {
	// A hash has the same form as a secret: 256 bits in base64url.
	if (!isObject(value) || !canBeSecret(value.hash) || typeof value.id !== 'string') return false;
	if (!isEvent(value.event)) return false;
	const { hash, since } = objectOf(value.document);
	return value.document === undefined || (canBeSecret(hash) && Number.isFinite(since));
}

/** What a wait registers its webhooks for. */
interface NewWait {
	waitsFor: EventSubject;
	/** When the wait ends. */
	until: Date;
	/**
	 * The texts that identify the awaited document if the service returns no ID. Their hash in the URL is keyed, because
	 * others see the URL and may know the people.
	 */
	fingerprint?: string[] | undefined;
}

/**
 * Registers the execution of the running node for each event that can end its wait.
 * @throws ServiceError as {@link registerAll}.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	{ waitsFor, until, fingerprint }: NewWait,
): Promise<WaitWebhook[]> {
	const document = fingerprint && {
		hash: (await service.secretMaker())(['SignVerify wait', ...fingerprint]),
		since: Date.now(),
	};
	const secrets = new Map(eventsThatEndWait(waitsFor).map((event) => [event, newSecret()]));
	// The parameters are in alphabetical order, because a service that sorts them would break n8n's signature.
	const urlWith = (secret: string) =>
		execute.getSignedResumeUrl({
			...(document ? { [documentParameter]: document.hash } : {}),
			[secretParameter]: secret,
			...(document ? { [sinceParameter]: String(document.since) } : {}),
			[untilParameter]: String(until.getTime()),
		});
	const registered = await registerAll(service, {
		urls: new Map([...secrets].map(([event, secret]) => [event, urlWith(secret)])),
		name: webhookName(execute),
		docsAnchor: 'waiting',
		consequence: "The item wasn't sent.",
	});
	return [...secrets].map(([event, secret]) => {
		const id = registered.find(({ type }) => type === event)?.webHookID ?? noId;
		return { hash: hashOfSecret(secret), id, event, ...(document ? { document } : {}) };
	});
}

/** Other waits whose document cannot be told apart from the document of a wait. */
interface WaitsAlike {
	/** The IDs of the executions of the other waits, as their URLs have them. */
	executions: string[];
	/** Whether the list contains all webhooks of the wait itself. If not, the list is late and may lack other waits. */
	isUpToDate: boolean;
}

/**
 * Finds other waits whose document can be taken for the document of a wait to which the service returned no ID: the
 * other wait is for the same template and people, and began at about the same time. A wait that is over counts,
 * because its document can still be signed.
 * @throws ServiceError if the webhooks cannot be listed.
 */
export async function findWaitsAlike(
	service: ServiceClient,
	waitWebhooks: WaitWebhook[],
): Promise<WaitsAlike> {
	const webhooks = await listWebhooks(service);
	const isOwn = isOneOf(waitWebhooks);
	const waitsAlike = webhooks.filter(
		(webhook) =>
			!isOwn(webhook) && waitWebhooks.some(({ document }) => areAlike(markIn(webhook), document)),
	);
	return {
		executions: [...new Set(waitsAlike.map(({ webHookUrl }) => executionIn(webHookUrl)))],
		isUpToDate: waitWebhooks.every((waitWebhook) => webhooks.some(isOneOf([waitWebhook]))),
	};
}

/** Makes a test whether a listed webhook is one of a wait's own. */
function isOneOf(waitWebhooks: WaitWebhook[]): (webhook: Webhook) => boolean {
	const hashes = new Set(waitWebhooks.map(({ hash }) => hash));
	return ({ webHookUrl }) => hashes.has(hashOfSecret(secretIn(webHookUrl)));
}

/** Pauses before the webhooks are listed again: the list may be late, and another wait may have just ended. */
const listPausesMs = [500, 1000, 1500];

/**
 * Finds waits as {@link findWaitsAlike} does, for a wait that begins. If the webhooks cannot be listed, the search
 * is left to the moment when the event arrives.
 * @returns The IDs of the executions of the other waits.
 */
export async function waitsAlikeAtStart(
	service: ServiceClient,
	waitWebhooks: WaitWebhook[],
): Promise<string[]> {
	let search = await settle(findWaitsAlike(service, waitWebhooks));
	for (const pauseMs of listPausesMs) {
		if (!search.ok || (search.value.isUpToDate && search.value.executions.length === 0)) break;
		await delay(pauseMs);
		search = await settle(findWaitsAlike(service, waitWebhooks));
	}
	return search.ok ? search.value.executions : [];
}

/** Whether two awaited documents cannot be told apart. */
function areAlike(one: AwaitedMark | undefined, other: AwaitedMark | undefined): boolean {
	if (!one || !other || one.hash !== other.hash) return false;
	return Math.abs(one.since - other.since) < minGapMs;
}

/** Returns the parameters of a URL that identify the awaited document; undefined if the URL does not have both. */
function markIn(webhook: Webhook): AwaitedMark | undefined {
	const hash = parameterOf(webhook, documentParameter);
	const since = momentOf(webhook, sinceParameter);
	return hash && Number.isFinite(since) ? { hash, since } : undefined;
}

/**
 * Removes the webhooks of a wait, by their IDs and by their URLs: after a lost response, there may be two with the
 * same URL. Never throws, because {@link removeExpired} removes the remaining ones later.
 */
export async function removeWait(
	service: ServiceClient,
	waitWebhooks: WaitWebhook[],
): Promise<void> {
	const knownWebhooks = waitWebhooks.map(({ id, event }) => ({ webHookID: id, type: event }));
	await removeWebhooks(service, knownWebhooks, isOneOf(waitWebhooks));
}

/**
 * Removes webhooks of waits of this n8n whose limit passed more than a day ago. No code of the node runs at a limit, or
 * when an execution is stopped or deleted, so each starting wait does this. Webhooks that an open wait must see stay
 * ({@link findWaitsAlike}). Never throws, because the caller does not wait for the result.
 */
export async function removeExpired(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const account = await settle(service.account());
	if (!account.ok || removingAccounts.has(account.value.id)) return;
	removingAccounts.set(account.value.id, true);
	await settle(removeExpiredOf(execute, service));
	removingAccounts.delete(account.value.id);
}

async function removeExpiredOf(execute: IExecuteFunctions, service: ServiceClient): Promise<void> {
	// A URL that begins with the address of this n8n leads to no other n8n.
	const ownAddress = baseOf(execute.getSignedResumeUrl());
	const webhooks = await listWebhooks(service);
	const openMarks = webhooks.filter((webhook) => endOfWait(webhook) >= Date.now()).map(markIn);
	const mustStay = (webhook: Webhook) =>
		openMarks.some((openMark) => areAlike(openMark, markIn(webhook)));
	const isExpired = (webhook: Webhook) =>
		baseOf(webhook.webHookUrl) === ownAddress && endOfWait(webhook) < Date.now() - dayMs;
	const expired = webhooks.filter((webhook) => isExpired(webhook) && !mustStay(webhook));
	// Identity webhooks come last: if the service never deletes them, they must not hold up the others.
	const orderOf = ({ type }: Webhook) => Number(isIdentityEvent(type));
	expired.sort((left, right) => orderOf(left) - orderOf(right));
	for (const webhook of expired.slice(0, maxExpiredRemoved))
		await settle(removeWebhook(service, webhook));
}

/** A parameter of a webhook's URL; '' if the URL does not have it. */
function parameterOf({ webHookUrl }: Webhook, name: string): string {
	return parseUrl(webHookUrl)?.searchParams.get(name) ?? '';
}

/** A moment in a webhook's URL (epoch-ms). NaN if the URL has none; every comparison with NaN is false. */
function momentOf(webhook: Webhook, name: string): number {
	return Number(parameterOf(webhook, name) || NaN);
}

/** When the wait of a webhook ends (epoch-ms). NaN if the webhook does not belong to a wait, as in {@link momentOf}. */
function endOfWait(webhook: Webhook): number {
	return parameterOf(webhook, secretParameter) ? momentOf(webhook, untilParameter) : NaN;
}

/** The ID of the execution to which a resume URL leads. */
function executionIn(address: string): string {
	return parseUrl(address)?.pathname.split('/').at(-2) ?? '';
}

/** A URL without its parameters and without its last two parts, which name the execution and the node. */
function baseOf(address: string): string | undefined {
	const url = parseUrl(address);
	return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
