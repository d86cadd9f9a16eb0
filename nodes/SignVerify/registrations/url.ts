import { createHash, randomBytes, timingSafeEqual } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { isTest } from '../n8nInternals';
import { isLoopbackUrl, isPrivateUrl, originOf, parseUrl } from '../util/values';

/**
 * The query parameter with a secret. Nothing in a notification proves who sent it
 * (docs/dev/service.md#delivery), so the registered URL itself has a secret ("Events are authenticated").
 */
export const secretParameter = 'secret';

/** Makes a new secret of 256 bits that a URL can have. */
export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** The part of n8n's contexts that tells a node from others. */
type NodeContext = Pick<IHookFunctions, 'getInstanceId' | 'getWorkflow' | 'getNode' | 'getMode'>;

/**
 * What tells a trigger node from those in other instances, workflows and places. It is the same in its hooks
 * and in `webhook()`, in every process of n8n. Its URL is not: n8n gives a test run its production URL.
 */
export function placeOfNode(context: NodeContext): string[] {
	const { id = '' } = context.getWorkflow();
	return [context.getInstanceId(), String(id), context.getNode().id];
}

/**
 * Makes the secrets in the URLs of a node's webhooks, one for each event. They are derived from the API key,
 * so who has the credential can recognize them, and nothing has to be kept. Those of a test differ from those of
 * production.
 * @throws ServiceError if the credential cannot be used.
 */
export async function readSecrets(
	context: NodeContext,
	service: ServiceClient,
): Promise<(event: EventType) => string> {
	const secretOf = await service.secretMaker();
	const mode = isTest(context) ? 'test' : 'production';
	const parts = ['SignVerify Trigger', ...placeOfNode(context), mode];
	return (event) => secretOf([...parts, event]);
}

/** The URL to register: the node's own, with a secret. */
export function urlWithSecret(webhookUrl: string, secret: string): string {
	const separator = webhookUrl.includes('?') ? '&' : '?';
	return `${webhookUrl}${separator}${secretParameter}=${secret}`;
}

/** What is kept of a secret: its SHA-256, because others may read where n8n keeps it. */
export function hashOfSecret(secret: string): string {
	return createHash('sha256').update(secret).digest('base64url');
}

/** The secret in a URL, wherever it is among the parameters; '' if there is none. */
export function secretIn(address: string): string {
	return parseUrl(address)?.searchParams.get(secretParameter) ?? '';
}

/** Whether a value can be one of our secrets, before anything is compared. */
export function canBeSecret(given: unknown): given is string {
	return typeof given === 'string' && /^[\w-]{43}$/.test(given);
}

/**
 * Compares a secret in constant time.
 * @param hash What was kept; '' matches nothing.
 */
export function isSecret(given: string, hash: string): boolean {
	const [one, other] = [Buffer.from(hashOfSecret(given)), Buffer.from(hash)];
	return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Checks whether a service on the internet would have to call a URL of n8n that only its own network can reach.
 * @returns What to warn of, because a VPN may lead to a private address; undefined if nothing speaks against it.
 * @throws ServiceError for a loopback address: nothing leads to it.
 */
export function checkReachable(baseUrl: string, webhookUrl: string): string | undefined {
	if (isPrivateUrl(baseUrl) || !isPrivateUrl(webhookUrl)) return undefined;
	const message = `The service at ${originOf(baseUrl)} cannot reach this n8n at ${originOf(webhookUrl)}, so no event will arrive`;
	// n8n before 2.30 knows only the old name.
	const remedy =
		'Set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the public URL of n8n, and restart n8n.';
	if (!isLoopbackUrl(webhookUrl)) return `${message}. ${remedy}`;
	throw new ServiceError({
		message,
		description: `${remedy} Nothing was sent or registered.`,
		docsAnchor: 'events-cannot-arrive',
	});
}

/** Makes a test whether a URL leads to a node, whatever its secret. */
export function leadsTo(own: string): (address: string) => boolean {
	// A service may write a URL differently.
	const nodeOf = (address: string) => (parseUrl(address)?.href ?? address).split('?')[0];
	const node = nodeOf(own);
	return (address) => nodeOf(address) === node;
}

/** What the webhook of a workflow is called at the service: at most 100 characters, no half ones. */
export function webhookName(context: { getWorkflow(): { name?: string | undefined } }): string {
	const name = `n8n: ${context.getWorkflow().name ?? 'workflow'}`;
	return name.slice(0, 100).replace(/\p{Surrogate}/gu, '');
}
