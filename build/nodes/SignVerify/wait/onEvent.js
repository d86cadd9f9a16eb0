import { identityEvent } from '../api/events';
import { ServiceClient } from '../http/client';
import { attempt, withTimeout } from '../util/async';
import { textOf } from '../util/values';
import { isAccepted } from '../webhooks/answered';
import { withFiles } from '../webhooks/files';
import { respond } from '../webhooks/respond';
import { claimEvent } from '../webhooks/seen';
import { simplifyNotification } from '../webhooks/simplify';
import { eventParameter, isSecret } from '../webhooks/url';
import { readEvent } from '../webhooks/validate';
import { isAwaited } from './document';
import { finishedIdentity } from './identity';
import { readState } from './state';
import { removeWait, resumeTokenParameter } from './webhook';
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
const quick = { timeout: 10_000, maxRetryTime: 0 };
const maxLookUpTime = 10_000;
export async function handleResume(context) {
    const failed = 'SignVerify could not process the event that it waits for';
    return await respond(context, async () => await decide(context), failed);
}
async function decide(context) {
    const query = context.getQueryData();
    if (textOf(query[resumeTokenParameter]) === '') {
        return { status: 401, message: 'The secret in the URL is missing or wrong.' };
    }
    const state = readState(context);
    if (!state)
        return { status: 503, message: 'This execution is about to wait. Send it again.' };
    const { target, webhook } = state;
    if (!isSecret(query[resumeTokenParameter], webhook.resumeToken)) {
        return { status: 200, message: 'This wait is over.' };
    }
    const event = target.kind === 'document' ? 'completedDocument' : identityEvent;
    const verdict = await readEvent(context, [event], textOf(query[eventParameter]));
    if (!verdict.accepted)
        return { status: verdict.status, message: verdict.reason };
    const { notification } = verdict;
    const outcome = await outcomeOf(context, target, notification);
    if (outcome === 'later') {
        return { status: 503, message: 'The service does not say so yet. Send it again.' };
    }
    if (!outcome)
        return { status: 200, message: 'This execution waits for something else.' };
    const refused = await claimEvent(webhook.resumeToken, context.getResponseObject());
    if (refused)
        return refused;
    const hasFiles = target.kind === 'document' && target.files;
    const item = hasFiles ? await withFiles(outcome, context, notification) : { json: outcome };
    void removeAfterwards(context, state);
    return [{ ...item, pairedItem: { item: 0 } }];
}
async function outcomeOf(context, target, notification) {
    if (target.kind === 'identity')
        return await identityOutcomeOf(context, target, notification);
    if (!isAwaited(notification.document, target.document))
        return undefined;
    return target.simplify
        ? { ...simplifyNotification(notification), completed: true, timedOut: false }
        : notification.body;
}
async function identityOutcomeOf(context, awaited, { validationId }) {
    const service = new ServiceClient(context, quick);
    const ask = async () => await finishedIdentity(service, validationId, awaited);
    const answer = await attempt(withTimeout(ask, maxLookUpTime));
    return answer.ok ? answer.value : 'later';
}
async function removeAfterwards(context, { webhook }) {
    if (!(await isAccepted(context.getResponseObject())))
        return;
    await attempt(removeWait(new ServiceClient(context), webhook));
}
