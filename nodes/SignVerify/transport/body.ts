import type { IN8nHttpFullResponse } from 'n8n-workflow';

/** Bytes of an answer that are read, once unpacked; the documentation names it. */
const largestAnswer = 32_000_000;

/** The code of the error for an answer that is larger (network.ts). */
export const tooLarge = 'ANSWER_TOO_LARGE';

/** Of a Node stream, what is needed to read it and to leave it. */
interface Incoming extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the body of an answer to a call with `encoding: 'stream'`. n8n's HTTP client has no bound
 * of its own, and what comes packed can be a thousand times as large as what is sent.
 * @param signal Ends the reading and closes the connection; the promise then fails.
 * @returns The answer with its body parsed where it is JSON, whatever its content type says, and
 * as text otherwise.
 * @throws Error with the code `tooLarge` for a success with more than 32 MB. Of a refusal only the
 * words are lost then.
 */
export async function readBody(
	answer: IN8nHttpFullResponse,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const { body, headers } = answer as { body: unknown; headers?: Record<string, unknown> };
	if (typeof body === 'string') return { ...answer, body: parsed(body) as never };
	if (!isIncoming(body)) return answer;
	const bytes = await collect(body, signal);
	if (bytes) {
		return { ...answer, body: parsed(textOf(bytes, headers?.['content-type'])) as never };
	}
	if (answer.statusCode >= 300) return { ...answer, body: '' as never };
	throw Object.assign(new Error('The answer is too large'), { code: tooLarge });
}

function isIncoming(body: unknown): body is Incoming {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** All that comes; undefined when it is too much. */
async function collect(body: Incoming, signal: AbortSignal): Promise<Buffer | undefined> {
	const leave = () => void body.destroy();
	if (signal.aborted) leave();
	signal.addEventListener('abort', leave);
	try {
		const pieces: Uint8Array[] = [];
		let length = 0;
		// Leaving the loop destroys the stream, and with it the connection.
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
 * JSON is UTF-8, and servers that declare something else often send UTF-8 all the same: what can be
 * read as that is. The declared character set is for the rest.
 */
function textOf(bytes: Buffer, contentType: unknown): string {
	const declared = /charset\s*=\s*"?([\w-]{1,40})/i.exec(String(contentType).slice(0, 500))?.[1];
	const wide = wideEncoding(bytes, declared);
	return (
		(wide ? decoded(bytes, wide) : decoded(bytes, 'utf-8')) ??
		decoded(bytes, declared) ??
		bytes.toString()
	);
}

/** UTF-16, by its mark or its name: its bytes may look like UTF-8, too. */
function wideEncoding(bytes: Buffer, declared: string | undefined): string | undefined {
	const mark = bytes.subarray(0, 2).toString('hex');
	if (mark === 'fffe') return 'utf-16le';
	if (mark === 'feff') return 'utf-16be';
	return declared && /^utf-16/i.test(declared) ? declared : undefined;
}

/** The text; undefined where the bytes are not of that encoding, or nobody knows it. */
function decoded(bytes: Buffer, encoding: string | undefined): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
