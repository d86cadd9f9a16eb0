import { parseJson } from '../util/values';
const largestAnswer = 32_000_000;
export const tooLarge = 'ANSWER_TOO_LARGE';
export async function readBody(answer, signal) {
    const { body, headers } = answer;
    if (typeof body === 'string')
        return { ...answer, body: parseJson(body, body) };
    if (!isIncoming(body))
        return answer;
    const bytes = await collect(body, signal);
    if (bytes) {
        const text = decodedText(bytes, headers?.['content-type']);
        return { ...answer, body: parseJson(text, text) };
    }
    if (answer.statusCode >= 300)
        return { ...answer, body: '' };
    throw Object.assign(new Error('The answer is too large'), { code: tooLarge });
}
function isIncoming(body) {
    return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
async function collect(body, signal) {
    const leave = () => void body.destroy();
    if (signal.aborted)
        leave();
    signal.addEventListener('abort', leave);
    try {
        const pieces = [];
        let length = 0;
        for await (const piece of body) {
            length += piece.length;
            if (length > largestAnswer)
                return undefined;
            pieces.push(piece);
        }
        return Buffer.concat(pieces, length);
    }
    finally {
        signal.removeEventListener('abort', leave);
    }
}
function decodedText(bytes, contentType) {
    const declared = /charset\s*=\s*"?([\w-]{1,40})/i.exec(String(contentType).slice(0, 500))?.[1];
    const wide = wideEncoding(bytes, declared);
    return ((wide ? decoded(bytes, wide) : decoded(bytes, 'utf-8')) ??
        decoded(bytes, declared) ??
        bytes.toString());
}
function wideEncoding(bytes, declared) {
    const mark = bytes.subarray(0, 2).toString('hex');
    if (mark === 'fffe')
        return 'utf-16le';
    if (mark === 'feff')
        return 'utf-16be';
    return declared && /^utf-16/i.test(declared) ? declared : undefined;
}
function decoded(bytes, encoding) {
    try {
        return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    }
    catch {
        return undefined;
    }
}
