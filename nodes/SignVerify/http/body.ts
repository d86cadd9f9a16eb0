import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { parseJson } from '../util/values';

/** The most bytes of an answer that are read, once unpacked. */
const maxAnswer = 32_000_000;

/** The code of the error for more bytes than the limit (messages.ts). */
export const tooLarge = 'ANSWER_TOO_LARGE';

/** The part of a Node stream that is needed to read and to close it. */
export interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the body of an answer to a call with `encoding: 'stream'`. n8n's HTTP client has no limit, and
 * an answer can be a thousand times as large as what was sent, once it is unpacked.
 * @param signal Ends the reading and closes the connection; the promise then fails.
 * @returns The answer with its body parsed if it is JSON, whatever its content type says, and
 * otherwise as text.
 * @throws Error with the code `tooLarge` for more than 32 MB.
 */
export async function readBody(
	answer: IN8nHttpFullResponse,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const { body } = answer as { body: unknown };
	if (typeof body === 'string') return { ...answer, body: parseJson(body, body) as never };
	if (!isIncoming(body)) return answer;
	const all: Uint8Array[] = [];
	for await (const piece of piecesOf(body, maxAnswer, signal)) all.push(piece);
	// The decoder removes a byte order mark.
	const text = new TextDecoder().decode(Buffer.concat(all));
	return { ...answer, body: parseJson(text, text) as never };
}

function isIncoming(body: unknown): body is Incoming {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * The pieces of a body. The connection is closed however the reading ends.
 * @throws Error with the code `tooLarge` for more bytes than the limit.
 */
export async function* piecesOf(
	body: Incoming,
	limit: number,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const close = () => void body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close);
	try {
		let length = 0;
		for await (const piece of body) {
			length += piece.length;
			if (length > limit) {
				throw Object.assign(new Error('The answer is too large'), { code: tooLarge });
			}
			yield piece;
		}
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}
