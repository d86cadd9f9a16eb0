import { type IN8nHttpFullResponse, jsonParse } from 'n8n-workflow';

import { timeIsOver } from '../util/async';
import { prepareJson } from '../util/json';
import { isObject } from '../util/values';
import type { Retryable } from './errors';

/* What n8n's HTTP client gives: the bytes of an answer, or an error. */

/** The most bytes of an answer that are read, once unpacked. */
export const maxAnswer = { single: 2_000_000, list: 8_000_000 };

/** The code of the error for more bytes than may be read. */
export const tooLarge = 'ANSWER_TOO_LARGE';
const tooDeep = 'ANSWER_TOO_DEEP';

/** The part of a Node stream that is needed to read and to close it. */
export interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the body of an answer to a call with `encoding: 'stream'`. n8n's HTTP client has no limit, and
 * an answer can be a thousand times as large as what was sent, once it is unpacked.
 * @param signal Ends the reading and closes the connection; the promise then fails.
 * @param limit In bytes.
 * @returns The answer with its body parsed if it is JSON, whatever its content type says, and
 * otherwise as text. Long whole numbers are texts ({@link prepareJson}).
 * @throws Error that {@link readNetworkError} knows, if there is more than may be read.
 */
export async function readBody(
	answer: IN8nHttpFullResponse,
	signal: AbortSignal,
	limit = maxAnswer.single,
): Promise<IN8nHttpFullResponse> {
	const { body } = answer as { body: unknown };
	if (!isIncoming(body)) return answer;
	const bytes = await readBytes(body, limit, signal);
	// The decoder removes a byte order mark.
	const text = new TextDecoder().decode(bytes);
	const json = prepareJson(text);
	if (json === undefined) throw coded('The answer is too deep', tooDeep);
	return { ...answer, body: jsonParse<unknown>(json, { fallbackValue: text }) as never };
}

function isIncoming(body: unknown): body is Incoming {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Reads a body. The connection is closed however the reading ends.
 * @throws Error that {@link readNetworkError} knows, for more bytes than the limit.
 */
export async function readBytes(
	body: Incoming,
	limit: number,
	signal: AbortSignal,
): Promise<Buffer> {
	const close = () => void body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);
	try {
		const pieces: Uint8Array[] = [];
		let length = 0;
		for await (const piece of body) {
			length += piece.length;
			if (length > limit) throw coded('The answer is too large', tooLarge);
			pieces.push(piece);
		}
		return Buffer.concat(pieces);
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}

function coded(message: string, code: string): Error {
	return Object.assign(new Error(message), { code });
}

/** What an error of the HTTP client means for the person who built the workflow. */
export interface NetworkProblem {
	/** The rest of a sentence that begins with the service's origin. */
	problem: string;
	remedy: string;
	/** `whenIdempotent` if the request may have reached the service. */
	retryable: Retryable;
	/** Whether the request certainly did not reach the service. */
	neverSent: boolean;
}

const checkBaseUrl = 'Check the Base URL in the credential, and that the service is up.';
const checkAddress = 'Check the Base URL in the credential, its path included.';

const noHost = unsent('has a host name that does not exist', 'never');
const refused = unsent('refuses connections', 'always');
const unreachable = unsent('cannot be reached from here', 'always');
const broken = sent('closed the connection', 'whenIdempotent');
const late = sent('did not answer in time', 'whenIdempotent');

/** For a code that is not known. */
const unknownProblem = { ...broken, problem: 'could not be reached', remedy: checkBaseUrl };

/** By the code of the error: Node's, the HTTP client's, or our own. */
const networkProblems = new Map<string, NetworkProblem>(
	Object.entries({
		ENOTFOUND: noHost,
		EAI_AGAIN: unsent('has a host name that cannot be looked up right now', 'always'),
		ECONNREFUSED: refused,
		EHOSTUNREACH: unreachable,
		ENETUNREACH: unreachable,
		ECONNRESET: broken,
		EPIPE: broken,
		ETIMEDOUT: late,
		ECONNABORTED: late,
		[timeIsOver]: late,
		ERR_CANCELED: sent('was not waited for, since the execution was cancelled', 'never'),
		EPROTO: {
			...unsent('does not speak HTTPS', 'never'),
			remedy: 'Check whether the Base URL should start with http:// or https://.',
		},
		[tooLarge]: {
			...sent('answered with more than 2 MB (a list: 8 MB)', 'never'),
			remedy: checkAddress,
		},
		[tooDeep]: {
			...sent('answered with more than 100 values in one another', 'never'),
			remedy: checkAddress,
		},
	}),
);

const badCertificate: NetworkProblem = {
	...unsent('has a certificate that cannot be trusted', 'never'),
	remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
};

function unsent(problem: string, retryable: Retryable): NetworkProblem {
	return { problem, remedy: checkBaseUrl, retryable, neverSent: true };
}

function sent(problem: string, retryable: Retryable): NetworkProblem {
	return { problem, remedy: 'Try again in a moment.', retryable, neverSent: false };
}

/**
 * Reads an error of n8n's HTTP helper, which rewrites the message but keeps the code.
 * @returns What it means, in words without the URL and without a header.
 */
export function readNetworkError(error: unknown): NetworkProblem {
	const errors = errorsIn(error);
	// A connection that was open can break with the code of one that could not begin.
	const wasOpen = errors.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	for (const code of errors.flatMap((each) => [each.code, each.httpCode])) {
		if (typeof code !== 'string') continue;
		const known = networkProblems.get(code);
		if (known) return known === unreachable && wasOpen ? broken : known;
		// A certificate is checked before anything is sent. Other errors of TLS can come at any time.
		if (/^(?!ERR_SSL_).*(?:CERT|UNABLE_TO_VERIFY)/.test(code)) return badCertificate;
	}
	return unknownProblem;
}

/**
 * An error and those inside it, outermost first. n8n wraps the client's error, sometimes twice, and a
 * host name with several IP addresses fails with one error for each of them.
 */
export function errorsIn(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if ((!isObject(error) && !(error instanceof Error)) || depth > 4) return [];
	const fields = error as unknown as Record<string, unknown>;
	const inner = [fields.cause, fields.reason, fields.errors].flat();
	return [fields, ...inner.flatMap((each) => errorsIn(each, depth + 1))];
}
