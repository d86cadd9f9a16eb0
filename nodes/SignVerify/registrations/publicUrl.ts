import { ServiceError } from '../http/serviceError';
import { normalText } from '../util/names';
import { decodeUrlPart, isLoopbackUrl, isPrivateUrl, originOf, parseUrl } from '../util/urls';
import { registrationProblems } from './registrationProblems';
import { endpointsOf } from '../n8nInternals';
import type { Finding } from '../text/finding';
import type { ValueProblemTable } from '../errors/problem';
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
} satisfies ValueProblemTable;

/**
 * Checks n8n's public URL, with which the URLs of all webhooks begin. n8n responds with 404 to a call in whose
 * path anything comes before the name of one of its endpoints, so only a proxy can make such a URL work.
 * @param isTest Whether a trigger is being tested in the editor. n8n's public URL can then be another one.
 * @returns What's wrong if no event can arrive, or a warning if the URL ends with the name of an endpoint, which n8n
 * adds itself; undefined if there is no mistake, or if n8n doesn't provide its URL.
 * @n8n
 */
export function checkPublicUrl(context: object, isTest = false): Finding | undefined {
	const { publicUrl, webhookNames = [] } = endpointsOf(context, isTest) ?? {};
	if (publicUrl === undefined) return undefined;
	const url = parseUrl(publicUrl);
	if (!url || !/^https?:$/.test(url.protocol)) {
		return { severity: 'wrong', ...publicUrlProblems.noUrl };
	}
	const { origin, pathname, search, hash } = url;
	const shown = `${origin}${pathname}`;
	const parts = pathname.split('/').filter((part) => normalText(decodeUrlPart(part)) !== '');
	const path = parts.map((part) => `/${part}`).join('');
	const right = `${origin}${path}/`;
	if (search || hash) {
		return { severity: 'wrong', ...publicUrlProblems.withQuery({ shown, right }) };
	}
	if (pathname !== `${path}/`) {
		return { severity: 'wrong', ...publicUrlProblems.withEmptyPart({ shown, right }) };
	}
	const name = webhookNames.find((one) => one !== '' && path.endsWith(`/${one}`));
	if (name === undefined) return undefined;
	const withoutName = `${origin}${path.slice(0, -name.length)}`;
	const facts = { shown, name, right: withoutName };
	return { severity: 'warning', ...publicUrlProblems.withEndpoint(facts) };
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
	const unreachable = registrationProblems.unreachable({ from, to, remedy });
	if (!isLoopbackUrl(webhookUrl)) return `${unreachable.problem}. ${remedy}`;
	throw new ServiceError(unreachable);
}
