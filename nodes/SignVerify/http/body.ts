import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { parseJson } from '../util/values';

/** The most bytes of an answer that are read, once unpacked. */
const largestAnswer = 32_000_000;

/** The code of the error for an answer that is larger (network.ts). */
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
	const { body, headers } = answer as { body: unknown; headers?: Record<string, unknown> };
	if (typeof body === 'string') return { ...answer, body: parseJson(body, body) as never };
	if (!isIncoming(body)) return answer;
	const bytes = await collect(body, signal);
	if (bytes) {
		const text = decodedText(bytes, headers?.['content-type']);
		return { ...answer, body: parseJson(text, text) as never };
	}
	if (answer.statusCode >= 300) return { ...answer, body: '' as never };
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
			if (length > largestAnswer) return undefined;
			pieces.push(piece);
		}
		return Buffer.concat(pieces, length);
	} finally {
		signal.removeEventListener('abort', leave);
	}
}

/**
 * JSON is UTF-8, and servers that declare something else often send UTF-8. So bytes that can be UTF-8
 * are read as UTF-8, and others in the declared character set.
 */
function decodedText(bytes: Buffer, contentType: unknown): string {
	const declared = /charset\s*=\s*"?([\w-]{1,40})/i.exec(String(contentType).slice(0, 500))?.[1];
	const wide = wideEncoding(bytes, declared);
	return (
		(wide ? decoded(bytes, wide) : decoded(bytes, 'utf-8')) ??
		decoded(bytes, declared) ??
		bytes.toString()
	);
}

/** UTF-16, found by its mark or its name, because its bytes may look like UTF-8. */
function wideEncoding(bytes: Buffer, declared: string | undefined): string | undefined {
	const mark = bytes.subarray(0, 2).toString('hex');
	if (mark === 'fffe') return 'utf-16le';
	if (mark === 'feff') return 'utf-16be';
	return declared && /^utf-16/i.test(declared) ? declared : undefined;
}

/** The text; undefined if the bytes do not have that encoding, or it is not known. */
function decoded(bytes: Buffer, encoding: string | undefined): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
