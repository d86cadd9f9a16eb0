import { timeIsOver } from '../util/async';
import { isObject, originOf, parseUrl } from '../util/values';
import type { DocsAnchor } from './docs';
import { ServiceError, type ErrorFacts, type Retryable } from './errors';
import { memoryGivenUp } from './fileMemory';
import { absenceStatuses, maxAnswer, readRetryAfter, type ServiceRequest } from './request';

/* The words of all failures of calls and downloads. Those about the credential are in credential.ts. */

/** The code of the error for more bytes than may be read. */
export const tooLarge = 'ANSWER_TOO_LARGE';
/** The same for a body with too many values in one another. */
export const tooDeep = 'ANSWER_TOO_DEEP';

/** What an error of the HTTP client means for the person who built the workflow. */
interface NetworkProblem {
	/** The rest of a sentence that begins with the service's origin. */
	problem: string;
	/** Where docs/errors.md explains it. */
	docsAnchor: DocsAnchor;
	remedy: string;
	/** `whenIdempotent` if the request may have reached the service. */
	retryable: Retryable;
	/** Whether the request certainly did not reach the service. */
	neverSent: boolean;
}

const checkBaseUrl = 'Check the Base URL in the credential, and that the service is up.';
const checkAddress = 'Check the Base URL in the credential, its path included.';

const useHttpsRemedy = 'Check whether the Base URL should start with https://.';
const closedRemedy = `Try again in a moment. If it stays like this: ${useHttpsRemedy}`;

/** The request certainly did not reach the service. */
const beforeSending = { remedy: checkBaseUrl, retryable: 'never', neverSent: true } as const;
/** The request may have reached the service. */
const afterSending = {
	remedy: 'Try again in a moment.',
	retryable: 'whenIdempotent',
	neverSent: false,
} as const;

const noRoute: NetworkProblem = {
	...beforeSending,
	problem: 'cannot be reached from here',
	docsAnchor: 'cannot-be-reached-from-here',
	retryable: 'always',
};
const connectionClosed: NetworkProblem = {
	...afterSending,
	problem: 'closed the connection',
	docsAnchor: 'closed-the-connection',
};
const late: NetworkProblem = {
	...afterSending,
	problem: 'did not answer in time',
	docsAnchor: 'did-not-answer-in-time',
};
const badCertificate: NetworkProblem = {
	...beforeSending,
	problem: 'has a certificate that cannot be trusted',
	docsAnchor: 'has-a-certificate-that-cannot-be-trusted',
	remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
};

/** For a code that is not known. */
const unknownProblem: NetworkProblem = {
	...afterSending,
	problem: 'could not be reached',
	docsAnchor: 'could-not-be-reached',
	remedy: checkBaseUrl,
};

/** By the code of the error: Node's, the HTTP client's, or our own. */
const networkProblems = new Map<string, NetworkProblem>(
	Object.entries<NetworkProblem>({
		ENOTFOUND: {
			...beforeSending,
			problem: 'has a host name that does not exist',
			docsAnchor: 'has-a-host-name-that-does-not-exist',
		},
		EAI_AGAIN: {
			...beforeSending,
			problem: 'has a host name that cannot be looked up right now',
			docsAnchor: 'has-a-host-name-that-cannot-be-looked-up-right-now',
			retryable: 'always',
		},
		ECONNREFUSED: {
			...beforeSending,
			problem: 'refuses connections',
			docsAnchor: 'refuses-connections',
			retryable: 'always',
		},
		EHOSTUNREACH: noRoute,
		ENETUNREACH: noRoute,
		ECONNRESET: connectionClosed,
		EPIPE: connectionClosed,
		ETIMEDOUT: late,
		ECONNABORTED: late,
		[timeIsOver]: late,
		ERR_CANCELED: {
			...afterSending,
			problem: 'was not waited for, since the execution was cancelled',
			docsAnchor: 'was-not-waited-for-since-the-execution-was-cancelled',
			retryable: 'never',
		},
		EPROTO: {
			...beforeSending,
			problem: 'does not speak HTTPS',
			docsAnchor: 'does-not-speak-https',
			remedy: 'Check whether the Base URL should start with http:// or https://.',
		},
		[tooLarge]: {
			...afterSending,
			problem: 'answered with more than 2 MB (a list: 8 MB)',
			docsAnchor: 'answered-with-more-than',
			remedy: checkAddress,
			retryable: 'never',
		},
		[tooDeep]: {
			...afterSending,
			problem: 'answered with values that are nested more than 100 levels deep',
			docsAnchor: 'answered-with-more-than',
			remedy: checkAddress,
			retryable: 'never',
		},
	}),
);

const useHttps: NetworkProblem = {
	...afterSending,
	problem: 'does not speak HTTP on this port',
	docsAnchor: 'does-not-speak-https',
	retryable: 'never',
	remedy: useHttpsRemedy,
};

const useHttp: NetworkProblem = {
	...afterSending,
	problem: 'does not speak HTTPS',
	docsAnchor: 'does-not-speak-https',
	retryable: 'never',
	remedy: 'Check whether the Base URL should start with http:// or https://.',
};

const oldTls: NetworkProblem = {
	...beforeSending,
	problem: 'speaks only a version of TLS that n8n refuses because it is too old',
	docsAnchor: 'speaks-only-an-old-version-of-tls',
	remedy: 'Have TLS 1.2 or 1.3 switched on there. Older versions can be read by others.',
};

/** By a part of the code or the text of an error of TLS or HTTP. Node's versions name them in different ways. */
const handshakeProblems: Array<[RegExp, NetworkProblem]> = [
	[/^HPE_INVALID_|\bExpected HTTP\//, useHttps],
	[
		/unsupported[ _]protocol|protocol[ _]version|version[ _]too[ _]low|no protocols available/i,
		oldTls,
	],
	[/ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/, useHttp],
];

const proxyAnchor: DocsAnchor = 'the-proxy-before-the-service';

/** A proxy is named, because the person who knows it is another one than who knows the service. */
function proxyProblem(
	errors: Array<Record<string, unknown>>,
	origin: string,
): NetworkProblem | undefined {
	const url = parseUrl(origin);
	if (!url) return undefined;
	const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
	const refused = errors.find(
		(fields) =>
			fields.code === 'ECONNREFUSED' && typeof fields.port === 'number' && fields.port !== port,
	);
	const unknown = errors.find(
		({ code, hostname }) =>
			code === 'ENOTFOUND' && typeof hostname === 'string' && hostname !== url.hostname,
	);
	const remedy =
		'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY), and that it is up.';
	if (refused) {
		const problem = 'cannot be reached, because the proxy before it refuses connections';
		return { ...beforeSending, problem, remedy, docsAnchor: proxyAnchor, retryable: 'always' };
	}
	if (!unknown) return undefined;
	const problem =
		'cannot be reached, because the proxy before it has a host name that does not exist';
	return { ...beforeSending, problem, remedy, docsAnchor: proxyAnchor };
}

/** A proxy wants a login before it lets a call through. */
const proxyLogin: NetworkProblem = {
	...beforeSending,
	problem: 'cannot be reached, because the proxy before it asks for a login',
	docsAnchor: proxyAnchor,
	remedy:
		'Give n8n the login of the proxy, in the URL of HTTP_PROXY or HTTPS_PROXY, or have calls to the service let through.',
};

/**
 * Reads an error of n8n's HTTP helper, which rewrites the message but keeps the code.
 * @param origin That of the call, which differs from where a proxy is.
 * @returns What it means, in words without the URL and without a header.
 */
export function readNetworkError(error: unknown, origin = ''): NetworkProblem {
	const errors = errorsIn(error);
	const proxy = proxyProblem(errors, origin);
	if (proxy) return proxy;
	const isPlain = origin.startsWith('http:');
	for (const { code, message, reason } of errors) {
		const texts = [code, message, reason].filter((text) => typeof text === 'string');
		// The client that opens a tunnel through the proxy has only a text.
		if (texts.some((text) => /tunnel.{0,80}\b407\b/is.test(text))) return proxyLogin;
		const known = handshakeProblems.find(([part]) => texts.some((text) => part.test(text)));
		if (known && (known[1] !== useHttps || isPlain)) return known[1];
	}
	// A connection that was open can break with the code of one that could not begin.
	const wasOpen = errors.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	for (const code of errors.flatMap((fields) => [fields.code, fields.httpCode])) {
		if (typeof code !== 'string') continue;
		const known = networkProblems.get(code);
		if (known === noRoute && wasOpen) return connectionClosed;
		// A port for HTTPS often does so with a call in plain HTTP.
		if (known === connectionClosed && isPlain) return { ...known, remedy: closedRemedy };
		if (known) return known;
		// A certificate is checked before anything is sent. Other errors of TLS can come at any time.
		if (/^(?!ERR_SSL_).*(?:CERT|UNABLE_TO_VERIFY)/.test(code)) return badCertificate;
	}
	return unknownProblem;
}

/**
 * An error and those inside it, outermost first. n8n wraps the client's error, sometimes twice, and a
 * host name with several IP addresses fails with one error for each of them.
 */
function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if ((!isObject(error) && !(error instanceof Error)) || depth > 4) return [];
	const fields = error as Record<string, unknown>;
	const inner = [fields.cause, fields.reason, fields.errors].flat();
	return [fields, ...inner.flatMap((part) => errorsIn(part, depth + 1))];
}

/** The execution was cancelled before the call was sent. */
export function cancelledBeforeSending(): ServiceError {
	return new ServiceError({
		message: 'The execution was cancelled before this item was sent',
		description:
			'It was not sent. If you run the workflow again without a Send Once Key, it sends the items before this one again.',
		docsAnchor: 'the-execution-was-cancelled-before-this-item-was-sent',
	});
}

/**
 * The call could not have its turn in time.
 * @param isLimited Whether the service has said "too many requests"; otherwise the credential limits the calls.
 * @param pauseLeft How long (ms) the service still wants no call.
 */
export function notSent(
	request: ServiceRequest,
	isLimited: boolean,
	pauseLeft: number,
): ServiceError {
	if (isLimited) return refusal(429, '', request, { retryAfter: pauseLeft });
	return new ServiceError({
		message: 'Other calls use all Requests per Second of the credential, so this call was not sent',
		description: 'Try again in a moment, or raise "Requests per Second" in the credential.',
		docsAnchor: 'other-calls-use-all-requests-per-second',
	});
}

/**
 * The failure of a creating call that may have worked ("Never sent twice").
 * @param what What happened, without a full stop.
 * @param noun What may exist now: "the document".
 */
export function lostCreation(what: string, noun: string, httpStatus?: number): ServiceError {
	return new ServiceError({
		message: `${what}, so ${noun} may have been created`,
		description: `Look for ${noun} at the service before you run this item again. It was not sent a second time.`,
		httpStatus,
		mayHaveCreated: true,
		docsAnchor: 'may-have-been-created',
	});
}

/**
 * The failure of a call that got no answer, or an answer that could not be read. A creation that was sent
 * may have worked, whatever the error is.
 * @param error Thrown by n8n's HTTP helper, or our own inside its wrapping.
 */
export function unanswered(
	error: unknown,
	{ creates }: ServiceRequest,
	origin: string,
): ServiceError {
	const own: unknown = errorsIn(error).find((inner) => inner instanceof ServiceError);
	if (own instanceof ServiceError) return own;
	const { problem, docsAnchor, remedy, retryable, neverSent } = readNetworkError(error, origin);
	const message = `${origin} ${problem}`;
	if (creates && !neverSent) return lostCreation(message, creates);
	return new ServiceError({ message, description: remedy, retryable, docsAnchor });
}

/** An answer that cannot be the service's. @param body What came, in a few words. */
export function foreignAnswer(origin: string, httpStatus: number, body: string): string {
	return `${origin} answered HTTP ${httpStatus} with ${body}, which is not an answer of the signing service`;
}

const foreignAnchor: DocsAnchor = 'the-service-answered-but-not-like-the-signing-service';

/**
 * An answer that is no success and no refusal.
 * @param words The service's own, if it has some.
 * @param body What came, in a few words.
 */
export function notASuccess(
	httpStatus: number,
	words: string,
	body: string,
	{ creates }: ServiceRequest,
	origin: string,
): ServiceError {
	const message = words
		? `The service does not say clearly whether it worked (HTTP ${httpStatus}: ${words})`
		: foreignAnswer(origin, httpStatus, body);
	if (creates) return lostCreation(message, creates, httpStatus);
	const description = words ? 'Look at the service what it did.' : checkAddress;
	const docsAnchor = words ? 'the-service-does-not-say-clearly-whether-it-worked' : foreignAnchor;
	return new ServiceError({ message, description, httpStatus, docsAnchor });
}

/** From this length (ms) on, a person is told when a pause ends. */
const longPause = 60_000;

/**
 * When a service that has asked for a pause accepts calls again, and what to do.
 * @param retryAfter Milliseconds from now.
 * @returns undefined for a short pause: a person need not know its end.
 */
export function endOfPause(retryAfter = 0): { moment: string; remedy: string } | undefined {
	if (retryAfter < longPause) return undefined;
	const minutes = Math.ceil(retryAfter / 60_000);
	// The next whole minute, because seconds are not shown.
	const at = new Date(Math.ceil(Date.now() / 60_000 + retryAfter / 60_000) * 60_000).toISOString();
	const left = minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
	return {
		moment: `${at.slice(11, 16)} UTC on ${at.slice(0, 10)}`,
		remedy: `That is in ${left}. Try again after that`,
	};
}

/** What a refusal means by its status, without the service's own words. */
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
			problem: 'The service does not allow this',
			docsAnchor: 'the-service-does-not-allow-this',
		};
	}
	if (status === 404) {
		return { problem: 'The service did not find it', docsAnchor: 'the-service-did-not-find-it' };
	}
	if (status === 429) {
		return {
			problem: 'The service says that there were too many requests',
			docsAnchor: 'the-service-says-that-there-were-too-many-requests',
		};
	}
	return {
		problem: 'The service refused the request',
		docsAnchor: 'the-service-refused-the-request',
	};
}

function remedyFor(status: number): string {
	if (status < 400) {
		return 'Open the Base URL in a browser, and enter the URL that you get to in the credential.';
	}
	if (status >= 500) return 'The fault is at the service. Try again in a moment.';
	if (status === 401 || status === 403) {
		return 'A new access token did not help. Check that the account in the credential may do this.';
	}
	if (status === 404) {
		return 'Check the ID, and that it belongs to the account in the credential. Without an ID, check the path of the Base URL.';
	}
	if (status === 429) return 'Wait a moment, or set "Requests per Second" in the credential.';
	return 'Correct what it names and run again.';
}

/** A proxy has answered, so the call did not reach the service. */
function proxyRefusal(): ServiceError {
	return new ServiceError({
		message: 'The proxy before the service asks for a login (HTTP 407)',
		description: proxyLogin.remedy,
		httpStatus: 407,
		docsAnchor: proxyAnchor,
	});
}

/**
 * A refusal by its status.
 * @param words The service's own, if there are any.
 * @param facts `meaning` is the whole message if it is not the service's.
 */
export function refusal(
	httpStatus: number,
	words: string,
	{ creates }: ServiceRequest,
	facts: Pick<ErrorFacts, 'retryAfter' | 'serviceStatus' | 'isInEnvelope'> & {
		meaning?: string | undefined;
	} = {},
): ServiceError {
	if (httpStatus === 407) return proxyRefusal();
	const { meaning: foreign, ...answer } = facts;
	const { problem, docsAnchor } = meaningOf(httpStatus);
	const said = words ? `: ${words}` : '';
	const pause = httpStatus === 429 ? endOfPause(answer.retryAfter) : undefined;
	const until = pause ? `, and accepts none before ${pause.moment}` : '';
	const message = foreign ?? `${problem}${until} (HTTP ${httpStatus}${said})`;
	// 303 is how some servers answer what they have created.
	const mayHaveWorked = httpStatus >= 500 || httpStatus === 303;
	if (creates && mayHaveWorked) return lostCreation(message, creates, httpStatus);
	// A gateway without its service often says that there is no such page.
	const isAbsence = absenceStatuses.includes(httpStatus);
	const isPassing = httpStatus >= 500 || (isAbsence && answer.serviceStatus === undefined);
	const remedy = foreign ? checkAddress : pause ? `${pause.remedy}.` : remedyFor(httpStatus);
	return new ServiceError({
		message,
		description: remedy + (creates ? ` ${capitalized(creates)} was not created.` : ''),
		httpStatus,
		...answer,
		retryable: isPassing ? 'whenIdempotent' : httpStatus === 429 ? 'always' : 'never',
		docsAnchor: foreign ? foreignAnchor : docsAnchor,
	});
}

function capitalized(noun: string): string {
	return noun.charAt(0).toUpperCase() + noun.slice(1);
}

const tryAgain = 'Try again in a moment. If it stays like this, check the link.';

/** What an answer has where a file was expected. */
export type FoundInAnswer = 'a file' | 'nothing' | 'no file';

/**
 * What an answer means that is not the file. Storages and portals report "link expired" as a web page,
 * as XML or as JSON, with different statuses, some of them with HTTP 200.
 * @returns undefined if it may be the file.
 */
export function refusalOfFile(
	noun: string,
	status: number,
	found: FoundInAnswer,
	retryAfter: unknown,
): ServiceError | undefined {
	const isSuccess = status < 300;
	if (isSuccess && found === 'nothing') {
		return notDownloaded(`${noun}: the answer is empty`, tryAgain, { retryable: 'whenIdempotent' });
	}
	if (isSuccess && found === 'a file') return undefined;
	if (status >= 500 || status === 408 || status === 429) {
		// Without the status: nobody else waits for a storage that limits its rate.
		const remedy = `The fault is where the file is kept. ${tryAgain}`;
		return notDownloaded(`${noun} (HTTP ${status})`, remedy, {
			retryable: 'whenIdempotent',
			retryAfter: readRetryAfter(retryAfter),
		});
	}
	return new ServiceError({
		message: `The link to ${noun} is not valid, most likely because it has expired (HTTP ${status})`,
		description:
			'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. For this file, copy a new link at the service.',
		httpStatus: status,
		docsAnchor: 'files',
	});
}

/** A transfer that broke, could not begin, or took too long. */
export function brokenFile(
	{ address, noun, total }: { address: string; noun: string; total: number },
	error: unknown,
): ServiceError {
	const { code } = error as { code?: string };
	if (code === tooLarge) {
		return notDownloaded(
			`${noun}: more than ${maxAnswer.file / 1_000_000} MB`,
			'Use an HTTP Request node with the link. It can store a larger file.',
		);
	}
	if (code === memoryGivenUp) {
		return notDownloaded(
			`${noun}: n8n was downloading too many large files at the same time`,
			'Try again later. For fewer files at once, put "Loop Over Items" before the node.',
		);
	}
	if (code === timeIsOver) {
		return notDownloaded(
			`${noun}: it was not complete after ${total / 1000} s`,
			'The sender is too slow. Try again later, or raise "Timeout" in the credential: a file may take twenty times as long.',
		);
	}
	const { problem, retryable } = readNetworkError(error, originOf(address));
	return notDownloaded(`${noun}: ${originOf(address)} ${problem}`, tryAgain, { retryable });
}

/** @param what The file, and why it could not be downloaded. */
function notDownloaded(
	what: string,
	description: string,
	facts: Partial<ErrorFacts> = {},
): ServiceError {
	return new ServiceError({
		...facts,
		message: `Could not download ${what}`,
		description,
		docsAnchor: 'files',
	});
}
