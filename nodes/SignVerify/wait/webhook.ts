import { createHash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { type EventType, identityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { settle } from '../util/async';
import { parseUrl, textOf } from '../util/values';
import { type KnownIds, type KnownWebhooks, removeWebhooks } from '../webhooks/remove';
import { syncWebhooks } from '../webhooks/sync';
import { eventParameter, webhookName } from '../webhooks/url';

/**
 * Query parameters of the signed resume URL. Within an execution, a node has one path, also if a loop runs
 * it again, so each wait has a token of its own. It is also a secret, because n8n accepts the execution's
 * own resume token, too.
 */
export const resumeTokenParameter = 'resumeToken';
/** The end of the wait (epoch-ms). */
const untilParameter = 'until';
/** The n8n that waits, because another one may have the same URL. */
const ownerParameter = 'n8n';

const day = 86_400_000;
/** How many webhooks of expired waits one starting wait removes. */
const maxRemoved = 20;
/** Many executions may start at once, and one of them is enough to remove the same webhooks. */
let isRemoving = false;

/** The webhook with which an execution waits. */
export interface WaitWebhook {
	resumeToken: string;
	/** By event; '' if the service gave none, and empty if nothing is registered. */
	ids: KnownIds;
}

/**
 * Registers the execution of the running node for an event.
 * @param until The end of the wait.
 * @throws ServiceError as {@link syncWebhooks}. It has then removed what it registered.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	event: EventType,
	until: Date,
): Promise<WaitWebhook> {
	// 144 bits.
	const resumeToken = randomBytes(18).toString('base64url');
	const url = execute.getSignedResumeUrl({
		[ownerParameter]: ownerOf(execute),
		[untilParameter]: String(until.getTime()),
		[resumeTokenParameter]: resumeToken,
		[eventParameter]: event,
	});
	// A wait registers one webhook and forgets it, so nothing is to be learned about the service.
	const known: KnownWebhooks = { ids: {}, identityUrl: undefined, identityListed: true };
	await syncWebhooks(
		service,
		{
			urlFor: () => url,
			isOwn: (each) => tokenOf(each) === resumeToken,
			types: [event],
			name: webhookName(execute),
			secrets: [resumeToken, url, new URL(url).search.slice(1)],
			docsAnchor: 'waiting',
			consequence: 'Nothing was sent.',
		},
		known,
	);
	return { resumeToken, ids: known.ids };
}

/**
 * Removes the webhook of a wait, by its ID and by its URL.
 * @throws ServiceError if it could not be removed.
 */
export async function removeWait(
	service: ServiceClient,
	{ resumeToken, ids }: WaitWebhook,
): Promise<void> {
	// The service may delete an identity webhook that it does not list.
	const known: KnownWebhooks = { ids, identityUrl: undefined, identityListed: false };
	await removeWebhooks(service, known, (each) => tokenOf(each) === resumeToken);
}

/**
 * Removes webhooks of waits of this n8n whose limit has been over for a day: no code of the node runs at a
 * limit, or when an execution is stopped or deleted. Never throws, because nobody asked for it.
 */
export async function removeExpired(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	if (isRemoving) return;
	isRemoving = true;
	const isExpired = (each: Webhook) =>
		isOfThisUrl(each, execute) &&
		(endOfWait(each, execute)?.getTime() ?? Infinity) < Date.now() - day;
	const remove = async (): Promise<void> => {
		const expired = (await listWebhooks(service)).filter(isExpired);
		// Those of identities last: if the service never deletes them, they must not hold up the others.
		const isLast = ({ type }: Webhook) => Number(type === identityEvent);
		expired.sort((left, right) => isLast(left) - isLast(right));
		for (const each of expired.slice(0, maxRemoved)) await settle(removeWebhook(service, each));
	};
	await settle(remove());
	isRemoving = false;
}

/** When the wait of a webhook ends; undefined if it is not of a waiting node of this n8n. */
export function endOfWait(
	{ webHookUrl }: Partial<Webhook>,
	execute: IExecuteFunctions,
): Date | undefined {
	const parameters = parseUrl(textOf(webHookUrl))?.searchParams;
	const until = new Date(Number(parameters?.get(untilParameter) || NaN));
	const isOwn =
		parameters?.has(resumeTokenParameter) && parameters.get(ownerParameter) === ownerOf(execute);
	return isOwn && !Number.isNaN(until.getTime()) ? until : undefined;
}

function ownerOf(execute: IExecuteFunctions): string {
	return createHash('sha256').update(execute.getInstanceId()).digest('base64url').slice(0, 12);
}

function tokenOf(address: string): string | undefined {
	return parseUrl(address)?.searchParams.get(resumeTokenParameter) ?? undefined;
}

/** Whether a webhook leads to the URL of this n8n: a copy of its database has the same owner. */
function isOfThisUrl({ webHookUrl }: Webhook, execute: IExecuteFunctions): boolean {
	return baseOf(textOf(webHookUrl)) === baseOf(execute.getSignedResumeUrl());
}

/** A URL without its last two parts, which are execution and node, and without parameters. */
function baseOf(address: string): string | undefined {
	const url = parseUrl(address);
	return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
