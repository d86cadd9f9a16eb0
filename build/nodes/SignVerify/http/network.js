import { NodeOperationError } from 'n8n-workflow';
import { isObject } from '../util/values';
import { tooLarge } from './body';
import { lostCreation, ServiceError, wordsOf } from './errors';
const checkAddress = 'Check the Base URL in the credential, and that the service is up.';
const tryAgain = 'Try again in a moment.';
const noHost = unsent('has a host name that does not exist', 'never');
const refused = unsent('refuses connections', 'always');
const unreachable = unsent('cannot be reached from here', 'always');
const broken = sent('closed the connection', 'ifIdempotent');
const late = sent('did not answer in time', 'ifIdempotent');
const problems = new Map(Object.entries({
    ENOTFOUND: noHost,
    EAI_AGAIN: unsent('has a host name that cannot be looked up right now', 'always'),
    ECONNREFUSED: refused,
    EHOSTUNREACH: unreachable,
    ENETUNREACH: unreachable,
    ECONNRESET: broken,
    EPIPE: broken,
    ETIMEDOUT: late,
    ECONNABORTED: late,
    ERR_CANCELED: sent('was not waited for, since the execution was cancelled', 'never'),
    EPROTO: {
        ...unsent('does not speak HTTPS', 'never'),
        remedy: 'Check whether the Base URL should start with http:// or https://.',
    },
    [tooLarge]: {
        ...sent('answered with more than 32 MB', 'never'),
        remedy: 'Check the Base URL in the credential, its path included.',
    },
}));
const badCertificate = {
    ...unsent('has a certificate that cannot be trusted', 'never'),
    remedy: 'Have the certificate corrected, or check that the Base URL is the right one.',
};
export function readNetworkError(error) {
    for (const code of codesOf(error, 0)) {
        const known = problems.get(code);
        if (known)
            return known;
        if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
            return badCertificate;
    }
    return { ...broken, problem: 'could not be reached', remedy: checkAddress };
}
function unsent(problem, repeat) {
    return { problem, remedy: checkAddress, repeat, neverSent: true };
}
function sent(problem, repeat) {
    return { problem, remedy: tryAgain, repeat, neverSent: false };
}
function codesOf(error, depth) {
    if (!isObject(error) && !(error instanceof Error))
        return [];
    if (depth > 4)
        return [];
    const { code, cause, httpCode, reason, errors } = error;
    const own = [code, httpCode].filter((value) => typeof value === 'string');
    const inner = [cause, reason, ...(Array.isArray(errors) ? errors : [])];
    return [...own, ...inner.flatMap((value) => codesOf(value, depth + 1))];
}
export function cancelled() {
    return new ServiceError({
        message: 'The execution was cancelled before this item was sent',
        description: 'Nothing was sent for it. Run the workflow again.',
        topic: 'other-messages',
    });
}
export function credentialUnread(error) {
    return new ServiceError({
        message: `n8n could not read the credential: ${wordsOf(error).message}`,
        description: 'Choose the credential in the node again. If n8n has a fault, try again in a moment.',
        topic: 'the-credential',
        repeat: error instanceof NodeOperationError ? 'never' : 'always',
    });
}
export function toServiceError(error, request, origin, hadToken) {
    const own = ownError(error);
    if (own)
        return own;
    const { problem, remedy, repeat, neverSent } = readNetworkError(error);
    const unsent = neverSent || !hadToken;
    if (request.creates && !unsent)
        return lostCreation(`${origin} ${problem}`, request.creates);
    return new ServiceError({
        message: `${origin} ${problem}`,
        description: remedy,
        repeat: unsent && repeat === 'ifIdempotent' ? 'always' : repeat,
        topic: 'the-service-cannot-be-reached',
    });
}
function ownError(error) {
    for (let inner = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
        if (inner instanceof ServiceError)
            return inner;
        inner = inner.cause;
    }
    return undefined;
}
