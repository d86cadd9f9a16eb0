import { readNotification } from '../api/notification';
import { withFiles } from '../webhooks/files';
import { simplifyNotification } from '../webhooks/simplify';
import { attempt } from '../util/async';
import { identityOutcome } from './identity';
import { errorsOfRetry, makeWait, registerWait, removeWait } from './registration';
import { isContinuedWithoutEvent, notedEvent, removeGuard } from './stack';
import { putToWait } from './start';
import { eventsOf, isOpen, keptState, outputsOf } from './state';
const timerTolerance = 1000;
export function waitOfRun(execute) {
    const state = keptState(execute);
    if (!state)
        return undefined;
    const { wait } = state.registration;
    const isOfWait = notedEvent(execute, wait) ?? isContinuedWithoutEvent(execute, wait);
    return isOfWait ? state : undefined;
}
export async function continueWait(execute, service, state, withTries) {
    const { registration, until } = state;
    const noted = notedEvent(execute, registration.wait);
    if (noted)
        await noteEvent(execute, state, noted);
    else
        removeGuard(execute);
    const isOver = !noted && until !== undefined && Date.now() >= until - timerTolerance;
    const isOwn = registration.execution === execute.getExecutionId();
    if (!isOver && isOwn)
        return await putToWait(execute, state);
    await attempt(removeWait(service, registration));
    if (isOver)
        return outputsOf(state);
    await lookAtIdentities(service, state);
    if (!state.items.some(isOpen))
        return outputsOf(state);
    const wait = makeWait();
    const register = async () => await registerWait(execute, service, eventsOf(state), wait, errorsOfRetry);
    const begin = async () => {
        const fresh = await withTries(register);
        return await putToWait(execute, { ...state, registration: fresh, eventCount: 0 });
    };
    const begun = begin();
    if (!(await attempt(begun)).ok)
        await attempt(removeWait(service, { ids: {}, wait }));
    return await begun;
}
async function noteEvent(execute, state, { indexes, event, body, outputs }) {
    const notification = readNotification(event, body);
    state.eventCount++;
    for (const index of indexes) {
        const item = state.items[index];
        if (!item)
            continue;
        item.output = await outputOfEvent(execute, item, notification, outputs[index]);
        if (item.target?.kind === 'document') {
            item.target.document.documentId ||= notification.document?.ids[0] ?? '';
        }
    }
}
async function lookAtIdentities(service, { items }) {
    for (const item of items.filter(isOpen)) {
        if (item.target?.kind !== 'identity')
            continue;
        const outcome = await attempt(identityOutcome(service, item.target));
        if (outcome.ok && outcome.value)
            item.output = { ...item.pending, json: outcome.value };
    }
}
export async function outputOfEvent(context, { target, pending }, notification, made) {
    const pairedItem = pending.pairedItem ?? { item: 0 };
    if (made || target?.kind !== 'document') {
        return { json: made ?? notification.body, pairedItem };
    }
    const json = target.simplify
        ? { ...simplifyNotification(notification), completed: true, timedOut: false }
        : notification.body;
    if (!target.files)
        return { json, pairedItem };
    return { ...(await withFiles(json, context, notification)), pairedItem };
}
