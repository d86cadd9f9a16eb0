import { createHash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { WebhookRegistration } from '../api/types';
import { eventParameter, webhookName } from '../webhooks/url';
import { type KnownWebhooks, onlyIds, removeWebhooks } from '../webhooks/remove';
import { syncWebhooks } from '../webhooks/sync';
import type { ServiceClient } from '../http/client';
import { parseUrl, textOf } from '../util/values';
import type { WaitRegistration } from './state';

/**
 * Query parameters of the signed URL of a wait. Within an execution, a node has one path, also if a loop
 * runs it again, so each wait has a random part. It is also a secret, because n8n accepts the
 * execution's own resume token, too.
 */
export const waitParameter = 'wait';
const ownerParameter = 'n8n';

/** Makes the random part of a wait's URL, of 144 bits. */
export function makeWait(): string {
	return randomBytes(18).toString('base64url');
}

/** The URL for an event while the execution of the running node waits. */
export function resumeAddress(execute: IExecuteFunctions, wait: string, event: string): string {
	return execute.getSignedResumeUrl({
		[ownerParameter]: instanceOf(execute),
		[waitParameter]: wait,
		[eventParameter]: event,
	});
}

/** A name for this n8n, because another one may have the same URL. */
function instanceOf(execute: IExecuteFunctions): string {
	return createHash('sha256').update(execute.getInstanceId()).digest('base64url').slice(0, 12);
}

/** What an error says if the request is not sent yet. */
export const consequenceOfStart = 'Nothing was sent.';

/** What an error says if a retried execution cannot wait again for what it has sent. */
export const consequenceOfRetry =
	'Everything was sent before, so do not run the workflow again. Retry this execution. It then waits again and sends nothing.';

/**
 * Registers a wait of the execution for events. What is already registered for it stays.
 * @throws ServiceError as {@link syncWebhooks}.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	types: EventType[],
	wait: string,
	consequence: string,
): Promise<WaitRegistration> {
	const urlFor = (type: EventType) => resumeAddress(execute, wait, type);
	const known: KnownWebhooks = { ...onlyIds, ids: {} };
	const addresses = types.map(urlFor);
	await syncWebhooks(
		service,
		{
			urlFor,
			isOwn: (url) => waitOf(url) === wait,
			types,
			name: webhookName(execute),
			secrets: [wait, ...addresses.flatMap((each) => [each, new URL(each).search.slice(1)])],
			docsAnchor: 'waiting',
			consequence,
		},
		known,
	);
	return { ids: known.ids, wait, execution: execute.getExecutionId() };
}

/**
 * Removes the registrations of one wait, by their IDs and by their URLs.
 * @throws ServiceError if one could not be removed.
 */
export async function removeWait(
	service: ServiceClient,
	{ ids, wait }: Omit<WaitRegistration, 'execution'>,
): Promise<void> {
	// A copy, because the IDs in the state of a wait say which events it is for.
	const known = { ...onlyIds, ids: { ...ids } };
	await removeWebhooks(service, known, (address) => waitOf(address) === wait);
}

/** The wait to which a registered URL belongs; undefined for every other URL. */
function waitOf(address: string): string | undefined {
	return parseUrl(address)?.searchParams.get(waitParameter) ?? undefined;
}

/**
 * Whether a waiting node of this n8n made a registration: the URL has the name of this n8n, and begins
 * like that of the running execution.
 */
export function isOfThisInstance(
	{ webHookUrl }: WebhookRegistration,
	execute: IExecuteFunctions,
): boolean {
	const address = textOf(webHookUrl);
	return (
		waitOf(address) !== undefined &&
		parseUrl(address)?.searchParams.get(ownerParameter) === instanceOf(execute) &&
		baseOf(address) === baseOf(execute.getSignedResumeUrl())
	);
}

/** The ID of the execution to which a URL belongs. */
export function executionOf(address: string): string {
	return new URL(address).pathname.split('/').at(-2) ?? '';
}

/** A URL without its last two parts, which are execution and node, and without parameters. */
function baseOf(address: string): string {
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname.split('/').slice(0, -2).join('/')}`;
}
