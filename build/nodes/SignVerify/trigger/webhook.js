import { claimEvent } from '../webhooks/seen';
import { readFileSeconds, withFiles } from '../webhooks/files';
import { respond } from '../webhooks/respond';
import { simplifyNotification } from '../webhooks/simplify';
import { readEvent } from '../webhooks/validate';
import { eventParameter, isSecret, secretParameter } from '../webhooks/url';
import { textOf } from '../util/values';
import { passesFilters } from './filters';
import { readEvents } from './lifecycle';
import { isOwner, stateOf } from './state';
export async function handleRequest(context) {
    const failed = 'SignVerify Trigger could not process an event';
    return await respond(context, async () => await decide(context), failed);
}
async function decide(context) {
    const query = context.getQueryData();
    const state = stateOf(context);
    if (!isBelieved(context, state, query[secretParameter])) {
        return { status: 401, message: 'The secret in the URL is missing or wrong.' };
    }
    const types = readEvents(context.getNodeParameter('events'));
    const verdict = await readEvent(context, types, textOf(query[eventParameter]));
    if (!verdict.accepted)
        return { status: verdict.status, message: verdict.reason };
    const { notification } = verdict;
    if (!passesFilters(context.getNodeParameter('filters', {}), notification)) {
        return { status: 200, message: 'A filter of this workflow excludes this event.' };
    }
    const key = `${textOf(state.secret)} ${notification.id}`;
    const refused = await claimEvent(key, context.getResponseObject());
    return refused ?? [await toItem(context, notification)];
}
function isBelieved(context, state, given) {
    if (!isSecret(given, state.secret))
        return false;
    if (isOwner(context, state))
        return true;
    context.logger.warn('SignVerify Trigger refused an event: this workflow is a copy and still has the secret of its original. Unpublish and publish the workflow. The trigger then registers its own URL.');
    return false;
}
async function toItem(context, notification) {
    const json = context.getNodeParameter('simplify', true)
        ? simplifyNotification(notification)
        : notification.body;
    if (!context.getNodeParameter('downloadFiles', false))
        return { json };
    const options = context.getNodeParameter('options', {});
    return await withFiles(json, context, notification, readFileSeconds(options.fileSeconds));
}
