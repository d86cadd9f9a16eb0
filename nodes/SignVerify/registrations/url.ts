import { createHash, randomBytes, timingSafeEqual } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { ServiceError } from '../http/errors';
import { webhookProblems } from '../http/operationProblems';
import { endpointsOf, isTriggerTest } from '../n8nInternals';
import type { Finding } from '../text/finding';
import type { InputRows } from '../text/problems';
import {
	decodeUrlPart,
	isLoopbackUrl,
	isPrivateUrl,
	normalText,
	originOf,
	parseUrl,
} from '../util/values';

/**
 * The query parameter that contains a secret. Nothing in a notification proves who sent it
 * (docs/dev/service.md#delivery). So the registered URL itself contains a secret, and requests without it are
 * refused (the guarantee "Events are authenticated" in docs/dev/behavior.md).
 */
export const secretParameter = 'secret';

export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

type NodeContext = Pick<IHookFunctions, 'getInstanceId' | 'getWorkflow' | 'getNode' | 'getMode'>;

/**
 * Returns the IDs that together identify a trigger node: instance, workflow and node. The IDs are the same in
 * all n8n processes, both in the node's hooks and in `webhook()`. The node's URL wouldn't work as an
 * identifier, because in a test run, n8n passes the production URL to `webhook()`.
 * @n8n
 */
export function placeOfNode(context: NodeContext): string[] {
	const { id = '' } = context.getWorkflow();
	return [context.getInstanceId(), String(id), context.getNode().id];
}

/**
 * Returns a hash of what registered webhooks belong to. It always includes the account, because the same ID can
 * belong to someone else's webhook in a different account.
 * @param place The node in which they belong to it ({@link placeOfNode}), if that doesn't follow from where
 * the hash is stored.
 */
export function hashOfOwner(account: string, place: string[] = []): string {
	return createHash('sha256')
		.update(JSON.stringify([...place, account]))
		.digest('hex');
}

/**
 * Returns the key for data that is cached for ten seconds and shared by a node's events. Without this cache,
 * n8n would load the credential from the database and decrypt it for every event, which takes longer than
 * everything else that the node does for an event.
 * @param what What the data is, plus anything it depends on other than the node and its credential.
 */
export function sharedByEvents(context: NodeContext, what: unknown): string {
	const { credentials } = context.getNode();
	return JSON.stringify([...placeOfNode(context), isTriggerTest(context), credentials, what]);
}

/**
 * Derives the secrets in a node's webhook URLs, one for each event, from the API key. A node with the same
 * credential derives the same secrets, so nothing has to be stored. A test run uses different secrets.
 * @throws ServiceError if the credential is invalid or n8n can't read it.
 */
export async function readSecrets(
	context: NodeContext,
	service: ServiceClient,
): Promise<(event: string) => string> {
	const secretOf = await service.secretMaker();
	const mode = isTriggerTest(context) ? 'test' : 'production';
	const parts = ['SignVerify Trigger', ...placeOfNode(context), mode];
	return (event) => secretOf([...parts, event]);
}

export function urlWithSecret(webhookUrl: string, secret: string): string {
	const separator = webhookUrl.includes('?') ? '&' : '?';
	return `${webhookUrl}${separator}${secretParameter}=${secret}`;
}

/**
 * Returns the SHA-256 hash of a secret. n8n stores only this hash, because not everyone who can read n8n's
 * data should know the secret.
 */
export function hashOfSecret(secret: string): string {
	return createHash('sha256').update(secret).digest('base64url');
}

/** Returns the secret in a URL, wherever it is among the parameters, or '' if there is none. */
export function secretIn(address: string): string {
	return parseUrl(address)?.searchParams.get(secretParameter) ?? '';
}

/** Whether a value has the format of our secrets. Check this before comparing the value with a hash. */
export function canBeSecret(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{43}$/.test(value);
}

/**
 * Compares a secret with a stored hash in constant time.
 * @param hash The stored hash; '' matches nothing.
 */
export function isSecret(secret: string, hash: string): boolean {
	const receivedHash = Buffer.from(hashOfSecret(secret));
	const storedHash = Buffer.from(hash);
	return receivedHash.length === storedHash.length && timingSafeEqual(receivedHash, storedHash);
}

export const publicUrlLabel = "n8n's public URL";

function setPublicUrl(value: string): string {
	// n8n versions before 2.30 recognize only the variable's old name.
	return `Set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to ${value}, and restart n8n.`;
}

/** `right` is the URL to set instead. */
interface PublicUrlFacts {
	shown: string;
	right: string;
}

export const publicUrlProblems = {
	noUrl: {
		problem: "isn't a URL that begins with https:// or http://, so no events can arrive",
		remedy: setPublicUrl('a URL such as https://n8n.example.com/'),
	},
	withQuery: ({ shown, right }: PublicUrlFacts) => ({
		problem: `contains "?" or "#" (after ${shown}), so no events can arrive`,
		remedy: setPublicUrl(right),
	}),
	withEmptyPart: ({ shown, right }: PublicUrlFacts) => ({
		problem: `has an empty part between two slashes (${shown}), so no events can arrive`,
		remedy: setPublicUrl(right),
	}),
	withEndpoint: ({ shown, right, name }: PublicUrlFacts & { name: string }) => ({
		problem: `ends with /${name} (${shown}), although n8n adds the names of its endpoints itself, so most likely, no events will arrive`,
		remedy: `${setPublicUrl(right)} If a proxy removes /${name} from each call before it reaches n8n, you don't need to do anything.`,
	}),
} satisfies InputRows;

/**
 * Checks n8n's public URL, with which the URLs of all webhooks begin. n8n responds with 404 to a call in whose
 * path anything comes before the name of one of its endpoints, so only a proxy can make such a URL work.
 * @param isTest Whether a trigger is being tested in the editor. n8n's public URL can then be another one.
 * @returns A certain mistake if no event can arrive, or a possible one if the URL ends with the name of an
 * endpoint, which n8n adds itself; undefined if there is no mistake, or if n8n doesn't provide its URL.
 * @n8n
 */
export function checkPublicUrl(context: object, isTest = false): Finding | undefined {
	const { publicUrl, webhookNames = [] } = endpointsOf(context, isTest) ?? {};
	if (publicUrl === undefined) return undefined;
	const url = parseUrl(publicUrl);
	if (!url || !/^https?:$/.test(url.protocol)) {
		return { severity: 'certain', ...publicUrlProblems.noUrl };
	}
	const { origin, pathname, search, hash } = url;
	const shown = `${origin}${pathname}`;
	const parts = pathname.split('/').filter((part) => normalText(decodeUrlPart(part)) !== '');
	const path = parts.map((part) => `/${part}`).join('');
	const right = `${origin}${path}/`;
	if (search || hash) {
		return { severity: 'certain', ...publicUrlProblems.withQuery({ shown, right }) };
	}
	if (pathname !== `${path}/`) {
		return { severity: 'certain', ...publicUrlProblems.withEmptyPart({ shown, right }) };
	}
	const name = webhookNames.find((one) => one !== '' && path.endsWith(`/${one}`));
	if (name === undefined) return undefined;
	const withoutName = `${origin}${path.slice(0, -name.length)}`;
	const facts = { shown, name, right: withoutName };
	return { severity: 'possible', ...publicUrlProblems.withEndpoint(facts) };
}

/**
 * Checks whether the service can reach an n8n URL. A service on the internet can't reach a URL that is
 * reachable only from n8n's own machine or network.
 * @returns A warning for a URL on a private network, because the service may reach it through a VPN;
 * undefined if the URL looks reachable.
 * @throws ServiceError for a host such as localhost or 0.0.0.0, because no other machine can reach it.
 */
export function checkReachable(baseUrl: string, webhookUrl: string): string | undefined {
	if (isPrivateUrl(baseUrl) || !isPrivateUrl(webhookUrl)) return undefined;
	const remedy = setPublicUrl("n8n's public URL");
	const [from, to] = [originOf(baseUrl), originOf(webhookUrl)];
	const problem = webhookProblems.unreachable({ from, to, remedy });
	if (!isLoopbackUrl(webhookUrl)) return `${problem.message}. ${remedy}`;
	throw new ServiceError(problem);
}

/** The comparison ignores the secrets in the URLs. */
export function pointsTo(nodeUrl: string): (address: string) => boolean {
	// A service may write the same URL differently, so parse both.
	const pathOf = (address: string) => (parseUrl(address)?.href ?? address).split('?')[0];
	const nodePath = pathOf(nodeUrl);
	return (address) => pathOf(address) === nodePath;
}

/** Cut to 100 characters. If that splits a character, the remaining half is removed. */
export function webhookName(context: { getWorkflow(): { name?: string | undefined } }): string {
	const name = `n8n: ${context.getWorkflow().name ?? 'workflow'}`;
	return name.slice(0, 100).replace(/\p{Surrogate}/gu, '');
}
