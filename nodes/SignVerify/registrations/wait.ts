import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type EventType, identityEvent, isEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { delay, settle } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { day, isObject, objectOf, parseUrl } from '../util/values';
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
 * Query parameters of the signed resume URL. Within an execution, a node has one path, also if a loop runs
 * it again, so each wait also has a secret of its own (registrations/url.ts). n8n's signature is not enough,
 * because n8n accepts the execution's own resume token, too.
 */

/** The end of the wait (epoch-ms). */
const untilParameter = 'until';
/** A keyed hash of what the document is recognized by if the service gives no ID. Only of documents. */
const documentParameter = 'document';
/** When the wait for a document began (epoch-ms). */
const sinceParameter = 'since';

/**
 * Two documents for the same people, made from the same template, can be told apart by their dates if the waits
 * for them began at least so many milliseconds apart: a date counts up to five minutes before and after its
 * document was created (wait/outcome.ts), and a creation can wait five minutes for its turn.
 */
const minGapMs = 15 * 60_000;

/** How many webhooks of expired waits one starting wait removes. */
const maxRemoved = 20;
/** Accounts: many executions may start at once, and one of them is enough to remove the same webhooks. */
const removing = new ProcessMemory<true>({
	name: 'removals of expired webhooks',
	bound: Infinity,
	life: 'while it runs',
});

/** What is kept of the webhook with which an execution waits. */
export interface WaitWebhook extends IDataObject {
	/** Of the secret in its URL. */
	hash: string;
	/** {@link noId} if the service gave none. */
	id: string;
	event: EventType;
	/** What its URL says of the document, if it waits for one. */
	document?: { hash: string; since: number };
}

/** Whether a value from n8n's database is what is kept of a webhook. */
export function isWaitWebhook(value: unknown): value is WaitWebhook {
	if (!isObject(value) || !canBeSecret(value.hash) || typeof value.id !== 'string') return false;
	if (!isEvent(value.event)) return false;
	const { hash, since } = objectOf(value.document);
	return value.document === undefined || (canBeSecret(hash) && Number.isFinite(since));
}

/**
 * Registers the execution of the running node for an event.
 * @param until The end of the wait.
 * @param name What the document is recognized by if the service gives no ID. Its hash is keyed, because others
 * see the URL, and may know the people.
 * @throws ServiceError as {@link registerAll}.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	event: EventType,
	until: Date,
	name?: string[],
): Promise<WaitWebhook> {
	const secret = newSecret();
	const document = name && {
		hash: (await service.secretMaker())(['SignVerify wait', ...name]),
		since: Date.now(),
	};
	// In the order of their names: a service that sorts them would otherwise break n8n's signature.
	const url = execute.getSignedResumeUrl({
		...(document ? { [documentParameter]: document.hash } : {}),
		[secretParameter]: secret,
		...(document ? { [sinceParameter]: String(document.since) } : {}),
		[untilParameter]: String(until.getTime()),
	});
	const [webhook] = await registerAll(service, {
		urls: new Map([[event, url]]),
		name: webhookName(execute),
		docsAnchor: 'waiting',
		consequence: 'The item was not sent.',
	});
	const id = webhook?.webHookID ?? noId;
	return { hash: hashOfSecret(secret), id, event, ...(document ? { document } : {}) };
}

/** What the list of webhooks says of other waits whose document cannot be told apart from that of a wait. */
interface WaitsAlike {
	/** The IDs of their executions, as their URLs have them. */
	executions: string[];
	/** Whether the list has the wait's own webhook. Otherwise it is late, and may lack others, too. */
	isUpToDate: boolean;
}

/**
 * Looks for other waits whose document can be taken for that of a wait, where the service gives no ID: for the
 * same template and people, begun at about the same time. A wait that is over counts, because its document can
 * still be signed.
 * @throws ServiceError if the webhooks cannot be listed.
 */
export async function findWaitsAlike(
	service: ServiceClient,
	{ hash, document }: WaitWebhook,
): Promise<WaitsAlike> {
	const webhooks = await listWebhooks(service);
	const isOwn = ({ webHookUrl }: Webhook) => hashOfSecret(secretIn(webHookUrl)) === hash;
	const alike = webhooks.filter((webhook) => !isOwn(webhook) && isAlike(webhook, document));
	const executions = [...new Set(alike.map(({ webHookUrl }) => executionIn(webHookUrl)))];
	return { executions, isUpToDate: webhooks.some(isOwn) };
}

/** Pauses (ms) before the webhooks are listed again: the list may be late, and a wait may have just ended. */
const listPausesMs = [500, 1000, 1500];

/**
 * As {@link findWaitsAlike}, for a wait that begins. If the webhooks cannot be listed, it is looked for when the
 * event comes.
 * @returns The IDs of the executions of the other waits.
 */
export async function waitsAlikeAtStart(
	service: ServiceClient,
	webhook: WaitWebhook,
): Promise<string[]> {
	let found = await settle(findWaitsAlike(service, webhook));
	for (const pause of listPausesMs) {
		if (!found.ok || (found.value.isUpToDate && found.value.executions.length === 0)) break;
		await delay(pause);
		found = await settle(findWaitsAlike(service, webhook));
	}
	return found.ok ? found.value.executions : [];
}

/** Whether a webhook is that of a wait for a document that can be taken for another one. */
function isAlike(webhook: Webhook, document: WaitWebhook['document']): boolean {
	if (!document || parameterOf(webhook, documentParameter) !== document.hash) return false;
	return Math.abs(momentOf(webhook, sinceParameter) - document.since) < minGapMs;
}

/**
 * Removes the webhook of a wait, by its ID and by its URL. Never throws, because
 * {@link removeExpired} removes what is left.
 */
export async function removeWait(
	service: ServiceClient,
	{ event, hash, id }: WaitWebhook,
): Promise<void> {
	// After a lost answer, there may be two with its URL.
	const isOwn = ({ webHookUrl }: Webhook) => hashOfSecret(secretIn(webHookUrl)) === hash;
	await removeWebhooks(service, [{ webHookID: id, type: event }], isOwn);
}

/**
 * Removes webhooks of waits of this n8n whose limit has been over for a day: no code of the node runs at a
 * limit, or when an execution is stopped or deleted. Those that an open wait must see are left
 * ({@link findWaitsAlike}). Never throws, because nobody asked for it.
 */
export async function removeExpired(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const account = await settle(service.account());
	if (!account.ok || removing.has(account.value.id)) return;
	removing.set(account.value.id, true);
	const remove = async (): Promise<void> => {
		// What was registered for the URL of this n8n leads to no other one.
		const base = baseOf(execute.getSignedResumeUrl());
		const webhooks = await listWebhooks(service);
		const open = webhooks.filter((webhook) => endOfWait(webhook) >= Date.now());
		const isSeen = (webhook: Webhook) => {
			const hash = parameterOf(webhook, documentParameter);
			const since = momentOf(webhook, sinceParameter);
			return open.some((other) => isAlike(other, { hash, since }));
		};
		const isExpired = (webhook: Webhook) =>
			baseOf(webhook.webHookUrl) === base && endOfWait(webhook) < Date.now() - day;
		const expired = webhooks.filter((webhook) => isExpired(webhook) && !isSeen(webhook));
		// Those of identities last: if the service never deletes them, they must not hold up the others.
		const isLast = ({ type }: Webhook) => Number(type === identityEvent);
		expired.sort((left, right) => isLast(left) - isLast(right));
		for (const webhook of expired.slice(0, maxRemoved))
			await settle(removeWebhook(service, webhook));
	};
	await settle(remove());
	removing.delete(account.value.id);
}

/** A parameter of a webhook's URL; '' if it has none. */
function parameterOf({ webHookUrl }: Webhook, name: string): string {
	return parseUrl(webHookUrl)?.searchParams.get(name) ?? '';
}

/** A moment in a webhook's URL (epoch-ms). If it has none, NaN, with which no comparison is true. */
function momentOf(webhook: Webhook, name: string): number {
	return Number(parameterOf(webhook, name) || NaN);
}

/** When the wait of a webhook ends (epoch-ms), as {@link momentOf}. */
function endOfWait(webhook: Webhook): number {
	return parameterOf(webhook, secretParameter) ? momentOf(webhook, untilParameter) : NaN;
}

/** The execution that a resume URL leads to. */
function executionIn(address: string): string {
	return parseUrl(address)?.pathname.split('/').at(-2) ?? '';
}

/** A URL without its last two parts, which are execution and node, and without parameters. */
function baseOf(address: string): string | undefined {
	const url = parseUrl(address);
	return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
