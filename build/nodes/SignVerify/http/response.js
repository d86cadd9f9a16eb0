import { isEmpty, isObject } from '../util/values';
import { complaintsOf, describeBody, messageOf, readEnvelope } from './envelope';
import { lostCreation, numbered, ServiceError } from './errors';
import { readRetryAfter } from './rateLimiter';
export function isRefusedToken(answer) {
    return [401, 403].includes(effectiveStatus(answer));
}
export function readAnswer(answer, request, origin, hide) {
    const status = effectiveStatus(answer);
    const envelope = readEnvelope(answer.body);
    if (status < 300 && envelope?.success !== false) {
        if (envelope)
            return envelope;
        const value = answer.body;
        if (request.method === 'DELETE' && isEmpty(answer.body))
            return {};
        if (isObject(value) || Array.isArray(value))
            return { responseData: value };
        throw notTheService(answer, request, origin, hide);
    }
    if (status === 404 && request.ignoreNotFound)
        return {};
    const retryAfter = readRetryAfter(answer.headers?.['retry-after']);
    const fields = refusedFields(status, answer, request, hide);
    throw fields ?? refusal(status, messageOf(answer.body, hide) ?? '', request, retryAfter);
}
export function effectiveStatus(answer) {
    const envelope = readEnvelope(answer.body);
    const inner = Number(envelope?.responseCode);
    if (answer.statusCode < 300 && envelope?.success === false)
        return inner >= 300 ? inner : 400;
    return answer.statusCode;
}
function notTheService(answer, request, origin, hide) {
    const what = `${origin} answered HTTP ${answer.statusCode} with ${describeBody(answer.body, hide)}, which is not an answer of the signing service`;
    if (!request.creates) {
        return new ServiceError({
            message: what,
            description: 'Check the Base URL in the credential, its path included.',
            httpStatus: answer.statusCode,
        });
    }
    return lostCreation(what, request.creates, answer.statusCode);
}
function refusedFields(status, { body }, { explain, creates }, hide) {
    if (!explain || !invalid.includes(status))
        return undefined;
    const complaints = complaintsOf(body, hide);
    const explained = complaints.map(explain);
    if (!explained.some(Boolean))
        return undefined;
    const reasons = complaints.map(({ text, path }, index) => {
        const refused = explained[index];
        if (refused)
            return `${refused.field}: ${refused.reason}`;
        return path ? `${path}: ${text}` : text;
    });
    const [only] = reasons;
    return new ServiceError({
        message: reasons.length === 1 && only
            ? only
            : `The service refused ${reasons.length} values: ${numbered(reasons)}`,
        description: `Correct what it names and run again.${creates ? ' Nothing was created.' : ''} The service's own words (HTTP ${status}): ${messageOf(body, hide) ?? ''}`,
        httpStatus: status,
    });
}
const invalid = [400, 409, 422];
function refusal(status, words, request, retryAfter) {
    const said = words ? `: ${words}` : '';
    const nothing = request.creates ? ' Nothing was created.' : '';
    const failure = (message, remedy, repeat = 'never') => new ServiceError({
        message,
        description: remedy + nothing,
        httpStatus: status,
        repeat,
        retryAfter,
    });
    if (status >= 500) {
        const message = `The service failed (HTTP ${status}${said})`;
        if (request.creates)
            return lostCreation(message, request.creates, status);
        return failure(message, 'The fault is at the service. Try again in a moment.', 'ifIdempotent');
    }
    if (status === 429) {
        return failure(`The service says that there were too many requests (HTTP 429${said})`, 'Wait a moment, or set "Requests per Second" in the options.', 'always');
    }
    if (status === 401 || status === 403) {
        return failure(`The service does not allow this (HTTP ${status}${said})`, 'A new access token did not help. Check that the account in the credential may do this.');
    }
    if (status === 404) {
        return failure(`The service did not find it (HTTP 404${said})`, 'Check the ID, and that it belongs to the account in the credential.');
    }
    if (status < 400) {
        return failure(`The service redirects this call to another URL (HTTP ${status})`, 'Enter the address that it leads to as the Base URL in the credential.');
    }
    return failure(`The service refused the request (HTTP ${status}${said})`, 'Correct what it names and run again.');
}
