import { maxJsonDepth } from '../util/json';
import type { DocsAnchor } from './docsAnchors';
import { maxResponseBytes } from './request';

/*
 * The messages for failed calls and downloads. failures.ts decides what a failure means, and retry.ts decides
 * whether to retry the call. The messages about tokens are in token.ts, and those about a credential's other
 * fields in credential.ts.
 */

/** The user-facing description of a failure. */
export interface Words {
	/** What happened, in one sentence. */
	message: string;
	/** What to do about the failure. */
	description: string;
	/** The section of docs/errors.md that explains the failure. */
	docsAnchor: DocsAnchor;
}

/** The user-facing description of a call that got no response. */
export interface NetworkWords {
	/** The rest of a sentence that begins with the service's origin: "is refusing connections". */
	problem: string;
	/** The section of docs/errors.md that explains the problem. */
	docsAnchor: DocsAnchor;
	remedy: string;
}

/** Formats the maximum size of a kind of response for a message. */
function sizeOf(kind: keyof typeof maxResponseBytes): string {
	return `${maxResponseBytes[kind] / 1_000_000} MB`;
}

const checkBaseUrl =
	'Check the Base URL in the credential, and ask your provider whether the service is up.';
const checkAddress = 'Check the Base URL in the credential, including its path.';
const tryAgainSoon = 'Try again in a moment.';
const useHttps = 'Check whether the Base URL should start with https://.';
const useOtherScheme = 'Check whether the Base URL should start with http:// or https://.';
const checkProxy =
	'Ask the person who runs your n8n to check its proxy settings (HTTP_PROXY, HTTPS_PROXY), and whether the proxy is running.';
const logInToProxy =
	'Ask the person who runs your n8n to add the user name and password to the URL in HTTP_PROXY or HTTPS_PROXY, or to configure the proxy to allow calls to the service without a login.';

/** The messages for everything that can keep a call from getting a response. */
export const networkWords = {
	unknown: {
		problem: "couldn't be reached",
		docsAnchor: 'could-not-be-reached',
		remedy: checkBaseUrl,
	},
	noSuchHost: {
		problem: "can't be reached, because its host name doesn't exist",
		docsAnchor: 'has-a-host-name-that-does-not-exist',
		remedy: 'Check the spelling of the Base URL in the credential.',
	},
	hostNotLookedUp: {
		problem: "can't be reached, because its host name can't be looked up right now",
		docsAnchor: 'has-a-host-name-that-cannot-be-looked-up-right-now',
		remedy:
			'Try again in a moment. If the problem persists, ask the person who runs your n8n to check its network.',
	},
	connectionRefused: {
		problem: 'is refusing connections',
		docsAnchor: 'refuses-connections',
		remedy: checkBaseUrl,
	},
	noRoute: {
		problem: "can't be reached from this n8n instance",
		docsAnchor: 'cannot-be-reached-from-here',
		remedy:
			'A firewall or a VPN may be blocking the call. Ask the person who runs your network to check.',
	},
	connectionClosed: {
		problem: 'closed the connection',
		docsAnchor: 'closed-the-connection',
		remedy: tryAgainSoon,
	},
	/**
	 * Used for a call over plain HTTP. An HTTPS port often closes a plain connection, so the Base URL may
	 * need https://.
	 */
	connectionClosedToHttp: {
		problem: 'closed the connection',
		docsAnchor: 'closed-the-connection',
		remedy:
			'Try again in a moment. If it happens again, check whether the Base URL should start with https://.',
	},
	late: {
		problem: "didn't respond in time",
		docsAnchor: 'did-not-answer-in-time',
		remedy:
			'Try again in a moment. If the service is always slow, raise Timeout in the credential.',
	},
	canceled: {
		problem: "hadn't responded when the execution was cancelled",
		docsAnchor: 'was-not-waited-for-since-the-execution-was-cancelled',
		remedy: "Run the workflow again. If some items were already sent, run only those that weren't.",
	},
	badCertificate: {
		problem: "has a certificate that can't be trusted",
		docsAnchor: 'has-a-certificate-that-cannot-be-trusted',
		remedy:
			"Check the Base URL in the credential. If it's right, ask your provider to fix the certificate.",
	},
	noHttps: {
		problem: "doesn't support HTTPS",
		docsAnchor: 'does-not-speak-https',
		remedy: useOtherScheme,
	},
	noHttp: {
		problem: "doesn't support HTTP on this port",
		docsAnchor: 'does-not-speak-https',
		remedy: useHttps,
	},
	oldTls: {
		problem: 'only supports TLS versions that are too old for n8n',
		docsAnchor: 'speaks-only-an-old-version-of-tls',
		remedy: "Ask your provider to turn on TLS 1.2 or 1.3. Older versions aren't secure.",
	},
	tooLarge: {
		problem: `returned more than ${sizeOf('single')}`,
		docsAnchor: 'answered-with-more-than',
		remedy: checkAddress,
	},
	tooLargeList: {
		problem: `returned a list of more than ${sizeOf('list')}`,
		docsAnchor: 'answered-with-more-than',
		remedy: checkAddress,
	},
	tooDeep: {
		problem: `returned data nested more than ${maxJsonDepth} levels deep`,
		docsAnchor: 'answered-with-more-than',
		remedy: checkAddress,
	},
	proxyDown: {
		problem: "can't be reached, because the proxy is refusing connections",
		docsAnchor: 'the-proxy-before-the-service',
		remedy: checkProxy,
	},
	proxyUnknown: {
		problem: "can't be reached, because the proxy's host name doesn't exist",
		docsAnchor: 'the-proxy-before-the-service',
		remedy: checkProxy,
	},
	proxyWantsLogin: {
		problem: "can't be reached, because the proxy requires a login",
		docsAnchor: 'the-proxy-before-the-service',
		remedy: logInToProxy,
	},
} as const satisfies Record<string, NetworkWords>;

/** The message for an execution that was canceled before the call was sent. */
export const wordsOfCancellation: Words = {
	message: 'The execution was cancelled before this item was sent',
	description:
		"Some items may already have been sent, so run only those that weren't. If every item has a Send Once Key, you can run all of them again, because the node skips those that were already sent.",
	docsAnchor: 'the-execution-was-cancelled-before-this-item-was-sent',
};

/**
 * The message for a call that wasn't sent because the credential's "Requests per Second" would have delayed
 * it too long.
 */
export const wordsOfOwnLimit: Words = {
	message:
		"This call wasn't sent, because other calls have used up the credential's Requests per Second limit",
	description: 'Try again in a moment, or raise Requests per Second in the credential.',
	docsAnchor: 'other-calls-use-all-requests-per-second',
};

/** The message for a call that the proxy rejected. The call did not reach the service. */
export const wordsOfProxyRefusal: Words = {
	message: 'The proxy between n8n and the service requires a login (HTTP 407)',
	description: logInToProxy,
	docsAnchor: 'the-proxy-before-the-service',
};

/**
 * Returns the message for a create call whose outcome is unknown. The call is not retried, because that could
 * create a duplicate.
 * @param what Why the outcome is unknown, as a sentence without a period at the end.
 * @param noun The object that may have been created, such as "the document".
 */
export function wordsOfLostCreation(what: string, noun: string): Words {
	return {
		message: `${what}, so ${noun} may have been created`,
		description: `Check your provider's account for ${noun} before you run this item again. The node stopped trying, because another try could create a duplicate.`,
		docsAnchor: 'may-have-been-created',
	};
}

/**
 * Describes a response that can't have come from the service. The description doesn't end with a period,
 * because {@link wordsOfLostCreation} may continue its last sentence.
 * @param body A short description of the body.
 */
export function foreignResponse(origin: string, httpStatus: number, body: string): string {
	return `${origin} returned HTTP ${httpStatus} with ${body}. The response isn't from the signing service`;
}

/**
 * Returns the message for a response that is neither a success nor a rejection.
 * @param serviceWords The service's own message; empty if there is none.
 * @param body A short description of the body.
 */
export function wordsOfUnclearResponse(
	httpStatus: number,
	serviceWords: string,
	body: string,
	origin: string,
): Words {
	return serviceWords
		? {
				message: `The service's response doesn't make clear whether the call worked (HTTP ${httpStatus}: ${serviceWords})`,
				description: "Check your provider's account to see what happened.",
				docsAnchor: 'the-service-does-not-say-clearly-whether-it-worked',
			}
		: wordsOfForeignResponse(foreignResponse(origin, httpStatus, body));
}

/**
 * Returns the message and the advice for a response that can't have come from the service.
 * @param message The description from {@link foreignResponse}.
 */
export function wordsOfForeignResponse(message: string): Words {
	return {
		message,
		description: checkAddress,
		docsAnchor: 'the-service-answered-but-not-like-the-signing-service',
	};
}

/** For a pause shorter than this (ms), the message doesn't say when the pause ends. */
const longPauseMs = 60_000;

/**
 * Describes the end of a pause requested by the service, and what the user should do.
 * @param retryAfterMs The remaining pause, in milliseconds.
 * @returns undefined for a short pause, because users don't need to know when it ends.
 */
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

/**
 * Returns the message for a rejection, based on its status.
 * @param serviceWords The service's own message; empty if there is none.
 * @param retryAfterMs The pause that the service asked for. Only the message for "too many requests" mentions
 * it.
 * @param httpsOrigin See {@link httpsOriginOf}.
 */
export function wordsOfRefusal(
	httpStatus: number,
	serviceWords: string,
	retryAfterMs?: number,
	httpsOrigin?: string,
): Words {
	const { problem, docsAnchor } = meaningOf(httpStatus);
	const pause = httpStatus === 429 ? endOfPause(retryAfterMs) : undefined;
	const until = pause ? `, and won't accept any before ${pause.moment}` : '';
	const quoted = serviceWords ? `: ${serviceWords}` : '';
	return {
		message: `${problem}${until} (HTTP ${httpStatus}${quoted})`,
		description: pause ? `${pause.remedy}.` : remedyFor(httpStatus, httpsOrigin),
		docsAnchor,
	};
}

/** Explains a rejection based only on its status, without the service's own message. */
function meaningOf(status: number): { problem: string; docsAnchor: DocsAnchor } {
	if (status < 400) {
		return {
			problem: 'The service redirects this call to another URL',
			docsAnchor: 'the-service-redirects-this-call-to-another-url',
		};
	}
	if (status >= 500) return { problem: 'The service failed', docsAnchor: 'the-service-failed' };
	if (status === 401 || status === 403) {
		return {
			problem: "This account doesn't have permission for this operation",
			docsAnchor: 'the-service-does-not-allow-this',
		};
	}
	if (status === 404) {
		return {
			problem: "The service couldn't find anything with this ID",
			docsAnchor: 'the-service-did-not-find-it',
		};
	}
	if (status === 429) {
		return {
			problem: 'The service received too many requests',
			docsAnchor: 'the-service-says-that-there-were-too-many-requests',
		};
	}
	return {
		problem: 'The service rejected the request',
		docsAnchor: 'the-service-refused-the-request',
	};
}

function remedyFor(status: number, httpsOrigin?: string): string {
	if (status < 400 && httpsOrigin) {
		return `In the credential, enter a Base URL that begins with ${httpsOrigin} instead of http://.`;
	}
	if (status < 400) {
		return "Open the Base URL in a browser. In the credential, enter the URL that you're redirected to.";
	}
	if (status >= 500) return "The problem is on your provider's side. Try again in a moment.";
	if (status === 401 || status === 403) {
		return 'The service rejected even a new access token. Ask your provider which permissions the account needs.';
	}
	if (status === 404) {
		return "Check that the ID is right and belongs to the account in the credential. If you didn't enter an ID, check the path in the Base URL.";
	}
	if (status === 429)
		return 'Try again in a moment. To avoid this error, set or lower Requests per Second in the credential.';
	return 'Fix the problem described in the message, and try again.';
}

/** Returns the first sentence of the description for a create call that definitely failed. */
export function notCreated(noun: string): string {
	return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} wasn't created.`;
}

const tryLinkAgain =
	"Try again in a moment. If the problem persists, copy a new link from your provider's account.";

/** Returns the message for an empty download response. @param noun The file, such as "the document". */
export function wordsOfEmptyFile(noun: string): Words {
	return notDownloaded(`${noun}: the response is empty`, tryLinkAgain);
}

/** Returns the message for a storage server that responds with 408, 429, or 5xx. */
export function wordsOfFailedStorage(noun: string, httpStatus: number): Words {
	const remedy = `The server that stores the file has a problem. ${tryLinkAgain}`;
	return notDownloaded(`${noun} (HTTP ${httpStatus})`, remedy);
}

/** Returns the message for a file that the server hasn't finished creating (HTTP 202). */
export function wordsOfUnreadyFile(noun: string): Words {
	return notDownloaded(`${noun}: the file isn't ready yet (HTTP 202)`, tryLinkAgain);
}

/** Returns the message for a response that contains only a part of the file (HTTP 206). */
export function wordsOfPartialFile(noun: string): Words {
	return notDownloaded(`${noun}: the server returned only a part of it (HTTP 206)`, tryLinkAgain);
}

/**
 * Returns the message for a link that no longer points to its file.
 * @param received What the server returned instead; '' if that's unknown.
 */
export function wordsOfExpiredLink(noun: string, httpStatus: number, received: string): Words {
	const instead = received && `. The server returned ${received}`;
	return {
		message: `The link to ${noun} isn't valid, most likely because it has expired (HTTP ${httpStatus})${instead}`,
		description:
			"Copy a new link from your provider's account. Links expire quickly, so in the future, download the files as soon as the event arrives, before any waiting step.",
		docsAnchor: 'files',
	};
}

/** Returns the message for a file that exceeds the size limit. */
export function wordsOfLargeFile(noun: string): Words {
	return notDownloaded(
		`${noun}: the file is larger than ${sizeOf('file')}`,
		'Instead, use the link in an HTTP Request node, which can store larger files.',
	);
}

/** Returns the message for a file whose download couldn't start because of other downloads. */
export function wordsOfBusyDownloads(noun: string): Words {
	return notDownloaded(
		`${noun}: n8n was downloading too many other files at the same time`,
		'Try again later with Document: Download, which allows more time.',
	);
}

/** Returns the message for a download that took too long. */
export function wordsOfSlowFile(noun: string, maxTimeMs: number): Words {
	return notDownloaded(
		`${noun}: the download didn't finish within ${maxTimeMs / 1000} s`,
		'The server that stores the file is too slow. Try again later, or raise Timeout in the credential, which also limits how long a download may take.',
	);
}

/**
 * Returns the message for a transfer that broke or couldn't start.
 * @param problem The problem, including the origin of the file's URL.
 */
export function wordsOfBrokenTransfer(noun: string, problem: string): Words {
	return notDownloaded(`${noun}: ${problem}`, tryLinkAgain);
}

/** Returns the message for a failed download. @param what The file, and why its download failed. */
function notDownloaded(what: string, description: string): Words {
	return { message: `Couldn't download ${what}`, description, docsAnchor: 'files' };
}
