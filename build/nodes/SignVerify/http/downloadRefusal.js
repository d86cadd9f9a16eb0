import { quote } from '../util/plainText';
import { redact } from '../util/redact';
import { decodeUrlPart, textOf } from '../util/values';
import { messageOf } from './envelope';
import { ServiceError } from './errors';
import { readRetryAfter } from './rateLimiter';
const linkStatuses = [401, 403, 404, 410];
const passingStatuses = [408, 429];
export function refusedDownload(download, answer) {
    const { status } = answer;
    const said = wordsOf(download.address, answer);
    if (isExpired(said) || linkStatuses.includes(status)) {
        return linkOver(download, said, status);
    }
    const isPassing = status >= 500 || passingStatuses.includes(status);
    const retryAfter = readRetryAfter(answer.retryAfter);
    return notDownloaded(`${download.noun} (HTTP ${status}${said && `: ${said}`})`, isPassing
        ? 'The fault is where the file is kept. Try again in a moment.'
        : 'Check that the address is whole and was not changed on the way.', { httpStatus: status, ...(isPassing ? { repeat: 'ifIdempotent', retryAfter } : {}) });
}
export function notDownloaded(what, description, facts = {}) {
    return new ServiceError({
        ...facts,
        message: `Could not download ${what}`,
        description,
        topic: 'files',
    });
}
export function notTheFile(download, answer) {
    const found = recognizeNotAFile(answer);
    if (found === undefined)
        return undefined;
    if (found === 'nothing') {
        return notDownloaded(`${download.noun}: the answer is empty`, 'Try again in a moment. If it stays like this, check the address of the file.', { httpStatus: answer.status, repeat: 'ifIdempotent' });
    }
    const said = wordsOf(download.address, answer);
    return linkOver(download, said || `${found} instead of a file`, answer.status);
}
function linkOver({ noun }, said, status) {
    const answer = said ? `HTTP ${status}: ${said}` : `HTTP ${status}`;
    const expired = isExpired(said) || status === 410;
    return new ServiceError({
        message: expired
            ? `The link to ${noun} has expired (${answer})`
            : `The link to ${noun} is not valid, most likely because it has expired (${answer})`,
        description: 'Such links work for a short time only. Download the file as soon as the event arrives, before any waiting step. To get this one, take a fresh link from the service.',
        httpStatus: status,
        topic: 'files',
    });
}
function isExpired(said) {
    return /expire/i.test(said);
}
function wordsOf(address, answer) {
    const secrets = secretsOf(address);
    const hide = (text) => redact(text, secrets);
    const text = asText(answer.bytes);
    if (!text.startsWith('<'))
        return messageOf(text, hide) ?? '';
    return quote(/<(Message|title)\b[^<>]{0,200}>([^<]*)<\/\1/i.exec(text)?.[2] ?? '', hide);
}
function secretsOf(address) {
    const [path = '', ...query] = address.split(/[?&#]/);
    const values = query.map((part) => part.slice(part.indexOf('=') + 1));
    const parts = path
        .split('/')
        .slice(3)
        .filter((part) => part.length >= 20);
    const whole = [...values.filter((value) => value.length >= 8), ...parts];
    return [address, ...whole, ...whole.map(decodeUrlPart)];
}
const firstTag = /^<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|center)[\s/>]/i;
const firstTagOfXhtml = /^<(?:!doctype\s+html|html)[\s>]/i;
const longestSentence = 300;
function recognizeNotAFile(beginning) {
    const { bytes, whole } = beginning;
    if (bytes.length === 0)
        return 'nothing';
    const text = asText(bytes);
    if (text.startsWith('%PDF-'))
        return undefined;
    const { isXml, root } = rootOf(text);
    if ((isXml ? firstTagOfXhtml : firstTag).test(root))
        return 'a web page';
    if (/^<(?:\w{1,40}:)?Error(?:Response)?[\s/>]/i.test(root))
        return 'an XML error';
    if (/^\{\s*(?:"|\}|$)/.test(text))
        return 'JSON';
    if (isBinary(text) || text.includes('%PDF-'))
        return undefined;
    const type = textOf(beginning.contentType).toLowerCase();
    if (/html/.test(type))
        return 'a web page';
    if (/[/+]json\b/.test(type))
        return 'JSON';
    const isSentence = whole && text.length <= longestSentence && /\bexpired\b/i.test(text);
    return isSentence ? 'a sentence' : undefined;
}
function asText(bytes) {
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    return bytes
        .toString(isUtf16 ? 'utf16le' : 'utf8')
        .replace(/^\ufeff/, '')
        .trimStart();
}
function rootOf(text) {
    const isXml = /^<\?xml\b/i.test(text);
    let root = text;
    for (;;) {
        const end = root.startsWith('<!--') ? '-->' : root.startsWith('<?') ? '?>' : undefined;
        const at = end === undefined ? -1 : root.indexOf(end);
        if (end === undefined || at < 0)
            return { isXml, root };
        root = root.slice(at + end.length).trimStart();
    }
}
function isBinary(text) {
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
}
