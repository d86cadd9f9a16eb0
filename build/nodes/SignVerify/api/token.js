import { createHash } from 'crypto';
import { normalizeBaseUrl, originOf } from '../http/baseUrl';
import { readBody } from '../http/body';
import { describeBody, messageOf, readEnvelope } from '../http/envelope';
import { ServiceError } from '../http/errors';
import { readNetworkError } from '../http/network';
import { readRetryAfter } from '../http/rateLimiter';
import { effectiveStatus } from '../http/response';
import { withTimeout } from '../util/async';
import { redact } from '../util/redact';
import { isObject, objectOf, remember, textOf } from '../util/values';
const defaultTimeout = 30_000;
export async function exchangeToken(helpers, credential) {
    const baseUrl = normalizeBaseUrl(credential.baseUrl);
    const userId = headerValue('User ID', credential.userId);
    const apiKey = headerValue('API Key', credential.apiKey);
    const timeout = Number(credential.timeout) || defaultTimeout;
    const start = async (abortSignal) => {
        const answer = (await helpers.httpRequest({
            method: 'POST',
            url: `${baseUrl}/access/token`,
            headers: { 'user-id': userId, 'api-key': apiKey, accept: 'application/json' },
            returnFullResponse: true,
            ignoreHttpStatusErrors: true,
            disableFollowRedirect: true,
            encoding: 'stream',
            timeout,
            abortSignal,
        }));
        return await readBody(answer, abortSignal);
    };
    let answer;
    try {
        answer = await withTimeout(start, timeout);
    }
    catch (error) {
        throw unreachable(baseUrl, error);
    }
    const token = answer.statusCode < 300 ? findToken(answer.body) : undefined;
    if (token)
        return token;
    const secrets = [apiKey, credential.accessToken, credential.expiredToken];
    throw refusal(baseUrl, answer, (text) => redact(text, secrets));
}
function findToken(value) {
    if (!isObject(value) || value.success === false)
        return undefined;
    const data = objectOf(value.responseData);
    const candidates = [
        data.accessToken,
        data.token,
        value.responseData,
        value.accessToken,
        value.token,
    ];
    return candidates.find((text) => typeof text === 'string' && text !== '');
}
function refusal(baseUrl, answer, hide) {
    const { statusCode: status, body, headers } = answer;
    const words = messageOf(body, hide) ?? '';
    const said = words ? `: ${words}` : '';
    const inner = effectiveStatus(answer);
    if (inner === 429 || inner >= 500) {
        return new ServiceError({
            message: `The service gives no access token at the moment (HTTP ${inner}${said}). Try again in a moment`,
            description: 'The fault is at the service. The credential may be right.',
            topic: 'the-credential',
            httpStatus: inner,
            repeat: 'always',
            retryAfter: readRetryAfter(headers?.['retry-after']),
        });
    }
    const envelope = readEnvelope(body);
    const isRefused = (envelope && envelope.success !== true) || status === 401 || status === 403;
    if (isRefused && !noEndpoint.includes(inner)) {
        return new ServiceError({
            message: `The service refused the User ID or the API Key (HTTP ${status}${said}). Copy both again`,
            description: 'Correct them in the credential. The key may also have been revoked.',
            httpStatus: status,
            topic: 'the-credential',
        });
    }
    const origin = originOf(baseUrl);
    const cure = baseUrl === origin
        ? 'Check the Base URL: often it ends in /api'
        : 'Check the Base URL, its path included';
    return new ServiceError({
        message: `${origin} answers, but not like the signing service (HTTP ${status} with ${describeBody(body, hide)} where an access token was expected). ${cure}`,
        description: 'Compare the Base URL in the credential with the one that your provider gave you.',
        httpStatus: status,
        topic: 'the-credential',
    });
}
const noEndpoint = [404, 405];
function unreachable(baseUrl, error) {
    const { problem, remedy, repeat } = readNetworkError(error);
    return new ServiceError({
        message: `Base URL: ${originOf(baseUrl)} ${problem}. ${remedy.replace(/\.$/, '')}`,
        description: 'Nothing was sent. The Base URL is in the credential.',
        topic: 'the-service-cannot-be-reached',
        repeat: repeat === 'ifIdempotent' ? 'always' : repeat,
    });
}
function headerValue(field, value) {
    const text = textOf(value).trim();
    if (text && /^[\x20-\x7e\xa0-\xff]+$/.test(text))
        return text;
    throw new ServiceError({
        message: text
            ? `${field}: it has characters that a key cannot have. Copy it again`
            : `${field}: it is empty. Copy it from your account at the service`,
        description: `Paste the ${field} into the credential.`,
        topic: 'the-credential',
    });
}
const rememberedAccounts = 200;
const youngToken = 60_000;
const rememberedTokens = 5;
const records = new Map();
export async function renewToken(helpers, credential) {
    const key = accountKey(credential);
    const record = records.get(key) ?? { older: [], fetchedAt: 0 };
    if (record.pending)
        return await record.pending;
    const expired = textOf(credential.expiredToken) || textOf(credential.accessToken);
    const isYoung = Date.now() - record.fetchedAt < youngToken;
    if (record.token && isYoung && record.older.includes(expired))
        return record.token;
    const pending = exchangeToken(helpers, credential);
    record.pending = pending;
    remember(records, key, record, rememberedAccounts);
    try {
        const token = await pending;
        const replaced = [record.token, expired].filter((text) => !!text);
        record.older = [...record.older, ...replaced].filter((text) => text !== token);
        record.older = record.older.slice(-rememberedTokens);
        record.token = token;
        record.fetchedAt = Date.now();
        return token;
    }
    finally {
        record.pending = undefined;
    }
}
function accountKey(credential) {
    const parts = [credential.baseUrl, credential.userId, credential.apiKey].map(textOf);
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
