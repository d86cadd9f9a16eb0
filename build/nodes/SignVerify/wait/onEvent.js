import { isAccepted } from '../webhooks/answered';
import { claimEvent } from '../webhooks/seen';
import { respond } from '../webhooks/respond';
import { incomingOf, readEvent } from '../webhooks/validate';
import { eventParameter, isSecret } from '../webhooks/url';
import { ServiceClient } from '../http/client';
import { attempt } from '../util/async';
import { textOf } from '../util/values';
import { answers, question } from './cleanUp';
import { outputOfEvent } from './continue';
import { isAwaited } from './document';
import { identityOutcomes } from './identityOutcomes';
import { removeWait, waitParameter } from './registration';
import { forgetEvents, removeSuccessor, runAgainWith } from './stack';
import { eventsOf, isOpen, outputsOf, readState } from './state';
export const resumeWebhooks = [
    {
        name: 'default',
        httpMethod: 'POST',
        responseMode: 'onReceived',
        responseData: '',
        path: '={{ $nodeId }}',
        restartWebhook: true,
        isFullPath: true,
    },
];
export async function handleResume(context) {
    const failed = 'SignVerify could not process the event that it waits for';
    return await respond(context, async () => await decide(context), failed);
}
async function decide(context) {
    const query = context.getQueryData();
    if (textOf(query[waitParameter]) === '') {
        return { status: 401, message: 'The secret in the URL is missing or wrong.' };
    }
    const state = readState(context);
    if (!state)
        return { status: 503, message: 'This execution is about to wait. Send it again.' };
    const isOfThisWait = isSecret(query[waitParameter], state.registration.wait);
    if (isQuestion(context)) {
        return isOfThisWait
            ? { status: 200, message: 'This execution waits.', ...answers.waiting }
            : { status: 200, message: 'This wait is over.', ...answers.over };
    }
    if (!isOfThisWait)
        return { status: 200, message: 'This wait is over.' };
    const verdict = await readEvent(context, eventsOf(state), textOf(query[eventParameter]));
    if (!verdict.accepted)
        return { status: verdict.status, message: verdict.reason };
    return await processEvent(context, state, verdict.notification);
}
function isQuestion(context) {
    const { body } = incomingOf(context);
    return body?.signverify === question.signverify;
}
async function processEvent(context, state, notification) {
    const concerned = await findConcerned(context, state, notification);
    if (concerned === 'later') {
        return { status: 503, message: 'The service does not say so yet. Send it again.' };
    }
    const { indexes, outputs } = concerned;
    if (indexes.length === 0) {
        return { status: 200, message: 'This execution waits for something else.' };
    }
    const { wait } = state.registration;
    if (state.items.filter(isOpen).length > indexes.length) {
        const { event, body } = notification;
        const noted = { wait, indexes, outputs, event, body };
        const item = runAgainWith(context, state.eventCount, noted);
        return item
            ? [item]
            : { status: 503, message: 'Another event is being processed. Send it again later.' };
    }
    const refused = await claimEvent(wait, context.getResponseObject());
    if (refused)
        return refused;
    for (const index of indexes) {
        const item = state.items[index];
        if (item)
            item.output = await outputOfEvent(context, item, notification, outputs[index]);
    }
    removeSuccessor(context, wait);
    removeAfterwards(context, state);
    return outputsOf(state);
}
async function findConcerned(context, { items }, { document, validationId }) {
    const found = { indexes: [], outputs: {} };
    const outcomeOf = await identityOutcomes(context, items, validationId);
    let isUnsure = false;
    let isFree = !items.some((item) => isCompletedBy(item, document));
    for (const [index, item] of items.entries()) {
        if (!isOpen(item) || !item.target)
            continue;
        const { target } = item;
        if (target.kind === 'document') {
            const hasId = target.document.documentId !== '';
            if (!isAwaited(document, target.document) || !(hasId || isFree))
                continue;
            if (!hasId)
                isFree = false;
            found.indexes.push(index);
            continue;
        }
        const outcome = outcomeOf(target);
        if (outcome === 'later')
            isUnsure = true;
        else if (outcome) {
            found.indexes.push(index);
            found.outputs[index] = outcome;
        }
    }
    return found.indexes.length === 0 && isUnsure ? 'later' : found;
}
function isCompletedBy({ target, output }, document) {
    return (output !== undefined &&
        target?.kind === 'document' &&
        document?.ids.includes(target.document.documentId) === true);
}
function removeAfterwards(context, state) {
    const finish = async () => {
        if (!(await isAccepted(context.getResponseObject())))
            return;
        forgetEvents(state.registration.wait);
        await attempt(removeWait(new ServiceClient(context), state.registration));
    };
    void finish();
}
