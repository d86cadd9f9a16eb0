import { isFinalStatus, readIdentityRequest, readIdentityResults } from '../api/identity';
import { delay } from '../util/async';
import { isObject, textOf } from '../util/values';
const pauses = [500, 1000, 1500];
const maxTime = 5000;
export async function finishedIdentity(service, named, awaited) {
    if (named !== undefined && named !== awaited.validationId)
        return undefined;
    return await readOutcome(service, awaited, named !== undefined);
}
export async function identityOutcome(service, awaited) {
    return await readOutcome(service, awaited, false);
}
async function readOutcome(service, awaited, isKnownOver) {
    const start = Date.now();
    let status = await readStatus(service, awaited);
    for (const pause of pauses) {
        if (status.hasScore || !(isKnownOver || status.isOver))
            break;
        if (Date.now() - start + pause > maxTime)
            break;
        await delay(pause);
        status = await readStatus(service, awaited);
    }
    return isKnownOver || status.isOver ? status.output : undefined;
}
async function readStatus(service, { validationId, email, personal }) {
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
