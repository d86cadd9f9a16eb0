import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { parseJson } from '../util/values';

/** The most bytes of an answer that are read, once unpacked. */
const maxAnswer = 32_000_000;

/** The code of the error for an answer that is larger (messages.ts). */
export const tooLarge = 'ANSWER_TOO_LARGE';

/** The part of a Node stream that is needed to read and to close it. */
interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the body of an answer to a call with `encoding: 'stream'`. n8n's HTTP client has no limit, and
 * an answer can be a thousand times as large as what was sent, once it is unpacked.
 * @param signal Ends the reading and closes the connection; the promise then fails.
 * @returns The answer with its body parsed if it is JSON, whatever its content type says, and
 * otherwise as text.
 * @throws Error with the code `tooLarge` for a success with more than 32 MB. A refusal that is larger
 * only loses its words.
 */
export async function readBody(
	answer: IN8nHttpFullResponse,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const { body } = answer as { body: unknown };
	if (typeof body === 'string') return { ...answer, body: parseJson(body, body) as never };
	if (!isIncoming(body)) return answer;
	const bytes = await collect(body, signal);
	// The decoder removes a byte order mark.
	const text = bytes ? new TextDecoder().decode(bytes) : '';
	if (bytes || answer.statusCode >= 300) return { ...answer, body: parseJson(text, text) as never };
	throw Object.assign(new Error('The answer is too large'), { code: tooLarge });
}

function isIncoming(body: unknown): body is Incoming {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** All bytes; undefined if there are too many. */
async function collect(body: Incoming, signal: AbortSignal): Promise<Buffer | undefined> {
	const leave = () => void body.destroy();
	if (signal.aborted) leave();
	signal.addEventListener('abort', leave);
	try {
		const pieces: Uint8Array[] = [];
		let length = 0;
		// When the loop ends early, Node destroys the stream and closes the connection.
		for await (const piece of body) {
			length += piece.length;
			if (length > maxAnswer) return undefined;
			pieces.push(piece);
		}
		return Buffer.concat(pieces, length);
	} finally {
		signal.removeEventListener('abort', leave);
	}
}
