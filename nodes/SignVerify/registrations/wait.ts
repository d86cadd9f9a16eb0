import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type EventType, identityEvent } from '../api/events';
import type { Webhook } from '../api/types';
import { listWebhooks, removeWebhook } from '../api/webhooks';
import type { ServiceClient } from '../http/client';
import { settle } from '../util/async';
import { day, parseUrl } from '../util/values';
import { noId, registerAll, removeWebhooks } from './sync';
import { hashOfSecret, newSecret, secretIn, secretParameter, webhookName } from './url';

/*
 * Query parameters of the signed resume URL. Within an execution, a node has one path, also if a loop runs
 * it again, so each wait also has a secret of its own (registrations/url.ts). n8n's signature is not enough,
 * because n8n accepts the execution's own resume token, too.
 */

/** The end of the wait (epoch-ms). */
const untilParameter = 'until';

/** How many webhooks of expired waits one starting wait removes. */
const maxRemoved = 20;
/** Accounts: many executions may start at once, and one of them is enough to remove the same webhooks. */
const removing = new Set<string>();

/** What is kept of the webhook with which an execution waits. */
export interface WaitWebhook extends IDataObject {
	/** Of the secret in its URL. */
	hash: string;
	/** {@link noId} if the service gave none. */
	id: string;
	event: EventType;
}

/**
 * Registers the execution of the running node for an event.
 * @param until The end of the wait.
 * @throws ServiceError as {@link registerAll}.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	event: EventType,
	until: Date,
): Promise<WaitWebhook> {
	const secret = newSecret();
	// In the order of their names: a service that sorts them would otherwise break n8n's signature.
	const url = execute.getSignedResumeUrl({
		[secretParameter]: secret,
		[untilParameter]: String(until.getTime()),
	});
	const [webhook] = await registerAll(service, {
		urls: new Map([[event, url]]),
		name: webhookName(execute),
		docsAnchor: 'waiting',
		consequence: 'The item was not sent.',
	});
	return { hash: hashOfSecret(secret), id: webhook?.webHookID ?? noId, event };
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
 * limit, or when an execution is stopped or deleted. Never throws, because nobody asked for it.
 */
export async function removeExpired(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<void> {
	const account = await settle(service.account());
	if (!account.ok || removing.has(account.value.id)) return;
	removing.add(account.value.id);
	const remove = async (): Promise<void> => {
		// What was registered for the URL of this n8n leads to no other one.
		const base = baseOf(execute.getSignedResumeUrl());
		const isExpired = (webhook: Webhook) =>
			baseOf(webhook.webHookUrl) === base && endOfWait(webhook) < Date.now() - day;
		const expired = (await listWebhooks(service)).filter(isExpired);
		// Those of identities last: if the service never deletes them, they must not hold up the others.
		const isLast = ({ type }: Webhook) => Number(type === identityEvent);
		expired.sort((left, right) => isLast(left) - isLast(right));
		for (const webhook of expired.slice(0, maxRemoved))
			await settle(removeWebhook(service, webhook));
	};
	await settle(remove());
	removing.delete(account.value.id);
}

/** When the wait of a webhook ends (epoch-ms). If it is not of a waiting node, NaN: that is before no moment. */
function endOfWait({ webHookUrl }: Webhook): number {
	const parameters = parseUrl(webHookUrl)?.searchParams;
	return parameters?.has(secretParameter) ? Number(parameters.get(untilParameter) || NaN) : NaN;
}

/** A URL without its last two parts, which are execution and node, and without parameters. */
function baseOf(address: string): string | undefined {
	const url = parseUrl(address);
	return url && `${url.origin}${url.pathname.split('/').slice(0, -2).join('/')}`;
}
