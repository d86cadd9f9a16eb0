import { timeIsOver } from '../util/async';
import { maxJsonDepth } from '../util/json';
import { quoted } from '../util/redact';
import { textOf } from '../util/values';
import type { DocsAnchor } from './docs';
import { maxResponseBytes } from './request';
import {
	denied,
	type Failure,
	lostForGood,
	lostForNow,
	noFile,
	type NoResponse,
	unsentForGood,
	unsentForNow,
} from './retry';

/*
 * Everything that can go wrong with a call, the token, the credential, and a download. Each row is one
 * problem: how failures.ts recognizes it (unless its caller does), the user-facing words, and what the failed
 * try proves. retry.ts decides what follows from that.
 */

export interface Problem {
	/** What happened, in one sentence. */
	message: string;
	description: string;
	/** The row of docs/troubleshooting.md about the problem, if users need more than these words. */
	docsAnchor?: DocsAnchor | undefined;
	/** What the failed try proves. By default, the call wasn't sent and isn't worth retrying. */
	failure?: Failure;
}

/** A table of problems. A function's facts are what the words depend on. */
export type Rows = Record<string, Problem | ((...facts: never[]) => Problem)>;

const checkBaseUrl =
	"Check the credential's Base URL, and ask your provider whether the service is up.";
const checkPath = 'Check the Base URL in the credential, including its path.';
const openBaseUrl = "Open the Base URL in a browser, and enter the URL that you're redirected to";

function sizeOf(kind: keyof typeof maxResponseBytes): string {
	return `${maxResponseBytes[kind] / 1_000_000} MB`;
}

/* Calls without a usable response. */

/** The error code for a body that exceeds its size limit or is nested too deeply. */
export const tooMuch = 'TOO_MUCH_DATA';

export type NoResponseProblem = Problem & { failure: NoResponse };

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
	words: (facts: { at: string; scheme: string; detail: string }) => Problem;
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
			message: `${at} can't be reached through the proxy${detail && ` (${detail})`}`,
			description:
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
			message: `${at} can't be reached over ${scheme}`,
			description:
				"Check whether the credential's Base URL should start with https:// or http://. If it's right, ask your provider whether the server supports TLS 1.2 or 1.3.",
			docsAnchor: 'not-over-https',
		}),
	},
	canceled: {
		signs: [{ text: /^ERR_CANCELED$/, proves: lostForGood }],
		words: ({ at }) => ({
			message: `${at} hadn't responded when the execution was cancelled`,
			description:
				"Some items may already be done, so run the workflow again only with those that aren't.",
		}),
	},
	tooMuch: {
		signs: [{ text: new RegExp(`^${tooMuch}$`), proves: lostForGood }],
		words: ({ at }) => ({
			message: `${at} returned too much data (more than ${sizeOf('single')}, ${sizeOf('list')} in a list, or ${maxJsonDepth} levels of nesting)`,
			description: checkPath,
		}),
	},
	hostNotFound: {
		signs: [
			{ text: /^ENOTFOUND$/, proves: unsentForGood },
			{ text: /^EAI_AGAIN$/, proves: unsentForNow },
		],
		words: ({ at }) => ({
			message: `${at} can't be reached, because its host name can't be found`,
			description:
				"Check the spelling of the credential's Base URL. If it's right, try again in a moment, or ask the person who runs your n8n to check its network.",
			docsAnchor: 'host-not-found',
		}),
	},
	refusingConnections: {
		signs: [{ text: /^ECONNREFUSED$/, proves: unsentForNow }],
		words: ({ at }) => ({
			message: `${at} is refusing connections`,
			description: checkBaseUrl,
			docsAnchor: 'refusing-connections',
		}),
	},
	untrustedCertificate: {
		// The client checks the certificate before it sends anything. Other TLS errors can occur at any time.
		signs: [{ text: /^(?!ERR_SSL_)\w*(?:CERT|UNABLE_TO_VERIFY)\w*$/, proves: unsentForGood }],
		words: ({ at }) => ({
			message: `${at} has a certificate that can't be trusted`,
			description:
				"Check the credential's Base URL. If it's right, ask your provider to fix the certificate.",
			docsAnchor: 'untrusted-certificate',
		}),
	},
	blockedByN8n: {
		// n8n checks the address before it connects.
		signs: [{ text: /\brequest was blocked because /i, proves: unsentForGood }],
		words: ({ at }) => ({
			message: `n8n's SSRF protection blocks calls to ${at}`,
			description:
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
			message: `${at} closed the connection or didn't respond in time`,
			description:
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
			message: `${at} couldn't be reached${detail && ` (${detail})`}`,
			description: `${checkBaseUrl} If it is, ask the person who runs your n8n whether a firewall or a VPN blocks the call.`,
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

const statusOrBodyInWords = (response: FailedResponse & { body: string }) =>
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
	words: (response: FailedResponse) => Problem;
}

/** The problems of refused calls. The first that fits counts. */
export const refusedProblems = {
	redirected: {
		by: ({ status }) => status < 400,
		words: (response) => ({
			message: `The service redirects this call to another URL ${statusInWords(response)}`,
			description: response.httpsOrigin
				? `In the credential, enter a Base URL that begins with ${response.httpsOrigin} instead of http://.`
				: "Open the Base URL in a browser. In the credential, enter the URL that you're redirected to.",
		}),
	},
	failed: {
		by: ({ status }) => status >= 500,
		words: (response) => ({
			message: `The service failed ${statusInWords(response)}`,
			description: "The problem is on your provider's side. Try again in a moment.",
		}),
	},
	tooManyRequests: {
		by: isRateLimited,
		words: (response) => {
			const pause = endOfPause(response.retryAfterMs);
			const untilWhen = pause ? `, and won't accept any before ${pause.moment}` : '';
			return {
				message: `The service received too many requests${untilWhen} ${statusInWords(response)}`,
				description: pause
					? `${pause.remedy}.`
					: 'Try again in a moment. To avoid this error, set or lower Requests per Second in the credential.',
				docsAnchor: 'too-many-requests',
			};
		},
	},
	notPermitted: {
		by: ({ status }) => status === 401 || status === 403,
		words: (response) => ({
			message: `This account doesn't have permission for this operation ${statusInWords(response)}`,
			description:
				'The service rejected even a new access token. Ask your provider which permissions the account needs.',
		}),
	},
	notFound: {
		by: ({ status }) => status === 404,
		words: (response) => ({
			message: `The service couldn't find anything with this ID ${statusInWords(response)}`,
			description:
				"Check that the ID is right and belongs to the account in the credential. If you didn't enter an ID, check the path in the Base URL.",
		}),
	},
	rejected: {
		by: () => true,
		words: (response) => ({
			message: `The service rejected the request ${statusInWords(response)}`,
			description: response.words
				? 'Fix the problem described in the message, and try again.'
				: 'The service gave no reason. Check the values that you entered, and ask your provider why it rejects them.',
			docsAnchor: 'request-rejected',
		}),
	},
} satisfies Record<string, RefusedProblem>;

/** For a pause shorter than this (ms), the message doesn't say when the pause ends. */
const longPauseMs = 60_000;

/** @returns undefined for a short pause, because users don't need to know when it ends. */
function endOfPause(retryAfterMs = 0): { moment: string; remedy: string } | undefined {
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
		message: 'The execution was cancelled before this item was done',
		description: "Some items may already be done, so run only those that aren't.",
	},
	canceledWhileChecking: {
		message: 'The execution was cancelled before any of these items was sent',
		description: 'You can run these items again.',
	},
	ownLimit: {
		message:
			"The node didn't make this call, because other calls have used up the credential's Requests per Second limit",
		description: 'Try again in a moment, or raise Requests per Second in the credential.',
		failure: denied,
	},
	foreign: ({ at, status, body }: { at: string; status: number; body: string }) => ({
		message: `${at} returned HTTP ${status} with ${body}. The response isn't from the signing service`,
		description: checkPath,
		docsAnchor: 'not-the-signing-service',
		failure: lostForGood,
	}),
	unclear: (response: FailedResponse) => ({
		message: `The service's response doesn't make clear whether the call worked ${statusInWords(response)}`,
		description: "Check your provider's account to see what happened.",
		failure: lostForGood,
	}),
	/**
	 * A create call that was sent. The call is not retried, because that could create a duplicate.
	 * @param what Why the outcome is unknown, as a sentence without a period at the end.
	 * @param noun The object that may have been created, such as "the document".
	 */
	mayHaveCreated: (what: string, noun: string) => ({
		message: `${what}, so ${noun} may have been created`,
		description: remedyAfterLoss(noun),
		docsAnchor: 'may-have-been-created',
		failure: lostForGood,
	}),
} satisfies Rows;

const getNewToken = 'Open the credential. n8n then tests it and gets a new token.';

/*
 * The token. n8n's credential test shows only an error's message, so every message also contains the remedy.
 * In all of these rows, the call that needs the token hasn't been sent yet.
 */

export const tokenProblems = {
	noResponse: ({ message, description, docsAnchor, failure }: NoResponseProblem) => ({
		message: `Base URL: ${message}. ${description.replace(/\.$/, '')}`,
		description: "The node didn't make the call, because it couldn't get an access token.",
		docsAnchor,
		failure: failure.isTemporary ? unsentForNow : unsentForGood,
	}),
	/** A rate limit or 5xx. A rate limit applies to the entire account, but only 429 certainly is one. */
	notNow: (response: FailedResponse) => {
		const { status, retryAfterMs } = response;
		const { moment, remedy = 'Try again in a moment' } = endOfPause(retryAfterMs) ?? {};
		const problem = moment
			? `won't issue an access token before ${moment}`
			: "isn't issuing access tokens right now";
		const failure: Failure =
			status === 429
				? { what: 'refused', status, isFromService: true }
				: status === 403
					? unsentForGood
					: unsentForNow;
		return {
			message: `The service ${problem} ${statusInWords(response)}. ${remedy}`,
			description:
				"The problem is on your provider's side, so there may be nothing wrong with your credential.",
			failure,
		};
	},
	/** 3xx. @param facts `rightUrl` is the Base URL to enter, if the service only wants https://. */
	redirected: ({ status, rightUrl }: { status: number; rightUrl: string | undefined }) => ({
		message: `The service redirects this call to another URL (HTTP ${status}). ${rightUrl ? `Enter ${rightUrl} as the Base URL` : openBaseUrl}`,
		description: 'To protect the API Key, the node follows no redirects.',
	}),
	/** 401, 403, or 407 that the service itself didn't return. */
	blocked: (response: FailedResponse & { body: string }) => ({
		message: `Something other than the signing service rejected the request for an access token ${statusOrBodyInWords(response)}. Most likely, a firewall, a proxy, or a web server blocked the call. Check the Base URL, and ask your provider whether this n8n instance is allowed to call the service`,
		description:
			"The User ID and the API Key may be right, so don't replace them before you've checked the Base URL.",
		docsAnchor: 'something-else-rejected-the-request',
	}),
	/** Any other refusal by the service itself. */
	refused: (response: FailedResponse) => ({
		message: `The service rejected the User ID or the API Key ${statusInWords(response)}. Copy both again`,
		description:
			"Paste both into the credential. If they're right, the key may have been revoked, so create a new one in your provider's account.",
		docsAnchor: 'user-id-or-api-key-rejected',
	}),
	/** Anything else. */
	missing: ({ at, ...response }: FailedResponse & { at: string; body: string }) => ({
		message: `${at} responded, but didn't return an access token ${statusOrBodyInWords(response)}. Check the Base URL and its path, which is often /api`,
		description: 'Compare the Base URL in the credential with the one your provider gave you.',
	}),
	/**
	 * Any of these problems, if the Base URL ends with an endpoint's path.
	 * @param facts `problem` is what's wrong if the Base URL is right nevertheless.
	 */
	endpointInBaseUrl: ({
		baseUrl,
		endpoint,
		problem,
	}: {
		baseUrl: string;
		endpoint: string;
		problem: Problem;
	}) => ({
		...problem,
		message: `Base URL: ends with ${endpoint}, which the node adds itself. Take it off, and enter ${baseUrl.slice(0, -endpoint.length)}. If the Base URL is right: ${problem.message}`,
	}),
	ofAnotherAccount: {
		message: 'The stored access token belongs to another account or Base URL',
		description: getNewToken,
	},
	mayHaveExpired: {
		message: 'The stored access token may have expired',
		description: getNewToken,
	},
} satisfies Rows;

/* The credential. Here as well, every message contains the remedy. */

const correctBaseUrl = 'Correct it in the credential. An example is https://sign.example.com/api.';

export const credentialProblems = {
	noBaseUrl: {
		message: 'Base URL: required, but empty. Enter the URL that your provider gave you',
		description: correctBaseUrl,
	},
	noUrl: {
		message:
			'Base URL: not a URL. It must begin with https:// or http:// and contain no spaces or invisible characters',
		description: correctBaseUrl,
	},
	loginInBaseUrl: {
		message:
			'Base URL: delete the login details and the "@" after them. The node logs in with the User ID and the API Key instead',
		description: correctBaseUrl,
	},
	queryInBaseUrl: {
		message: 'Base URL: contains "?" or "#". Delete it and everything after it',
		description: correctBaseUrl,
	},
	/** @param field The name of a field that is sent as a header. */
	empty: (field: string) => ({
		message: `${field}: required, but empty. Copy it from your provider's account`,
		description: `Paste the ${field} into the credential.`,
	}),
	wrongCharacters: (field: string) => ({
		message: `${field}: contains characters that aren't allowed. Copy it again`,
		description: `Paste the ${field} into the credential.`,
	}),
	/** @param facts `range` is what the number must be, such as "a number from 1 to 50". */
	wrongNumber: ({ field, range }: { field: string; range: string }) => ({
		message: `${field} in the credential: must be ${range}`,
		description: 'Correct it in the credential.',
	}),
	/** @param least The lowest limit with which an event can still be processed. */
	tooFewRequests: (least: number) => ({
		message: `Requests per Second in the credential: must be 0 (no limit) or a number from ${least} to 1000. If your provider allows fewer calls, enter 0. The node then pauses whenever the service reports too many requests`,
		description:
			"With a lower limit, the node couldn't process an event before your provider gives up on it.",
	}),
	wrongExpression: (reason: string) => ({
		message: `n8n couldn't read the credential: ${reason}`,
		description:
			'Open the credential and correct its expressions. If one of them uses $env, ask the person who runs your n8n to set N8N_BLOCK_ENV_ACCESS_IN_NODE to false, because n8n blocks $env otherwise.',
		docsAnchor: 'credential-not-read',
	}),
	/**
	 * @param facts `isMissing` is true if the node has no credential. Any other problem is in n8n or its
	 * database.
	 */
	unread: ({ reason, isMissing }: { reason: string; isMissing: boolean }) => ({
		message: `n8n couldn't read the credential: ${reason}`,
		description:
			'Select a credential in the node. If the message mentions an encryption key or a database, contact the person who runs your n8n.',
		docsAnchor: 'credential-not-read',
		failure: isMissing ? unsentForGood : unsentForNow,
	}),
	otherAccount: {
		message: 'The credential has been changed to another account',
		description:
			'Its Base URL or User ID changed while the node was using it, so the node made no more calls. Run the remaining items again.',
	},
	/** A waiting node reads the credential again when its event arrives, without an item. */
	readsItem: {
		message:
			"The credential has an expression that reads data from the item, so a waiting node can't use it",
		description:
			'Use an expression with $vars or $secrets, or a separate credential for each account.',
	},
	severalAccounts: (item: number) => ({
		message: `The credential uses a different account for item ${item} than for item 1`,
		description: 'Run the node once for each account, for example with Loop Over Items.',
	}),
	/** The call would send the token to another host. */
	otherHost: (at: string) => ({
		message: `This credential is only for ${at}`,
		description:
			'Use a URL that starts with the Base URL in the credential, or select another credential.',
	}),
	/** A header would make a proxy pass the token on to another host. */
	otherHostHeader: (at: string) => ({
		message: `This credential is only for ${at}, but the request has a Host header for another host`,
		description: "Remove Host from the node's headers, or select another credential.",
	}),
	uncheckedCertificate: {
		message:
			"This credential can't be used without certificate checks, because any server could then read the access token",
		description: 'Turn off Ignore SSL Issues (Insecure) in the node.',
	},
	readableProxy: {
		message:
			"This credential can't be used with this proxy, because the proxy could read the access token",
		description:
			"Remove the Proxy option from the node. A proxy is only allowed if the Base URL begins with https:// and the node doesn't specify its own certificate authority.",
	},
} satisfies Rows;

/* Downloads. `noun` is the file, such as "the document". */

const tryLinkAgain =
	"Try again in a moment. If the problem persists, copy a new link from your provider's account.";

const askForServer =
	'Ask the person who runs your n8n, or your provider, to make this server reachable from n8n.';

function notDownloaded(what: string, description: string, failure: Failure): Problem {
	return { message: `Couldn't download ${what}`, description, failure };
}

const returned = (found: string) => found && `. The server returned ${found}`;

export const fileProblems = {
	/** HTTP 202. */
	notReady: (noun: string) =>
		notDownloaded(`${noun}: the file isn't ready yet (HTTP 202)`, tryLinkAgain, lostForNow),
	/** HTTP 206. The request doesn't ask for a part of the file. */
	partial: (noun: string) =>
		notDownloaded(
			`${noun}: the server returned only a part of it (HTTP 206)`,
			tryLinkAgain,
			lostForNow,
		),
	empty: (noun: string) =>
		notDownloaded(`${noun}: the response is empty`, tryLinkAgain, lostForNow),
	/** 408, 429, or 5xx. */
	storageFailed: ({ noun, status }: { noun: string; status: number }) =>
		notDownloaded(
			`${noun} (HTTP ${status})`,
			`The server that stores the file has a problem. ${tryLinkAgain}`,
			lostForNow,
		),
	/** HTTP 404. @param facts `found` is what the server returned instead of the file, if that's known. */
	notFound: ({ noun, found }: { noun: string; found: string }) =>
		notDownloaded(
			`${noun}: the server didn't find the file, which may not be there yet (HTTP 404)${returned(found)}`,
			tryLinkAgain,
			noFile,
		),
	/** Any other response that isn't a file. @param facts `found` is what it is instead, if that's known. */
	expired: ({ noun, status, found }: { noun: string; status: number; found: string }) => ({
		message: `The link to ${noun} isn't valid, most likely because it has expired (HTTP ${status})${returned(found)}`,
		description:
			"Copy a new link from your provider's account. Links expire quickly, so in the future, download the files as soon as the event arrives, before any waiting step.",
		// Some storage servers respond with 403 instead of 404, so that strangers can't find out which files exist.
		failure: status === 403 ? noFile : lostForGood,
	}),
	tooLarge: (noun: string) =>
		notDownloaded(
			`${noun}: the file is larger than ${sizeOf('file')}`,
			'Instead, use the link in an HTTP Request node, which can store larger files.',
			lostForGood,
		),
	/** The link redirects without end, as a link does that sets a cookie first. */
	needsBrowser: (noun: string) =>
		notDownloaded(
			`${noun}: the link redirects without end, so it most likely works only in a browser`,
			'Open the link in a browser, and download the file there. Then ask your provider for links that work without a browser.',
			lostForGood,
		),
	noFreeSlot: (noun: string) =>
		notDownloaded(
			`${noun}: n8n was downloading too many other files at the same time`,
			'Try again later.',
			lostForGood,
		),
	tooSlow: ({ noun, totalMs }: { noun: string; totalMs: number }) =>
		notDownloaded(
			`${noun}: the download didn't finish within ${totalMs / 1000} s`,
			'The server that stores the file is too slow. Try again later.',
			lostForGood,
		),
	broken: ({ noun, problem }: { noun: string; problem: NoResponseProblem }) => {
		const { message, failure } = problem;
		// A new link leads to the same server.
		const isUnreachable = failure.what === 'unsent' && !failure.isTemporary;
		return notDownloaded(
			`${noun}: ${message}`,
			isUnreachable ? askForServer : tryLinkAgain,
			failure,
		);
	},
} satisfies Rows;
