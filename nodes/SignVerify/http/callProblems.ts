import { timeIsOver } from '../util/async';
import { maxJsonDepth } from '../util/json';
import { quoted } from '../util/redact';
import { textOf } from '../util/values';
import type { Problem, ProblemTable } from '../errors/problem';
import { maxResponseBytes } from './request';
import {
	denied,
	type Failure,
	lostForGood,
	lostForNow,
	type NoResponse,
	unsentForGood,
	unsentForNow,
} from './retry';

/*
 * Everything that can go wrong with a call. Each row is one problem: how failures.ts recognizes it (unless its caller
 * does), the user-facing words, and what the failed try proves. retry.ts decides what follows from that.
 */

/** A problem of a call. */
export interface CallProblem extends Problem {
	/** What the failed try proves. By default, the call wasn't sent and isn't worth retrying. */
	failure?: Failure;
}

export type CallProblemTable = ProblemTable<CallProblem>;

const checkBaseUrl =
	"Check the credential's Base URL, and ask your provider whether the service is up.";
const checkPath = 'Check the Base URL in the credential, including its path.';
export const openBaseUrl =
	"Open the Base URL in a browser, and enter the URL that you're redirected to";

export function sizeOf(shape: keyof typeof maxResponseBytes): string {
	return `${maxResponseBytes[shape] / 1_000_000} MB`;
}

/* Calls without a usable response. */

/** The error code for a body that exceeds its size limit or is nested too deeply. */
export const tooMuch = 'TOO_MUCH_DATA';

export type NoResponseProblem = CallProblem & { failure: NoResponse };

export interface NetworkError {
	/** The error from n8n's HTTP helper, followed by the errors nested in it. */
	errors: Array<Record<string, unknown>>;
	/** The URL that was called, even if the call goes through a proxy. */
	url: URL | undefined;
	/** Whether the call may have been redirected to another host, as a download may, but no call to the service. */
	followsRedirects: boolean;
}

interface Sign {
	/** Matches the code, the message, or the reason of one of the errors. */
	text: RegExp;
	proves: NoResponse;
	/** What else has to be true of that error, or of the call. */
	when?: (error: Record<string, unknown>, call: NetworkError) => boolean;
	/** The detail for the message, if it isn't the error's code. */
	detail?: string;
}

export interface NetworkProblem {
	/** What the problem is recognized by, and what it proves. The first sign that's found counts. */
	signs: Sign[];
	/**
	 * @param facts `at` is the origin that was called, `scheme` is "HTTP" or "HTTPS", and `detail` is the
	 * error's code or the HTTP status.
	 */
	words: (facts: { at: string; scheme: string; detail: string }) => CallProblem;
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80));

/** A connection that drops after it was opened can report the same code as one that couldn't be opened. */
const wasOpen = ({ errors }: NetworkError) =>
	errors.some(({ syscall }) => syscall === 'read' || syscall === 'write');

/**
 * Returns the host that couldn't be found, or the address that refused the connection, if it isn't the one that was
 * called.
 */
export function otherTarget(
	{ hostname, address, port }: Record<string, unknown>,
	{ url }: Pick<NetworkError, 'url'>,
): string | undefined {
	if (!url) return undefined;
	if (typeof hostname === 'string') return hostname === url.hostname ? undefined : hostname;
	return typeof port === 'number' && port !== portOf(url)
		? `${textOf(address)}:${port}`
		: undefined;
}

const isProxy: Sign['when'] = (error, call) =>
	!call.followsRedirects && otherTarget(error, call) !== undefined;

/** The problems of a call without a usable response, from the most to the least specific. */
export const networkProblems = {
	/** The proxy has a row of its own, because another person is responsible for it than for the service. */
	proxy: {
		signs: [
			{ text: /^ECONNREFUSED$/, proves: unsentForNow, when: isProxy },
			{ text: /^ENOTFOUND$/, proves: unsentForGood, when: isProxy },
			{ text: /^EAI_AGAIN$/, proves: unsentForNow, when: isProxy },
			// If a tunnel through the proxy can't be opened because the proxy requires a login, the proxy's
			// status appears only in the error's message.
			{ text: /tunnel.{0,80}\b407\b/is, proves: unsentForGood, detail: 'HTTP 407' },
		],
		words: ({ at, detail }) => ({
			problem: `${at} can't be reached through the proxy${detail && ` (${detail})`}`,
			remedy:
				'Ask the person who runs your n8n to check its proxy settings (HTTP_PROXY, HTTPS_PROXY), whether the proxy is running, and whether it requires a login.',
			docsAnchor: 'proxy',
		}),
	},
	notOverScheme: {
		signs: [
			// The codes are not the same in all versions of Node.
			{
				text: /^HPE_INVALID_|\bExpected HTTP\//,
				proves: lostForGood,
				when: (_error, { url }) => url?.protocol === 'http:',
			},
			{
				text: /unsupported[ _]protocol|protocol[ _]version|version[ _]too[ _]low|no protocols available/i,
				proves: unsentForGood,
			},
			// If the server doesn't use TLS, the handshake fails with EPROTO before the request is sent.
			// These codes can occur later, when the request may already have arrived.
			{
				text: /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/,
				proves: lostForGood,
			},
			{ text: /^EPROTO$/, proves: unsentForGood },
		],
		words: ({ at, scheme }) => ({
			problem: `${at} can't be reached over ${scheme}`,
			remedy:
				"Check whether the credential's Base URL should start with https:// or http://. If it's right, ask your provider whether the server supports TLS 1.2 or 1.3.",
			docsAnchor: 'not-over-https',
		}),
	},
	canceled: {
		signs: [{ text: /^ERR_CANCELED$/, proves: lostForGood }],
		words: ({ at }) => ({
			problem: `${at} hadn't responded when the execution was cancelled`,
			remedy: "Some items may already be done, so run only those that aren't.",
		}),
	},
	tooMuch: {
		signs: [{ text: new RegExp(`^${tooMuch}$`), proves: lostForGood }],
		words: ({ at }) => ({
			problem: `${at} returned too much data (more than ${sizeOf('single')}, ${sizeOf('list')} in a list, or ${maxJsonDepth} levels of nesting)`,
			remedy: checkPath,
		}),
	},
	hostNotFound: {
		signs: [
			{ text: /^ENOTFOUND$/, proves: unsentForGood },
			{ text: /^EAI_AGAIN$/, proves: unsentForNow },
		],
		words: ({ at }) => ({
			problem: `${at} can't be reached, because its host name can't be found`,
			remedy:
				"Check the spelling of the credential's Base URL. If it's right, try again in a moment, or ask the person who runs your n8n to check its network.",
			docsAnchor: 'host-not-found',
		}),
	},
	refusingConnections: {
		signs: [{ text: /^ECONNREFUSED$/, proves: unsentForNow }],
		words: ({ at }) => ({
			problem: `${at} is refusing connections`,
			remedy: checkBaseUrl,
			docsAnchor: 'refusing-connections',
		}),
	},
	untrustedCertificate: {
		// The client checks the certificate before it sends anything. Other TLS errors can occur at any time.
		signs: [{ text: /^(?!ERR_SSL_)\w*(?:CERT|UNABLE_TO_VERIFY)\w*$/, proves: unsentForGood }],
		words: ({ at }) => ({
			problem: `${at} has a certificate that can't be trusted`,
			remedy:
				"Check the credential's Base URL. If it's right, ask your provider to fix the certificate.",
			docsAnchor: 'untrusted-certificate',
		}),
	},
	blockedByN8n: {
		// n8n checks the address before it connects.
		signs: [{ text: /\brequest was blocked because /i, proves: unsentForGood }],
		words: ({ at }) => ({
			problem: `n8n's SSRF protection blocks calls to ${at}`,
			remedy:
				"Check the credential's Base URL. If it's right, ask the person who runs your n8n to add its host to N8N_SSRF_ALLOWED_HOSTNAMES.",
			docsAnchor: 'not-reachable',
		}),
	},
	noResponse: {
		signs: [
			{
				text: new RegExp(`^(?:ECONNRESET|EPIPE|ETIMEDOUT|ECONNABORTED|${timeIsOver})$`),
				proves: lostForNow,
			},
		],
		words: ({ at }) => ({
			problem: `${at} closed the connection or didn't respond in time`,
			remedy:
				"Try again in a moment. If this happens again, check whether the credential's Base URL should start with https:// or http://, and raise Timeout.",
		}),
	},
	/**
	 * Anything else. If there is none of these signs, the service may have received the call. The error's code
	 * helps the person who runs n8n to find out more.
	 */
	unknown: {
		signs: [
			{
				text: /^E(?:HOST|NET)UNREACH$/,
				proves: unsentForNow,
				when: (_error, call) => !wasOpen(call),
			},
		],
		words: ({ at, detail }) => ({
			problem: `${at} couldn't be reached${detail && ` (${detail})`}`,
			remedy: `${checkBaseUrl} If it is, ask the person who runs your n8n whether a firewall or a VPN blocks the call.`,
			docsAnchor: 'not-reachable',
		}),
	},
} satisfies Record<string, NetworkProblem>;

/* Calls that the service, or something in its place, has refused. The HTTP status decides. */

export interface FailedResponse {
	/** The effective status, which may come from the body. */
	status: number;
	/** The status for a message, if it isn't the effective one. */
	statusWords?: string | undefined;
	/** The service's own message; empty if there is none. */
	words: string;
	/** How much longer (ms) the service asks for a pause. */
	retryAfterMs?: number | undefined;
	/** See {@link httpsOriginOf}. */
	httpsOrigin?: string | undefined;
}

/**
 * The status for a message, with the service's own words in quotation marks, because they may contain a stranger's text,
 * and the model of an AI agent reads the message: `(HTTP 400: "wrong name")`.
 */
export const statusInWords = ({ status, statusWords, words }: FailedResponse) =>
	`(HTTP ${statusWords ?? status}${words ? `: "${words.replaceAll('"', "'")}"` : ''})`;

export const statusOrBodyInWords = (response: FailedResponse & { body: string }) =>
	response.words ? statusInWords(response) : `(HTTP ${response.status} with ${response.body})`;

/** Whether the service refuses a call because there are too many. Some services respond with 403 instead of 429. */
export function isRateLimited({ status, words }: FailedResponse): boolean {
	return (
		status === 429 ||
		(status === 403 && /(?<![a-z])rate[\s_-]?limit|too many requests/i.test(words))
	);
}

export interface RefusedProblem {
	by: (response: FailedResponse) => boolean;
	words: (response: FailedResponse) => CallProblem;
}

/** The problems of refused calls. The first that fits counts. */
export const refusedProblems = {
	redirected: {
		by: ({ status }) => status < 400,
		words: (response) => ({
			problem: `The service redirects this call to another URL ${statusInWords(response)}`,
			remedy: response.httpsOrigin
				? `In the credential, enter a Base URL that begins with ${response.httpsOrigin} instead of http://.`
				: "Open the Base URL in a browser. In the credential, enter the URL that you're redirected to.",
		}),
	},
	failed: {
		by: ({ status }) => status >= 500,
		words: (response) => ({
			problem: `The service failed ${statusInWords(response)}`,
			remedy: "The problem is on your provider's side. Try again in a moment.",
		}),
	},
	tooManyRequests: {
		by: isRateLimited,
		words: (response) => {
			const pause = endOfPause(response.retryAfterMs);
			const untilWhen = pause ? `, and won't accept any before ${pause.moment}` : '';
			return {
				problem: `The service received too many requests${untilWhen} ${statusInWords(response)}`,
				remedy: pause
					? `${pause.remedy}.`
					: 'Try again in a moment. To avoid this error, set or lower Requests per Second in the credential.',
				docsAnchor: 'too-many-requests',
			};
		},
	},
	notPermitted: {
		by: ({ status }) => status === 401 || status === 403,
		words: (response) => ({
			problem: `This account doesn't have permission for this operation ${statusInWords(response)}`,
			remedy:
				'The service rejected even a new access token. Ask your provider which permissions the account needs.',
		}),
	},
	notFound: {
		by: ({ status }) => status === 404,
		words: (response) => ({
			problem: `The service couldn't find anything with this ID ${statusInWords(response)}`,
			remedy:
				"Check that the ID is right and belongs to the account in the credential. If you didn't enter an ID, check the path in the Base URL.",
		}),
	},
	rejected: {
		by: () => true,
		words: (response) => ({
			problem: `The service rejected the request ${statusInWords(response)}`,
			remedy: response.words
				? 'Fix the problem described in the message, and try again.'
				: 'The response contains no reason. Check the values that you entered, and ask your provider why it rejects them.',
			docsAnchor: 'request-rejected',
		}),
	},
} satisfies Record<string, RefusedProblem>;

/** For a pause shorter than this (ms), the message doesn't say when the pause ends. */
const longPauseMs = 60_000;

/** @returns undefined for a short pause, because users don't need to know when it ends. */
export function endOfPause(retryAfterMs = 0): { moment: string; remedy: string } | undefined {
	if (retryAfterMs < longPauseMs) return undefined;
	const minutes = Math.ceil(retryAfterMs / 60_000);
	// Round up to a whole minute, because the message doesn't show seconds.
	const end = new Date(Math.ceil((Date.now() + retryAfterMs) / 60_000) * 60_000).toISOString();
	const duration = minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
	return {
		moment: `${end.slice(11, 16)} UTC on ${end.slice(0, 10)}`,
		remedy: `Try again in ${duration}`,
	};
}

/* Calls that weren't sent, and calls whose outcome is unknown. */

/**
 * @param noun The object that may have been created, such as "the document".
 * @param key The item's Send Once Key, if it has one that counts as used.
 */
export function remedyAfterLoss(noun: string, key?: string): string {
	const newKey =
		key === undefined
			? ''
			: `give the item a different Send Once Key, because ${quoted(key)} counts as used, and `;
	return `Check your provider's account for ${noun}. If it's there, don't run this item again. If it isn't, ${newKey}run the item again.`;
}

export const callProblems = {
	canceled: {
		problem: 'The execution was cancelled before this item was done',
		remedy: "Some items may already be done, so run only those that aren't.",
	},
	canceledWhileChecking: {
		problem: 'The execution was cancelled before any of these items was sent',
		remedy: 'You can run these items again.',
	},
	ownLimit: {
		problem:
			"The node didn't make this call, because other calls have used up the credential's Requests per Second limit",
		remedy: 'Try again in a moment, or raise Requests per Second in the credential.',
		failure: denied,
	},
	foreign: ({ at, status, body }: { at: string; status: number; body: string }) => ({
		problem: `${at} returned HTTP ${status} with ${body}. The response isn't from the signing service`,
		remedy: checkPath,
		docsAnchor: 'not-the-signing-service',
		failure: lostForGood,
	}),
	unclear: (response: FailedResponse) => ({
		problem: `The service's response doesn't make clear whether the call worked ${statusInWords(response)}`,
		remedy: "Check your provider's account to see what happened.",
		failure: lostForGood,
	}),
	/**
	 * A create call that was sent. The call is not retried, because that could create a duplicate.
	 * @param what Why the outcome is unknown, as a sentence without a period at the end.
	 * @param noun The object that may have been created, such as "the document".
	 */
	mayHaveCreated: (what: string, noun: string) => ({
		problem: `${what}, so ${noun} may have been created`,
		remedy: remedyAfterLoss(noun),
		docsAnchor: 'may-have-been-created',
		failure: lostForGood,
	}),
} satisfies CallProblemTable;
/*
 * The token. n8n's credential test shows only an error's message, so every message also contains the remedy.
 * In all of these rows, the call that needs the token hasn't been sent yet.
 */
/* The credential. Here as well, every message contains the remedy. */
/* Downloads. `noun` is the file, such as "the document". */
