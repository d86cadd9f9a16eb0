import { isFinalStatus, readIdentityRequest, readIdentityResults } from '../api/identity';
import { attempt, delay } from '../util/async';
import { isObject, textOf } from '../util/values';
const waits = [500, 1000, 1500];
const mostTime = 5000;
export async function finishedIdentity(service, named, awaited) {
    if (named !== undefined && named !== awaited.validationId)
        return false;
    const isNamed = named !== undefined;
    const read = await attempt(readStanding(service, awaited, ({ isOver }) => isNamed || isOver));
    if (!read.ok)
        return 'later';
    return isNamed || read.value.isOver ? read.value.output : false;
}
export async function identityOutcome(service, awaited) {
    const { isOver, output } = await readStanding(service, awaited, (standing) => standing.isOver);
    return isOver ? output : undefined;
}
async function readStanding(service, awaited, expectsScore) {
    const start = Date.now();
    let standing = await readOnce(service, awaited);
    for (const wait of waits) {
        if (standing.hasScore || !expectsScore(standing))
            break;
        if (Date.now() - start + wait > mostTime)
            break;
        await delay(wait);
        standing = await readOnce(service, awaited);
    }
    return standing;
}
async function readOnce(service, { validationId, email, personal }) {
    const request = await readIdentityRequest(service, validationId);
    const status = textOf(request?.status);
    const results = await readIdentityResults(service, validationId, personal);
    const none = { sessionId: validationId, customerId: request?.customerId ?? null, score: null };
    return {
        output: {
            validationId,
            email: email || textOf(request?.emailId),
            status,
            ...(results ?? none),
            timedOut: false,
        },
        hasScore: isObject(results?.score),
        isOver: results !== undefined || isFinalStatus(status),
    };
}
