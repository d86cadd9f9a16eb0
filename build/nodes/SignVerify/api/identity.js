import { ServiceError } from '../http/errors';
import { attempt } from '../util/async';
import { firstText, isObject, isoTime, placesIn } from '../util/values';
import { explainWith, identityNames } from './refusedFields';
export async function requestVerification(service, body) {
    const envelope = await service.call({
        method: 'POST',
        path: '/identity/validation/request',
        body: { ...body },
        creates: 'the identity request',
        explain: explainWith(identityNames, body),
    });
    return createdRequest(envelope);
}
function createdRequest({ responseData, ...envelope }) {
    const places = placesIn(responseData ?? envelope, () => true).reverse();
    const named = places.map((each) => firstText(each.validationId, each.validationID));
    const sessions = places.map((each) => firstText(each.sessionId, each.sessionID));
    const ids = named.some((id) => id !== undefined) ? named : sessions;
    const at = ids.findIndex((id) => id !== undefined);
    const url = firstText(places[at]?.url, ...places.map((each) => each.url));
    return {
        ...(responseData === undefined ? {} : places[0]),
        ...(at < 0 ? {} : { validationId: ids[at] }),
        ...(url === undefined ? {} : { url }),
    };
}
export async function readIdentityRequest(service, validationId) {
    return await read(service, '/identity/validation/request', validationId);
}
export async function readIdentityResults(service, sessionId, personal) {
    const found = await read(service, '/identity/session/results', sessionId);
    if (!isObject(found?.results))
        return undefined;
    const { score, ocr } = found.results;
    const scores = scoresOf(score);
    if (!hasValue(scores) && !hasValue(ocr))
        return undefined;
    return {
        sessionId,
        customerId: found.customerId ?? null,
        score: hasValue(scores) ? scores : null,
        ...(personal ? { ocr: withIsoBirthDate(ocr) } : {}),
    };
}
const finalStatuses = [
    ...['COMPLETED', 'COMPLETE', 'FINISHED', 'DONE'],
    ...['VERIFIED', 'APPROVED', 'PASSED'],
    ...['REJECTED', 'DECLINED', 'DENIED', 'FAILED'],
    ...['EXPIRED', 'CANCELED', 'CANCELLED'],
];
export function isFinalStatus(status) {
    return finalStatuses.includes(status.trim().toUpperCase());
}
const nothingThere = [400, 404, 410, 422];
async function read(service, path, id) {
    const answer = await attempt(service.call({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` }));
    if (answer.ok) {
        const { responseData } = answer.value;
        return isObject(responseData) && Object.keys(responseData).length ? responseData : undefined;
    }
    const { error } = answer;
    if (error instanceof ServiceError && nothingThere.includes(error.answered ?? 0))
        return undefined;
    throw error;
}
function scoresOf(node) {
    if (!isObject(node))
        return {};
    const kept = Object.entries(node)
        .filter(([name, value]) => isObject(value) || name === 'value' || name === 'status')
        .map(([name, value]) => [name, isObject(value) ? scoresOf(value) : value]);
    return Object.fromEntries(kept);
}
function hasValue(node) {
    if (Array.isArray(node))
        return node.some(hasValue);
    if (isObject(node))
        return Object.values(node).some(hasValue);
    return typeof node === 'number' || (typeof node === 'string' && node.trim() !== '');
}
function withIsoBirthDate(ocr) {
    if (!isObject(ocr))
        return null;
    const iso = isoTime(ocr.birthDate);
    return iso ? { ...ocr, birthDateIso: iso } : ocr;
}
