import { attempt, delay, withTimeout } from '../util/async';
import { decodeUrlPart, textOf } from '../util/values';
import { originOf } from './baseUrl';
import { notDownloaded, notTheFile, refusedDownload } from './downloadRefusal';
import { ServiceError } from './errors';
import { BoundedStream } from './limitedStream';
import { readNetworkError } from './network';
import { RetryBudget, RetryPolicy } from './retry';
const beginningOf = { file: 1024, explanation: 4000 };
const cancelled = { code: 'ERR_CANCELED' };
export async function downloadFile(context, download, retryBudget = new RetryBudget()) {
    const deadline = Date.now() + download.total;
    const policy = new RetryPolicy('read', download.total);
    for (;;) {
        const outcome = await attempt(downloadOnce(context, download, deadline));
        if (outcome.ok) {
            retryBudget.onSuccess();
            return outcome.value;
        }
        const { error } = outcome;
        if (!(error instanceof ServiceError))
            throw error;
        const waitTime = () => Math.max(policy.backoff(), error.retryAfter ?? 0);
        const wait = policy.next(error, retryBudget, waitTime, false);
        if (!(await delay(wait, context.getExecutionCancelSignal()))) {
            throw brokenOff(download, cancelled);
        }
    }
}
async function downloadOnce(context, download, deadline) {
    if (context.getExecutionCancelSignal()?.aborted)
        throw brokenOff(download, cancelled);
    let stream;
    try {
        const { statusCode, headers, body } = await open(context, download, deadline);
        const isFile = statusCode < 300;
        stream = new BoundedStream(body, {
            ...download,
            ...(isFile ? {} : { limit: Infinity }),
            announced: Number(headers['content-length'] ?? 0),
            deadline,
            broken: (error) => brokenOff(download, error),
        });
        const answer = {
            ...(await stream.beginning(isFile ? beginningOf.file : beginningOf.explanation)),
            status: statusCode,
            contentType: headers['content-type'],
            retryAfter: headers['retry-after'],
        };
        if (!isFile)
            throw refusedDownload(download, answer);
        const refusal = stream.failure ?? notTheFile(download, answer);
        if (refusal)
            throw refusal;
        return await store(context, download, headers, stream);
    }
    finally {
        stream?.close();
    }
}
async function store({ helpers }, { title, suffix, address }, headers, stream) {
    const { fileName, mimeType } = nameFile({
        title,
        suffix,
        address,
        disposition: headers['content-disposition'],
        contentType: headers['content-type'],
    });
    const stored = await attempt(helpers.prepareBinaryData(stream.stream(), fileName, mimeType));
    if (stream.failure)
        throw stream.failure;
    if (stored.ok)
        return stored.value;
    throw stored.error;
}
async function open(context, download, deadline) {
    const cancel = context.getExecutionCancelSignal();
    const late = new AbortController();
    const options = {
        method: 'GET',
        url: download.address,
        headers: { accept: '*/*' },
        encoding: 'stream',
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        timeout: download.timeout,
        abortSignal: cancel ? AbortSignal.any([cancel, late.signal]) : late.signal,
    };
    const time = Math.min(download.timeout, deadline - Date.now());
    const start = async (signal) => {
        const giveUp = () => late.abort();
        signal.addEventListener('abort', giveUp);
        try {
            return (await context.helpers.httpRequest(options));
        }
        finally {
            signal.removeEventListener('abort', giveUp);
        }
    };
    const answer = await attempt(withTimeout(start, time, cancel));
    if (answer.ok)
        return answer.value;
    throw brokenOff(download, answer.error);
}
function brokenOff({ address, noun }, error) {
    const { problem, repeat } = readNetworkError(error);
    return notDownloaded(`${noun}: ${originOf(address)} ${problem}`, 'Try again in a moment. If it stays like this, check the address of the file.', { repeat });
}
const mostRead = 2000;
export function nameFile(origin) {
    const declared = textOf(origin.contentType).slice(0, mostRead).split(';')[0]?.trim().toLowerCase() ?? '';
    const general = declared === '' || /\/octet-stream$/.test(declared);
    const inAddress = lastPart(origin.address);
    const name = cleanName(dispositionName(textOf(origin.disposition).slice(0, mostRead))) ||
        cleanName(origin.title && `${origin.title}${origin.suffix}`) ||
        cleanName(inAddress) ||
        'document';
    const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0];
    const isPdf = declared === 'application/pdf' || (general && /\.pdf$/i.test(extension ?? inAddress));
    return {
        fileName: isPdf && extension?.toLowerCase() !== '.pdf' ? `${name}.pdf` : name,
        mimeType: isPdf ? 'application/pdf' : declared || 'application/octet-stream',
    };
}
function dispositionName(header) {
    const encoded = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;]+)/i.exec(header)?.[1];
    const decoded = encoded === undefined ? undefined : decodeUrlPart(encoded.trim());
    if (decoded)
        return decoded;
    const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
    if (quoted !== undefined)
        return quoted.replace(/\\(.)/g, '$1');
    return /filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim() ?? '';
}
function lastPart(address) {
    const path = address.split(/[?#]/)[0] ?? '';
    const at = path.lastIndexOf('/') + 1;
    return at > 'https://'.length ? decodeUrlPart(path.slice(at, at + mostRead)) : '';
}
function cleanName(name) {
    const clean = name
        .slice(0, mostRead)
        .replace(/[\p{Bidi_Control}\p{Surrogate}]/gu, '')
        .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
        .replace(/\s+/g, ' ')
        .replace(/^[. ]+|[. ]+$/g, '');
    if ([...clean].length <= 150)
        return clean;
    const extension = /\.[a-z0-9]{1,8}$/i.exec(clean)?.[0] ?? '';
    return `${[...clean].slice(0, 140).join('').trim()}${extension}`;
}
